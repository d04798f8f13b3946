// SPDX-License-Identifier: Apache-2.0
//
// The row of the driver "local" in the table of drivers. A test adds it to a scratch copy of the tree.
#pragma once

#include "io/driver_kind.hpp"

namespace filigree::io {

DriverKind local_driver();

}  // namespace filigree::io
