// SPDX-License-Identifier: Apache-2.0
//
// A node of a version 1 B-tree as the metadata cache holds it; for group and chunk trees.
#pragma once

#include <memory>
#include <optional>

#include "format/btrees/btree1.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

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

/// The node at `at`. `like` gives the outside parameters. Throws Error(corrupt) for a node of another
/// tree, or of another level than `level`.
std::shared_ptr<const BTree1Entry> get_btree1_node(const FileStore& store, Address at,
                                                   const format::BTree1Node& like,
                                                   std::optional<unsigned> level);

/// Makes a node in fresh space.
std::shared_ptr<const BTree1Entry> make_btree1_node(FileStore& store, format::BTree1Node node);

/// Gives back the space of `entry`, which leaves the cache.
void free_btree1_node(FileStore& store, const std::shared_ptr<const BTree1Entry>& entry);

/// How many children stay in a full node that is divided because its child `index` was. Nodes at either
/// end of their level are filled up, as keys mostly arrive in order.
std::size_t children_kept_in_split(const format::BTree1Node& node, std::size_t index);

}  // namespace filigree::store
