// SPDX-License-Identifier: Apache-2.0
//
// Extensible arrays: the chunk index of datasets with one unlimited dimension. See
// docs/format/chunk-indexes.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/layout.hpp"

namespace filigree::format {

/// The header ("EAHD").
struct ExtensibleArrayHeader {
  static constexpr std::string_view structure = "extensible array header";
  /// The kind of elements: 0 dense chunks, 1 filtered dense chunks, 2 and 3 structured chunks.
  std::uint8_t client = 0;
  std::uint8_t version = 0;  ///< 1 is written by early writers of structured chunks and means the same
  std::uint8_t element_bytes = 0;
  ExtensibleArrayParameters parameters;
  std::uint64_t super_blocks = 0;
  std::uint64_t super_block_bytes = 0;
  std::uint64_t data_blocks = 0;
  std::uint64_t data_block_bytes = 0;  ///< including their pages, written or not
  std::uint64_t index_end = 0;         ///< index after the highest element that was ever set
  std::uint64_t slots = 0;             ///< number of elements in allocated blocks
  Address index_block = Address::undefined;
};

/// The index block ("EAIB").
struct ExtensibleArrayIndexBlock {
  static constexpr std::string_view structure = "extensible array index block";
  std::uint8_t client = 0;                ///< set by the caller; the stored one must agree
  std::uint8_t version = 0;               ///< the same as in the header
  std::uint64_t element_total_bytes = 0;  ///< set by the caller
  std::uint64_t data_block_count = 0;     ///< set by the caller
  std::uint64_t super_block_count = 0;    ///< set by the caller
  Address header = Address::undefined;
  Buffer elements;
  std::vector<Address> data_blocks;
  std::vector<Address> super_blocks;
};

/// A secondary block ("EASB"), which holds the addresses of the data blocks of one group.
struct ExtensibleArraySuperBlock {
  static constexpr std::string_view structure = "extensible array super block";
  std::uint8_t client = 0;             ///< set by the caller; the stored one must agree
  std::uint8_t version = 0;            ///< the same as in the header
  std::uint8_t offset_bytes = 4;       ///< set by the caller: width of the block's offset
  std::uint64_t bitmap_bytes = 0;      ///< set by the caller; 0 when the data blocks have no pages
  std::uint64_t data_block_count = 0;  ///< set by the caller
  Address header = Address::undefined;
  std::uint64_t first_element = 0;
  Buffer
      page_bitmap;  ///< bits of all data blocks, contiguous; a clear bit marks a page that was never written
  std::vector<Address> data_blocks;
};

/// A data block ("EADB") up to its checksum, after which its pages follow.
struct ExtensibleArrayDataBlock {
  static constexpr std::string_view structure = "extensible array data block";
  std::uint8_t client = 0;                ///< set by the caller; the stored one must agree
  std::uint8_t version = 0;               ///< the same as in the header
  std::uint8_t offset_bytes = 4;          ///< set by the caller: width of the block's offset
  std::uint64_t element_total_bytes = 0;  ///< set by the caller; 0 with pages
  Address header = Address::undefined;
  std::uint64_t first_element = 0;  ///< unreliable: HDF5 stores a wrong value for most blocks
  Buffer elements;
};

/// The layout of an extensible array. Its data blocks form groups: the blocks of a group have one size, and
/// every other group doubles the size or the number of blocks. The index block points to the data blocks of
/// the first groups, and to a secondary block for each further group.
class ExtensibleArrayGeometry {
 public:
  struct Group {
    std::uint64_t blocks = 0;
    std::uint64_t block_elements = 0;
    std::uint64_t first_element = 0;  ///< first element, not counting those of the index block
    std::uint64_t first_block = 0;    ///< index of its first data block
    std::uint64_t pages = 0;          ///< number of pages of one data block; 0 if the block has no pages
    std::uint64_t elements() const { return blocks * block_elements; }
  };
  struct Location {
    unsigned group = 0;
    std::uint64_t block = 0;    ///< index of the data block within the group
    std::uint64_t element = 0;  ///< index of the element within the data block
  };

  /// *Throws* Error(corrupt) if the parameters contradict each other.
  explicit ExtensibleArrayGeometry(const ExtensibleArrayParameters& parameters);

  unsigned groups() const { return groups_; }
  /// The number of groups whose data blocks the index block lists.
  unsigned direct_groups() const { return direct_groups_; }
  std::uint64_t direct_blocks() const { return direct_blocks_; }
  std::uint64_t page_elements() const { return std::uint64_t{1} << parameters_.page_bits; }
  /// The width of the offset of a block.
  std::uint8_t offset_bytes() const { return (parameters_.max_elements_bits + 7) / 8; }
  /// A group of the array.
  Group group(unsigned u) const;
  /// The location of element `index`, which is not in the index block. The group is groups() if the array
  /// cannot have that element.
  Location locate(std::uint64_t index) const;

 private:
  ExtensibleArrayParameters parameters_;
  unsigned least_bits_;  ///< log2 of the elements of the smallest data block
  unsigned groups_;
  unsigned direct_groups_;
  std::uint64_t direct_blocks_;
};

}  // namespace filigree::format
