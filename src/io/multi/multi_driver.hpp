// SPDX-License-Identifier: Apache-2.0
//
// The rows of the split and the multi driver in the table of drivers.
#pragma once

#include "io/driver_kind.hpp"

namespace filigree::io {

DriverKind split_driver();
DriverKind multi_driver();

}  // namespace filigree::io
