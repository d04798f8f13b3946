// SPDX-License-Identifier: Apache-2.0
//
// Files of the split and multi drivers, which are sets of files.
#pragma once

#include <string>

#include "capi/H5P/settings.hpp"

namespace filigree::capi {

/// Whether the driver of the settings makes sets.
bool is_file_set(const FileAccessSettings& access);
/// *Throws* NestedFailure if a file of the set `path` does not exist, and the settings do not permit this.
void require_all_members(const FileAccessSettings& access, const std::string& path);

}  // namespace filigree::capi
