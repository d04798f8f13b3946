// SPDX-License-Identifier: Apache-2.0
//
// Fixed arrays: the chunk index of datasets without unlimited dimensions. See docs/format/chunk-indexes.md.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The header ("FAHD").
struct FixedArrayHeader {
  static constexpr std::string_view structure = "fixed array header";
  /// The kind of elements: 0 dense chunks, 1 filtered dense chunks, 2 and 3 structured chunks.
  std::uint8_t client = 0;
  std::uint8_t version = 0;  ///< 1 is written by early writers of structured chunks and means the same
  std::uint8_t element_bytes = 0;
  std::uint8_t page_bits = 10;  ///< log2 of the elements of a page
  std::uint64_t elements = 0;
  Address data_block = Address::undefined;

  std::uint64_t page_elements() const { return std::uint64_t{1} << page_bits; }
  bool paged() const { return elements > page_elements(); }
  std::uint64_t pages() const { return paged() ? (elements - 1) / page_elements() + 1 : 0; }
};

/// The data block ("FADB") up to its checksum, after which its pages follow.
struct FixedArrayBlock {
  static constexpr std::string_view structure = "fixed array data block";
  std::uint8_t client = 0;                ///< set by the caller; the stored one must agree
  std::uint8_t version = 0;               ///< the same as in the header
  std::uint64_t bitmap_bytes = 0;         ///< set by the caller; 0 without pages
  std::uint64_t element_total_bytes = 0;  ///< set by the caller; 0 with pages
  Address header = Address::undefined;
  Buffer page_bitmap;  ///< a clear bit marks a page that was never written
  Buffer elements;
};

}  // namespace filigree::format
