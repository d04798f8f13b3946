// SPDX-License-Identifier: Apache-2.0
//
// File space without pages: free lists and aggregator blocks. Small allocations come out of such a block, so
// that structures that are created together are adjacent. The rules are those of HDF5
// (H5Pset_meta_block_size(), H5Pset_small_data_block_size()).
#pragma once

#include <array>
#include <cstdint>

#include "store/space/space_plan.hpp"

namespace filigree::store {

/// The strategies fsm_aggregated, aggregated and none.
class AggregatedSpace : public SpacePlan {
 public:
  struct Options {
    bool reuses = true;                                              ///< freed space is allocated again
    std::array<std::uint64_t, space_pools> block_bytes{2048, 2048};  ///< 0: no block for that pool
    std::uint64_t alignment = 1;
    std::uint64_t alignment_threshold = 1;
    std::uint64_t base = 0;
  };
  AggregatedSpace(const Options& options, FileEnd& end);

  std::uint64_t allocate(SpacePool pool, std::uint64_t bytes) override;
  std::uint64_t allocate_low(SpacePool pool, std::uint64_t bytes) override;
  void release(SpacePool pool, SpaceRange range) override;
  bool try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) override;
  void finish() override;
  void adopt(std::size_t slot, SpaceRange range) override;
  FreeSpaceSnapshot snapshot(std::uint64_t least_bytes) const override;
  bool touches_free(SpaceRange range) const override;
  std::uint64_t free_bytes() const override;
  std::uint64_t lost_bytes() const override { return lost_bytes_; }

 private:
  /// An aggregator block: the part that is still free, and how many bytes were allocated from it.
  struct Block {
    SpaceRange rest;
    std::uint64_t used = 0;
  };

  Block& block(SpacePool pool) { return blocks_[static_cast<std::size_t>(pool)]; }
  FreeList& list(SpacePool pool) { return lists_[static_cast<std::size_t>(pool)]; }
  std::uint64_t block_bytes(SpacePool pool) const {
    return options_.block_bytes[static_cast<std::size_t>(pool)];
  }
  /// The alignment of an allocation: none below the threshold.
  Alignment alignment_for(std::uint64_t bytes) const;
  // The sources of an allocation, in the order in which allocate() tries them after the free list.
  std::uint64_t from_block(SpacePool pool, std::uint64_t bytes, const Alignment& alignment);
  std::uint64_t from_driver(std::uint64_t bytes, const Alignment& alignment);
  std::uint64_t from_end(SpacePool pool, std::uint64_t bytes, const Alignment& alignment);
  std::uint64_t cut(SpacePool pool, std::uint64_t skip, std::uint64_t bytes);
  std::uint64_t growth(SpacePool pool, std::uint64_t needed, std::uint64_t wanted) const;
  bool extend_from_block(SpacePool pool, std::uint64_t extra);
  bool absorb(SpacePool pool, SpaceRange range);
  /// Frees the rest of the block of a pool.
  void give_up(SpacePool pool);
  void yield_end(SpacePool pool);
  /// Drops free ranges at the end of the file.
  void shrink();

  Options options_;
  FileEnd& end_;
  std::array<FreeList, space_pools> lists_;
  std::array<Block, space_pools> blocks_;
  std::uint64_t lost_bytes_ = 0;
};

}  // namespace filigree::store
