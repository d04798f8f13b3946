// SPDX-License-Identifier: Apache-2.0
//
// The family driver's row of the table of drivers.
#pragma once

#include "io/driver_kind.hpp"

namespace filigree::io {

DriverKind family_driver();

}  // namespace filigree::io
