// SPDX-License-Identifier: Apache-2.0
//
// Paths of objects.
#pragma once

#include <string_view>
#include <vector>

namespace filigree {

/// Returns the components of a path. Repeated slashes and "." are ignored. ".." has no special meaning, as in
/// HDF5. The result refers to `path`.
inline std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.push_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

}  // namespace filigree
