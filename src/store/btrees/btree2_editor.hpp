// SPDX-License-Identifier: Apache-2.0
//
// Insertion and removal of records of a version 2 B-tree. Only the sources of the B-tree include this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "store/btrees/btree2.hpp"
#include "store/btrees/btree2_entry.hpp"

namespace filigree::store {

/// The first record of a node that is not before the key, and whether it matches.
struct NodePosition {
  std::uint32_t index = 0;
  bool match = false;
};

/// Binary search in the records of one node.
inline NodePosition search_node(const BTree2NodeEntry& node, BTree2::Compare compare) {
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

/// One change of a tree. It walks down once and remembers its path. Then it splits or merges nodes, from the
/// leaf upwards, until the record can be inserted or removed. Each of these steps reads what it needs before
/// it changes anything, and leaves a valid tree. So an error, such as a corrupt sibling or a full file, does
/// no harm.
class BTree2Editor {
 public:
  BTree2Editor(FileStore& store, const std::shared_ptr<const BTree2HeaderEntry>& header);

  /// As the functions of BTree2 with these names.
  bool insert(Bytes record, BTree2::Compare compare);
  std::optional<Buffer> remove(BTree2::Compare compare);
  /// The matching record; all nodes of its path are marked as changed.
  std::optional<MutableBytes> edit_match(BTree2::Compare compare);

 private:
  using NodePointer = std::shared_ptr<const BTree2NodeEntry>;
  /// A node of the path, with the index of the next child, or of the record in the last node.
  struct Step {
    NodePointer node;
    std::uint32_t index = 0;
  };

  /// Fills path_ from the root to the match, or to the leaf where it would be inserted. Returns whether it
  /// matched.
  bool descend(BTree2::Compare compare);
  /// For an SWMR writer: marks the header and all nodes of path_ as changed, because a changed node moves.
  void edit_path();
  /// Extends path_, which ends at a record of an internal node, to the preceding record, which is in a leaf.
  void descend_to_predecessor();

  /// Inserts the first record of an empty tree.
  void insert_first(Bytes record);
  /// Makes the node at path_[i] hold one more record. Increments `i` when the root splits.
  void ensure_capacity(std::size_t& i);
  /// Moves records of a full node to a sibling. Returns false when both siblings are too full.
  bool try_share(std::size_t i);
  /// Splits the node at path_[i] in two.
  void split(std::size_t i);
  /// Adds a level: a new root with the old one as its only child.
  void grow_root();

  /// path_[i] and a sibling, in order, with the record of their parent that separates them.
  struct Siblings {
    NodePointer left, right;
    std::uint32_t separator = 0;  ///< index in the parent
    std::uint32_t position = 0;   ///< of path_[i] in the records of left, separator and right
  };
  Siblings siblings(std::size_t i, bool with_left, const NodePointer& sibling) const;

  Buffer remove_from_leaf();
  /// Replaces the matching record of an internal node by `record`.
  void replace_match(Bytes record, BTree2::Compare compare);
  /// Makes sure that the node at path_[i] can lose a record.
  void ensure_spare_record(std::size_t i);
  /// Merges path_[i] with a sibling; their parent loses a record.
  void merge(std::size_t i, bool with_left, const NodePointer& sibling);
  /// Removes roots without records, or all nodes of an empty tree.
  void shrink_root();

  /// Moves records between path_[i] and its left or right sibling, so that the left one of the two has
  /// `left_records`. path_[i] then refers to the node that has the record.
  void shift(std::size_t i, bool with_left, const NodePointer& sibling, std::uint32_t left_records);
  /// Sets path_[i] to the node that has record `position` of the two nodes' common sequence.
  void set_step(std::size_t i, const NodePointer& left, const NodePointer& right, std::uint32_t position);

  NodePointer load(const format::BTree2Child& child, std::uint16_t depth) const;
  /// A new node, or the removal of one, with its space.
  NodePointer add_node(std::uint16_t depth);
  void drop_node(Address at);
  /// Adds `change`, 1 or -1, to the record counts along path_, whose last node has gained or lost a record.
  void count_change(std::int64_t change);
  /// Stores the record count of path_[i] in its parent, which is the header for the root.
  void update_count(std::size_t i);
  BTree2NodeEntry& edit(const NodePointer& node) { return store_.cache().edit(node); }
  format::BTree2Header& edit_header() { return store_.cache().edit(header_).value; }

  FileStore& store_;
  const std::shared_ptr<const BTree2HeaderEntry>& header_;
  std::vector<Step> path_;
};

}  // namespace filigree::store
