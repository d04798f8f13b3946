// SPDX-License-Identifier: Apache-2.0
//
// Files that are refused because of their write mark, and those that a program is writing.
#pragma once

#include <string>

#include <filigree/error.hpp>

namespace filigree::capi {

/// Whether a file was refused because of its write mark.
bool is_marked(const Error& error);
/// Whether another program holds an exclusive lock of the file, so that HDF5 could not lock it for reading.
bool is_locked_for_writing(const std::string& path);

}  // namespace filigree::capi
