// SPDX-License-Identifier: Apache-2.0
//
// A page of a data block: how fixed and extensible arrays store their elements when a block has many.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Elements one after another, and their checksum. A page has no signature and no owner.
struct ArrayPage {
  static constexpr std::string_view structure = "page of a chunk array";
  std::uint64_t element_total_bytes = 0;  ///< outside parameter
  Buffer elements;
};

/// Bitmaps of pages count from the most significant bit of the first byte.
inline bool page_bit(Bytes bitmap, std::uint64_t page) {
  return (std::to_integer<unsigned>(bitmap[page / 8]) >> (7 - page % 8) & 1) != 0;
}
inline void set_page_bit(MutableBytes bitmap, std::uint64_t page) {
  bitmap[page / 8] |= static_cast<std::byte>(0x80u >> (page % 8));
}

}  // namespace filigree::format
