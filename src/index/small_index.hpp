// SPDX-License-Identifier: Apache-2.0
//
// The two indexes that have no structure in the file: one chunk, and chunks that stand in order.
#pragma once

#include "index/chunk_index.hpp"

namespace filigree::index {

/// The only chunk; the layout message says where it is.
class SingleIndex : public ChunkIndex {
 public:
  SingleIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t index_bytes() const override { return 0; }
  void allocate() override {}

 private:
  ChunkLocation location() const;
  /// Of a structured chunk. Throws Error(limit).
  void require_size_fits(std::uint64_t stored_bytes) const;
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  bool do_for_each(Visitor see, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;
};

/// All chunks of the greatest extent, one after another. They are there as long as the index is: removing
/// one and shrinking the extent leave it in its place, as with stock.
class ImplicitIndex : public ChunkIndex {
 public:
  ImplicitIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  bool preallocates_chunks() const override { return true; }
  /// Those of the current extent.
  std::uint64_t count() const override;
  std::uint64_t index_bytes() const override { return 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  bool do_for_each(Visitor see, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;

  std::uint64_t all_bytes_ = 0;
};

}  // namespace filigree::index
