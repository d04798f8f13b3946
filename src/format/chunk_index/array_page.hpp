// SPDX-License-Identifier: Apache-2.0
//
// Pages of data blocks: fixed and extensible arrays store large data blocks as pages.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Contiguous elements and their checksum. A page has neither a signature nor a pointer to its owner.
struct ArrayPage {
  static constexpr std::string_view structure = "page of a chunk array";
  std::uint64_t element_total_bytes = 0;  ///< set by the caller
  Buffer elements;
};

/// Page bitmaps begin with the most significant bit of the first byte.
inline bool page_bit(Bytes bitmap, std::uint64_t page) {
  return (std::to_integer<unsigned>(bitmap[page / 8]) >> (7 - page % 8) & 1) != 0;
}
inline void set_page_bit(MutableBytes bitmap, std::uint64_t page) {
  bitmap[page / 8] |= static_cast<std::byte>(0x80u >> (page % 8));
}

}  // namespace filigree::format
