// SPDX-License-Identifier: Apache-2.0
//
// The extensible array: an index of chunks that grow along one dimension (hdf5-format.md §12.2).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/layout.hpp"

namespace filigree::format {

/// Header ("EAHD").
struct ExtensibleArrayHeader {
  static constexpr std::string_view structure = "extensible array header";
  /// What the elements are: 0 dense chunks, 1 filtered ones; 2 and 3 structured chunks.
  std::uint8_t client = 0;
  std::uint8_t version = 0;  ///< 1: the same, of an early writer of structured chunks
  std::uint8_t element_bytes = 0;
  ExtensibleArrayParameters parameters;
  std::uint64_t super_blocks = 0;
  std::uint64_t super_block_bytes = 0;
  std::uint64_t data_blocks = 0;
  std::uint64_t data_block_bytes = 0;  ///< with their pages, written or not
  std::uint64_t index_end = 0;         ///< one past the highest element ever set
  std::uint64_t slots = 0;             ///< elements that blocks have been made for
  Address index_block = Address::undefined;
};

/// Index block ("EAIB").
struct ExtensibleArrayIndexBlock {
  static constexpr std::string_view structure = "extensible array index block";
  std::uint8_t client = 0;                ///< outside parameter; the stored one must agree
  std::uint8_t version = 0;               ///< as in the header
  std::uint64_t element_total_bytes = 0;  ///< outside parameter
  std::uint64_t data_block_count = 0;     ///< outside parameter
  std::uint64_t super_block_count = 0;    ///< outside parameter
  Address header = Address::undefined;
  Buffer elements;
  std::vector<Address> data_blocks;
  std::vector<Address> super_blocks;
};

/// Secondary block ("EASB"): where the data blocks of one group are.
struct ExtensibleArraySuperBlock {
  static constexpr std::string_view structure = "extensible array super block";
  std::uint8_t client = 0;             ///< outside parameter; the stored one must agree
  std::uint8_t version = 0;            ///< as in the header
  std::uint8_t offset_bytes = 4;       ///< outside parameter: width of the block's offset
  std::uint64_t bitmap_bytes = 0;      ///< outside parameter; 0 when the data blocks have no pages
  std::uint64_t data_block_count = 0;  ///< outside parameter
  Address header = Address::undefined;
  std::uint64_t first_element = 0;
  Buffer page_bitmap;  ///< of all its data blocks, without gaps; a clear bit: that page was never written
  std::vector<Address> data_blocks;
};

/// Data block ("EADB"), up to its checksum; pages follow that.
struct ExtensibleArrayDataBlock {
  static constexpr std::string_view structure = "extensible array data block";
  std::uint8_t client = 0;                ///< outside parameter; the stored one must agree
  std::uint8_t version = 0;               ///< as in the header
  std::uint8_t offset_bytes = 4;          ///< outside parameter: width of the block's offset
  std::uint64_t element_total_bytes = 0;  ///< outside parameter; 0 with pages
  Address header = Address::undefined;
  std::uint64_t first_element = 0;  ///< not to be relied on: stock gets it wrong for most blocks
  Buffer elements;
};

/// Where the elements of an extensible array stand. Its data blocks come in groups: those of a group are
/// of one size, and every other group doubles size or number. The first groups hang off the index block,
/// each further one off a super block of its own.
class ExtensibleArrayGeometry {
 public:
  struct Group {
    std::uint64_t blocks = 0;
    std::uint64_t block_elements = 0;
    std::uint64_t first_element = 0;  ///< not counting those of the index block
    std::uint64_t first_block = 0;    ///< among all data blocks
    std::uint64_t pages = 0;          ///< of one data block; 0: its elements follow its prefix
    std::uint64_t elements() const { return blocks * block_elements; }
  };
  struct Location {
    unsigned group = 0;
    std::uint64_t block = 0;    ///< within the group
    std::uint64_t element = 0;  ///< within the data block
  };

  /// Throws Error(corrupt) when the parameters contradict each other.
  explicit ExtensibleArrayGeometry(const ExtensibleArrayParameters& parameters);

  unsigned groups() const { return groups_; }
  /// Groups whose data blocks the index block lists.
  unsigned direct_groups() const { return direct_groups_; }
  std::uint64_t direct_blocks() const { return direct_blocks_; }
  std::uint64_t page_elements() const { return std::uint64_t{1} << parameters_.page_bits; }
  /// Width of a block's offset.
  std::uint8_t offset_bytes() const { return (parameters_.max_elements_bits + 7) / 8; }
  /// Of one that a place can be in.
  Group group(unsigned u) const;
  /// Of element `index`, which does not stand in the index block. Its group is groups() when the array
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
