// SPDX-License-Identifier: Apache-2.0
//
// Names of links and attributes.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "format/messages/character_set.hpp"

namespace filigree::model {

/// Returns the smallest character set of a name. ASCII names can be stored in symbol tables and read by old
/// releases.
inline format::CharacterSet charset_of(std::string_view name) {
  const bool ascii = std::ranges::all_of(name, [](unsigned char c) { return c < 0x80; });
  return ascii ? format::CharacterSet::ascii : format::CharacterSet::utf8;
}

/// Returns the components of a path. Repeated slashes and "." are ignored. ".." has no special meaning, as in
/// HDF5.
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

}  // namespace filigree::model
