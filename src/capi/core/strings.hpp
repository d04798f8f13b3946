// SPDX-License-Identifier: Apache-2.0
//
// Strings for C programs.
#pragma once

#include <string_view>

#include <hdf5.h>

namespace filigree::capi {

/// Copies the part of `text` that fits into `to`, with a NUL, and returns the full length. A null `to` only
/// asks for the length.
ssize_t copy_string(std::string_view text, char* to, std::size_t bytes);
/// The same for comments: as in HDF5, a text that fills `to` has no NUL there.
ssize_t copy_comment(std::string_view text, char* to, std::size_t bytes);
/// Returns a copy that the program frees with H5free_memory() or free().
char* new_string(std::string_view text);

}  // namespace filigree::capi
