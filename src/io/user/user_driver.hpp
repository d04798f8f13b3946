// SPDX-License-Identifier: Apache-2.0
//
// Rows of the table of drivers for user-defined drivers.
#pragma once

#include <filigree/driver.hpp>

#include "io/driver_kind.hpp"

namespace filigree::io {

/// The row for a UserDriver that AccessOptions::driver holds itself.
DriverKind user_driver();
/// The row for a UserDriver that drivers::add() registers.
DriverKind registered_driver(UserDriver driver);

}  // namespace filigree::io
