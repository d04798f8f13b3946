// SPDX-License-Identifier: Apache-2.0
//
// The local heap: a segment of NUL-terminated strings, with its free blocks chained inside it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Stands for "no further free block". The specification says undefined address; files say this.
inline constexpr std::uint64_t no_free_block = 1;

/// What precedes the data segment, mostly directly; padded to a multiple of 8.
struct LocalHeapPrefix {
  static constexpr std::string_view structure = "local heap";
  std::uint64_t data_bytes = 0;
  std::uint64_t free_head = no_free_block;  ///< offset in the data segment
  Address data = Address::undefined;
};

/// What a free block starts with.
struct LocalHeapFreeBlock {
  static constexpr std::string_view structure = "local heap free block";
  std::uint64_t next = no_free_block;
  std::uint64_t bytes = 0;  ///< these fields included
};

constexpr std::size_t local_heap_prefix_bytes(const Widths& widths) {
  return pad8(8u + 2u * widths.length_bytes + widths.offset_bytes);
}
/// A smaller hole cannot be a free block.
constexpr std::size_t least_free_block_bytes(const Widths& widths) { return pad8(2u * widths.length_bytes); }

}  // namespace filigree::format
