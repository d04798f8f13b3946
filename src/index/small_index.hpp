// SPDX-License-Identifier: Apache-2.0
//
// The two indexes without a structure in the file: the single chunk index and the implicit index.
#pragma once

#include "index/chunk_index.hpp"

namespace filigree::index {

/// The index of a dataset with a single chunk: the layout message has its location.
class SingleIndex : public ChunkIndex {
 public:
  SingleIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t index_bytes() const override { return 0; }
  void allocate() override {}

 private:
  /// The location that the layout message has.
  ChunkLocation location() const;
  /// For a structured chunk. *Throws* Error(limit).
  void require_size_fits(std::uint64_t stored_bytes) const;
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;
};

/// The implicit index: all chunks of the maximum extent are contiguous. They stay allocated as long as the
/// index exists, also when a chunk is removed or the extent shrinks, as in HDF5.
class ImplicitIndex : public ChunkIndex {
 public:
  ImplicitIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  bool preallocates_chunks() const override { return true; }
  /// The number of chunks of the current extent.
  std::uint64_t count() const override;
  std::uint64_t index_bytes() const override { return 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;

  std::uint64_t all_bytes_ = 0;  ///< of all chunks of the maximum extent
};

}  // namespace filigree::index
