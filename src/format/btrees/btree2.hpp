// SPDX-License-Identifier: Apache-2.0
//
// Version 2 B-trees: header, nodes, and the field widths that follow from the size of a node. See HDF5 File
// Format Specification, section "Version 2 B-trees".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The header ("BTHD"). It holds the record count of the root, because nodes do not hold their own.
struct BTree2Header {
  static constexpr std::string_view structure = "version 2 B-tree header";
  std::uint8_t type = 0;
  std::uint8_t version = 0;  ///< 1 is written by early writers of structured chunks and means the same
  std::uint32_t node_bytes = 512;
  std::uint16_t record_bytes = 0;
  std::uint16_t depth = 0;  ///< 0 if the root is a leaf
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
  Address root = Address::undefined;
  std::uint16_t root_records = 0;
  std::uint64_t total_records = 0;
};

/// The capacities of the nodes of one tree by level. The leaves are level 0.
class BTree2Geometry {
 public:
  struct Level {
    std::uint32_t max_records = 0;   ///< largest number of records in one node
    std::uint64_t most_total = 0;    ///< number of records in and below one full node
    std::uint8_t total_bytes = 0;    ///< width of a stored total of that level; 0 for leaves
    std::uint8_t pointer_bytes = 0;  ///< size of one child pointer in a node of this level; 0 for leaves
  };

  /// *Throws* Error(corrupt) if a node cannot hold one record, or holds more than the format can count.
  BTree2Geometry(std::uint32_t node_bytes, std::uint16_t record_bytes, std::uint8_t offset_bytes);

  std::uint32_t node_bytes() const { return node_bytes_; }
  std::uint16_t record_bytes() const { return record_bytes_; }
  /// The width of the record count in a child pointer, which is the same on every level.
  std::uint8_t count_bytes() const { return count_bytes_; }
  /// The number of levels before the totals exceed 2^63; at most 63.
  std::size_t levels() const { return levels_.size(); }
  /// *Throws* Error(corrupt) for a depth that no tree of this shape can have.
  const Level& level(std::size_t depth) const {
    if (depth >= levels_.size()) throw_too_deep(depth);
    return levels_[depth];
  }
  /// The size of a node up to and including its checksum.
  std::uint64_t used_bytes(std::size_t depth, std::uint64_t records) const;

 private:
  [[noreturn]] void throw_too_deep(std::size_t depth) const;

  std::uint32_t node_bytes_;
  std::uint16_t record_bytes_;
  std::uint8_t count_bytes_;
  std::vector<Level> levels_;
};

/// A child pointer of an internal node.
struct BTree2Child {
  Address at = Address::undefined;
  std::uint32_t records = 0;  ///< number of records in that node
  std::uint64_t total = 0;    ///< number of records in that node and all nodes below it
};

/// A leaf ("BTLF") or internal node ("BTIN"). Its checksum follows the last used byte; the rest of the node
/// is unused.
struct BTree2Node {
  static constexpr std::string_view structure = "version 2 B-tree node";
  // Set by the caller from the header and from the child pointer that leads to the node.
  const BTree2Geometry* geometry = nullptr;
  std::uint8_t type = 0;
  std::uint16_t depth = 0;
  std::uint32_t count = 0;  ///< number of records

  std::uint8_t version = 0;           ///< the same as in the header
  Buffer records;                     ///< `count` contiguous records in ascending order
  std::vector<BTree2Child> children;  ///< count + 1 children if depth > 0
};

}  // namespace filigree::format
