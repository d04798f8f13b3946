// SPDX-License-Identifier: Apache-2.0
//
// Names of links and attributes.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "format/messages/character_set.hpp"

namespace filigree::model {

/// ASCII where that suffices, so that old readers and old-style groups can hold the name.
inline format::CharacterSet charset_of(std::string_view name) {
  const bool ascii = std::ranges::all_of(name, [](unsigned char c) { return c < 0x80; });
  return ascii ? format::CharacterSet::ascii : format::CharacterSet::utf8;
}

/// The components of a path. Repeated slashes and "." mean nothing; ".." is a name like any other.
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
