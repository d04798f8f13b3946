// SPDX-License-Identifier: Apache-2.0
//
// Failures of functions that exist for HDF5 1.10 only.
#pragma once

#include <hdf5.h>

namespace filigree::abi110 {

/// Puts a record on the error stack and reports it as the program wants. Returns -1.
herr_t fail(const char* function, hid_t major, hid_t minor, const char* text);

}  // namespace filigree::abi110
