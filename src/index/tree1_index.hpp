// SPDX-License-Identifier: Apache-2.0
//
// The version 1 B-tree index, of layout versions 1 to 3.
#pragma once

#include <optional>

#include "index/chunk_index.hpp"
#include "index/tree1.hpp"

namespace filigree::index {

/// Maps chunk coordinates to the keys of a ChunkTree1.
class Tree1Index : public ChunkIndex {
 public:
  Tree1Index(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t index_bytes() const override { return tree_ ? tree_->file_bytes() : 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  void do_find_many(std::span<const std::uint64_t> coordinates,
                    std::span<ChunkLocation> found) const override;
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  void do_insert_many(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
                      std::size_t& done) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;

  /// *Throws* Error(unsupported) for an SWMR writer: nodes have no checksum, so readers could not detect a
  /// torn read.
  void refuse_swmr_writer() const;
  /// The parameters of the tree, from the superblock and the layout message.
  ChunkTree1::Shape shape() const { return {facts_.btree1_k, layout().dims}; }
  /// The offsets of the first element of a chunk, limited to the largest 64-bit number.
  std::vector<std::uint64_t> offsets(ChunkCoordinates at) const;
  std::uint64_t offset(ChunkCoordinates at, std::size_t d) const;
  /// The key of a chunk. *Throws* Error(limit) for a size of 2^32 bytes or more.
  format::BTree1ChunkKey key(ChunkCoordinates at, const ChunkLocation& location) const;

  std::optional<ChunkTree1> tree_;  ///< empty while the index is not in the file
};

}  // namespace filigree::index
