// SPDX-License-Identifier: Apache-2.0
//
// A node of a version 1 B-tree, of a group or of chunks, as the metadata cache holds it.
#pragma once

#include <memory>
#include <optional>

#include "format/btrees/btree1.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// A decoded node.
class BTree1Entry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::btree1_node;
  BTree1Entry(const format::Widths& widths, format::BTree1Node content)
      : Entry(entry_kind), node(std::move(content)), widths_(widths) {}

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  format::BTree1Node node;

 private:
  format::Widths widths_;
};

/// The node at `at`. `like` has the parameters that a node does not store itself. *Throws* Error(corrupt) for
/// a node of another tree, or of another level than `level`.
std::shared_ptr<const BTree1Entry> get_btree1_node(const FileStore& store, Address at,
                                                   const format::BTree1Node& like,
                                                   std::optional<unsigned> level);

/// Allocates space for a new node, and inserts it into the cache.
std::shared_ptr<const BTree1Entry> make_btree1_node(FileStore& store, format::BTree1Node node);

/// Frees the space of a node, and removes it from the cache.
void free_btree1_node(FileStore& store, const std::shared_ptr<const BTree1Entry>& entry);

/// The number of children that stay in a full node when it is split because its child `index` was. Nodes at
/// either end of their level stay full, since keys are mostly inserted in order.
std::size_t children_kept_in_split(const format::BTree1Node& node, std::size_t index);

}  // namespace filigree::store
