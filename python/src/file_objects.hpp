// SPDX-License-Identifier: Apache-2.0
//
// A driver over Python's file-like objects.
#pragma once

#include <filigree/driver.hpp>

#include "core.hpp"

namespace filigree::python {

/// A driver that keeps its bytes in an object with seek(), read() or readinto(), write(), truncate() and
/// flush().
UserDriver file_object_driver(py::object object);

}  // namespace filigree::python
