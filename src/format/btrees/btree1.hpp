// SPDX-License-Identifier: Apache-2.0
//
// Nodes of the version 1 B-tree, which indexes old-style groups and, in old layouts, chunks.
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

/// The first chunk of a child, or the sentinel that ends the rightmost node.
struct ChunkKey {
  std::uint32_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;
  /// In elements, one per dimension, then one for the element size. Trees of many small chunks spend more
  /// time on memory for these than on anything else unless few of them need none.
  ShortList<std::uint64_t, 4> offsets;
  friend bool operator==(const ChunkKey&, const ChunkKey&) = default;
};

/// One node ("TREE"). A node of n children has n + 1 keys of the kind that `type` asks for, or none
/// when it is empty. The file holds nodes at allocated_bytes(), however few children they have.
struct BTree1Node {
  static constexpr std::string_view structure = "version 1 B-tree node";
  BTree1Type type = BTree1Type::group;  ///< outside parameter; the stored one must agree
  std::uint16_t k = 16;                 ///< outside parameter: at most 2k children
  std::uint8_t key_offsets = 0;         ///< outside parameter, chunk trees: rank + 1
  std::uint8_t level = 0;               ///< 0: children are symbol table nodes or chunks
  Address left = Address::undefined;
  Address right = Address::undefined;
  std::vector<std::uint64_t> names;  ///< keys of a group tree: offsets in the local heap
  std::vector<ChunkKey> chunks;      ///< keys of a chunk tree
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
