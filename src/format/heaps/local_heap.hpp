// SPDX-License-Identifier: Apache-2.0
//
// Local heaps: a data segment of NUL-terminated strings that contains a linked list of its free blocks. See
// HDF5 File Format Specification, section "Local Heaps".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The end of the list of free blocks. The specification says "undefined address"; files contain this value.
inline constexpr std::uint64_t no_free_block = 1;

/// The header, padded to a multiple of 8 bytes. The data segment usually follows it.
struct LocalHeapPrefix {
  static constexpr std::string_view structure = "local heap";
  std::uint64_t data_bytes = 0;
  std::uint64_t free_head = no_free_block;  ///< offset of the first free block in the data segment
  Address data = Address::undefined;
};

/// The header of a free block.
struct LocalHeapFreeBlock {
  static constexpr std::string_view structure = "local heap free block";
  std::uint64_t next = no_free_block;
  std::uint64_t bytes = 0;  ///< size including this header
};

constexpr std::size_t local_heap_prefix_bytes(const Widths& widths) {
  return pad8(8u + 2u * widths.length_bytes + widths.offset_bytes);
}
/// The smallest size of a free block.
constexpr std::size_t least_free_block_bytes(const Widths& widths) { return pad8(2u * widths.length_bytes); }

}  // namespace filigree::format
