// SPDX-License-Identifier: Apache-2.0
//
// The POSIX driver's row of the table of drivers.
#pragma once

#include "io/driver_kind.hpp"

namespace filigree::io {

DriverKind posix_driver();

/// How files of the system are opened for `access`; other drivers open their members so.
PosixOptions posix_options(const AccessOptions& access);

}  // namespace filigree::io
