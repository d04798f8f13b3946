// SPDX-License-Identifier: Apache-2.0
//
// The splitter driver's row of the table of drivers.
#pragma once

#include "io/driver_kind.hpp"

namespace filigree::io {

DriverKind splitter_driver();

}  // namespace filigree::io
