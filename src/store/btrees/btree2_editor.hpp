// SPDX-License-Identifier: Apache-2.0
//
// Inserting into and removing from a version 2 B-tree. Only the B-tree's own sources include this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "store/btrees/btree2.hpp"
#include "store/btrees/btree2_entry.hpp"

namespace filigree::store {

/// The first record of a node that does not stand before the key, and whether it matches.
struct NodePlace {
  std::uint32_t index = 0;
  bool match = false;
};

inline NodePlace search_node(const BTree2NodeEntry& node, BTree2::Compare compare) {
  std::uint32_t low = 0;
  std::uint32_t high = node.count();
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    const int order = compare(node.record(middle));
    if (order == 0) return {middle, true};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, false};
}

/// One change of a tree. It walks down once and remembers its path; then it makes room, or sees to it
/// that a record can be spared, from the leaf upwards. Every such step reads what it needs before it
/// changes anything, and leaves a valid tree, so a corrupt neighbour or a full file does no harm.
class BTree2Editor {
 public:
  BTree2Editor(FileStore& store, const std::shared_ptr<const BTree2HeaderEntry>& header);

  bool insert(Bytes record, BTree2::Compare compare);
  std::optional<Buffer> remove(BTree2::Compare compare);
  /// The match, in a path that is all marked as changed.
  std::optional<MutableBytes> edit_match(BTree2::Compare compare);

 private:
  using NodePointer = std::shared_ptr<const BTree2NodeEntry>;
  /// A node on the way down, and the child taken or, at the end, the record's place.
  struct Step {
    NodePointer node;
    std::uint32_t index = 0;
  };

  /// Fills path_ from the root to the match or to the leaf where it would stand; whether it matched.
  bool descend(BTree2::Compare compare);
  void edit_path();
  /// Extends path_, which ends at a record of an internal node, to the record before it, in a leaf.
  void descend_to_predecessor();

  void insert_first(Bytes record);
  /// Gives the node at path_[i] room for one more record. i may shift when the root splits.
  void make_room(std::size_t& i);
  bool try_share(std::size_t i);
  void split(std::size_t i);
  void grow_root();

  Buffer take_from_leaf();
  void put_in_place(Bytes record, BTree2::Compare compare);
  /// Sees to it that the node at path_[i] can lose a record.
  void spare(std::size_t i);
  void merge(std::size_t i, bool with_left, const NodePointer& sibling);
  void shrink_root();

  /// Moves records between path_[i] and the neighbour to its left or right so that the left one of the
  /// two has `left_records`; the step follows its place.
  void shift(std::size_t i, bool with_left, const NodePointer& sibling, std::uint32_t left_records);
  /// Moves step i to the node that has place `position` of the two nodes' common sequence.
  void follow(std::size_t i, const NodePointer& left, const NodePointer& right, std::uint32_t position);

  NodePointer load(const format::BTree2Child& child, std::uint16_t depth) const;
  NodePointer add_node(std::uint16_t depth);
  void drop_node(Address at);
  /// Adds `change` (1 or -1) to the counts along path_, whose last node has gained or lost a record.
  void count_change(std::int64_t change);
  /// Tells the parent of path_[i] (the header for the root) how many records that node has now.
  void state_count(std::size_t i);
  BTree2NodeEntry& edit(const NodePointer& node) { return store_.cache().edit(node); }
  format::BTree2Header& edit_header() { return store_.cache().edit(header_).value; }

  FileStore& store_;
  const std::shared_ptr<const BTree2HeaderEntry>& header_;
  std::vector<Step> path_;
};

}  // namespace filigree::store
