// SPDX-License-Identifier: Apache-2.0
//
// Names of links and attributes.
#pragma once

#include <algorithm>
#include <string_view>

#include "format/messages/character_set.hpp"

namespace filigree::model {

/// Returns the smallest character set of a name. ASCII names can be stored in symbol tables and read by old
/// releases.
inline format::CharacterSet charset_of(std::string_view name) {
  const bool ascii = std::ranges::all_of(name, [](unsigned char c) { return c < 0x80; });
  return ascii ? format::CharacterSet::ascii : format::CharacterSet::utf8;
}

}  // namespace filigree::model
