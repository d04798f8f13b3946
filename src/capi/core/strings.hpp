// SPDX-License-Identifier: Apache-2.0
//
// Texts on their way to C programs.
#pragma once

#include <string_view>

#include <hdf5.h>

namespace filigree::capi {

/// Copies as much as fits, with a NUL at the end, and returns the whole length. Null: only the length.
ssize_t copy_string(std::string_view text, char* to, std::size_t bytes);
/// A copy for the program to free with H5free_memory() or free().
char* new_string(std::string_view text);

}  // namespace filigree::capi
