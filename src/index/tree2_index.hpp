// SPDX-License-Identifier: Apache-2.0
//
// The version 2 B-tree index, for datasets with several unlimited dimensions.
#pragma once

#include <optional>

#include "format/chunk_index/chunk_record.hpp"
#include "index/chunk_index.hpp"
#include "store/btrees/btree2.hpp"

namespace filigree::index {

/// Stores a chunk record for each chunk in a version 2 B-tree, ordered by coordinates.
class Tree2Index : public ChunkIndex {
 public:
  Tree2Index(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t count() const override { return tree_ ? tree_->size() : 0; }
  std::uint64_t index_bytes() const override { return tree_ ? tree_->file_bytes() : 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  void do_find_many(std::span<const std::uint64_t> coordinates,
                    std::span<ChunkLocation> found) const override;
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;

  /// Opens the tree at the address of the layout message.
  void open();
  /// Decodes a record of the tree.
  format::ChunkRecord decode(Bytes record) const;
  ChunkLocation location(const format::ChunkRecord& record) const;
  /// Compares a record with the coordinates of a chunk in row-major order.
  int compare(Bytes record, ChunkCoordinates at) const;

  format::ChunkRecordLayout record_layout_;
  std::uint16_t scaled_at_ = 0;        ///< offset of the coordinates in a record; set with the tree
  std::optional<store::BTree2> tree_;  ///< empty while the index is not in the file
};

}  // namespace filigree::index
