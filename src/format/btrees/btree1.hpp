// SPDX-License-Identifier: Apache-2.0
//
// Nodes of version 1 B-trees, which index old-style groups and, in old layouts, chunks. See HDF5 File Format
// Specification, section "Version 1 B-trees".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/short_list.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

enum class BTree1Type : std::uint8_t { group = 0, chunk = 1 };

/// The key of a chunk tree: the first chunk of a child, or the sentinel at the end of the rightmost node.
struct BTree1ChunkKey {
  std::uint32_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;
  /// Element offsets, one per dimension, then one for the element size. A list without allocations matters:
  /// trees of many small chunks would spend most of their time on memory for these offsets.
  ShortList<std::uint64_t, 4> offsets;
  friend bool operator==(const BTree1ChunkKey&, const BTree1ChunkKey&) = default;
};

/// One node ("TREE"). A node of n children has n + 1 keys of the kind that `type` determines, or none if it
/// is empty. A node always takes allocated_bytes() in the file.
struct BTree1Node {
  static constexpr std::string_view structure = "version 1 B-tree node";
  BTree1Type type = BTree1Type::group;  ///< set by the caller; the stored one must agree
  std::uint16_t k = 16;                 ///< set by the caller: at most 2k children
  std::uint8_t key_offsets = 0;         ///< set by the caller, chunk trees: rank + 1
  std::uint8_t level = 0;               ///< 0: children are symbol table nodes or chunks
  Address left = Address::undefined;
  Address right = Address::undefined;
  std::vector<std::uint64_t> names;    ///< keys of a group tree: offsets in the local heap
  std::vector<BTree1ChunkKey> chunks;  ///< keys of a chunk tree
  std::vector<Address> children;

  std::size_t most_children() const { return 2u * k; }
  std::size_t key_bytes(const Widths& widths) const {
    return type == BTree1Type::group ? widths.length_bytes : 8u + 8u * key_offsets;
  }
  std::size_t allocated_bytes(const Widths& widths) const {
    return 8u + (2u + most_children()) * widths.offset_bytes + (most_children() + 1) * key_bytes(widths);
  }
};

}  // namespace filigree::format
