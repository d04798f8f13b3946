// SPDX-License-Identifier: Apache-2.0
//
// Strings of a fixed size: where their text ends and how it is padded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/messages/datatype.hpp"

namespace filigree::type {

struct FixedText {
  std::uint32_t bytes = 1;
  format::StringPadding padding = format::StringPadding::nul_terminated;
  bool cuts = false;  ///< a text that is too long is cut, else it is Error(limit)

  /// Without the padding.
  std::string_view get(const std::byte* element) const;
  void put(std::byte* element, std::string_view text) const;
};

}  // namespace filigree::type
