// SPDX-License-Identifier: Apache-2.0
//
// The version 2 B-tree: its header, its nodes, and the widths that follow from the size of a node.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Header ("BTHD"). The root's record count stands here because nodes do not state their own.
struct BTree2Header {
  static constexpr std::string_view structure = "version 2 B-tree header";
  std::uint8_t type = 0;
  std::uint8_t version = 0;  ///< 1: the same, of an early writer of structured chunks
  std::uint32_t node_bytes = 512;
  std::uint16_t record_bytes = 0;
  std::uint16_t depth = 0;  ///< 0 when the root is a leaf
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
  Address root = Address::undefined;
  std::uint16_t root_records = 0;
  std::uint64_t total_records = 0;
};

/// What fits into the nodes of one tree, level by level. Level 0 is the leaves.
class BTree2Geometry {
 public:
  struct Level {
    std::uint32_t max_records = 0;   ///< in one node
    std::uint64_t most_total = 0;    ///< records in and below one full node
    std::uint8_t total_bytes = 0;    ///< width of a stored total of that level; 0 for leaves
    std::uint8_t pointer_bytes = 0;  ///< of one child pointer in a node of this level; 0 for leaves
  };

  /// Throws Error(corrupt) when a node cannot hold one record, or more than the format counts.
  BTree2Geometry(std::uint32_t node_bytes, std::uint16_t record_bytes, std::uint8_t offset_bytes);

  std::uint32_t node_bytes() const { return node_bytes_; }
  std::uint16_t record_bytes() const { return record_bytes_; }
  /// Width of the record count in a child pointer, the same on every level.
  std::uint8_t count_bytes() const { return count_bytes_; }
  /// Levels that a tree can have before its totals pass 2^63 (never more than 63).
  std::size_t levels() const { return levels_.size(); }
  /// Throws Error(corrupt) for a depth that no tree of this shape can have.
  const Level& level(std::size_t depth) const {
    if (depth >= levels_.size()) throw_too_deep(depth);
    return levels_[depth];
  }
  /// Bytes of a node up to and including its checksum.
  std::uint64_t used_bytes(std::size_t depth, std::uint64_t records) const;

 private:
  [[noreturn]] void throw_too_deep(std::size_t depth) const;

  std::uint32_t node_bytes_;
  std::uint16_t record_bytes_;
  std::uint8_t count_bytes_;
  std::vector<Level> levels_;
};

/// How an internal node refers to a node below it.
struct BTree2Child {
  Address at = Address::undefined;
  std::uint32_t records = 0;  ///< in that node alone
  std::uint64_t total = 0;    ///< in that node and all below it
};

/// A leaf ("BTLF") or internal node ("BTIN"). Its checksum follows the last used byte; the rest of the
/// node's space has no meaning.
struct BTree2Node {
  static constexpr std::string_view structure = "version 2 B-tree node";
  // Known from outside: from the header, and from the pointer that led here.
  const BTree2Geometry* geometry = nullptr;
  std::uint8_t type = 0;
  std::uint16_t depth = 0;
  std::uint32_t count = 0;  ///< records

  std::uint8_t version = 0;           ///< as in the header
  Buffer records;                     ///< `count` records, ascending, one after another
  std::vector<BTree2Child> children;  ///< count + 1 when depth > 0
};

}  // namespace filigree::format
