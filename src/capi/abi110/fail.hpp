// SPDX-License-Identifier: Apache-2.0
//
// Failures of functions that exist for HDF5 1.10 only.
#pragma once

#include <hdf5.h>

namespace filigree::abi110 {

/// Puts a record on the error stack and reports it as the program wants. Returns -1.
herr_t fail(const char* function, hid_t major, hid_t minor, const char* text);

struct ErrorText {
  hid_t major, minor;
  const char* text;
};
/// Does the same with two records: what the function could not do, and the cause.
herr_t fail(const char* function, const ErrorText& summary, const ErrorText& cause);

}  // namespace filigree::abi110
