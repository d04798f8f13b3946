// SPDX-License-Identifier: Apache-2.0
//
// A memory pool for many equally large blocks that live for a while, such as decoded chunks.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"

namespace filigree {

/// Allocates blocks from regions of one huge page each.
///
/// The page faults of fresh memory cost more than filling it, and a huge page costs a fraction of the many
/// small ones. Sizes with few blocks in use are allocated with malloc instead, so that they do not occupy a
/// region.
///
/// The pool keeps a limited amount of free memory for later blocks. Beyond that limit, regions that are less
/// than half full return their free pages to the system. Memory taken from the system is therefore at most
/// little more than twice the memory in use.
///
/// *Thread safety*: all members may be called from any thread, and blocks may be freed on any thread.
class BlockPool {
  struct Region;

 public:
  static constexpr std::size_t region_bytes = std::size_t{2} << 20;
  /// Bounds of the sizes that regions serve; other sizes always come from malloc.
  static constexpr std::size_t least_bytes = std::size_t{32} << 10;
  static constexpr std::size_t most_bytes = region_bytes / 4;

  struct Counters {
    std::size_t regions = 0;  ///< regions with at least one block in use
    std::size_t blocks = 0;   ///< blocks in use that belong to a region
  };

  /// The deleter of a Block.
  class Return {
   public:
    Return() = default;
    Return(BlockPool* pool, Region* region, std::size_t bytes)
        : pool_(pool), region_(region), bytes_(bytes) {}
    void operator()(std::byte* block) const;

   private:
    BlockPool* pool_ = nullptr;  ///< null if the pool does not count blocks of this size
    Region* region_ = nullptr;   ///< null if the block came from malloc
    std::size_t bytes_ = 0;      ///< size of the block, rounded up to whole pages
  };
  using Block = std::unique_ptr<std::byte[], Return>;

  /// The pool of the process, which is never destroyed.
  static BlockPool& shared();

  /// The pool keeps up to `spare_bytes` of free memory.
  explicit BlockPool(std::size_t spare_bytes = 0);
  /// *Requires* that all blocks have been freed.
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// Returns `bytes` of uninitialised memory. *Throws* std::bad_alloc.
  Block allocate(std::size_t bytes);
  Counters counters() const;

 private:
  /// The blocks of one size.
  struct Size {
    std::size_t malloced = 0;     ///< blocks in use that came from malloc
    std::size_t regions = 0;      ///< regions with a block in use
    std::vector<Region*> open{};  ///< the regions that have a free block
  };

  /// Returns a region with a free block, or null if the system has no memory.
  Region* open_region(Size& size, std::size_t block_bytes) FILIGREE_REQUIRES(mutex_);
  /// Keeps an empty region for reuse or returns it to the system.
  void close_region(Size& size, Region* region) FILIGREE_REQUIRES(mutex_);
  void free(const std::byte* block, Region* region, std::size_t bytes) FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  /// Keyed by the size of a block, rounded up.
  std::unordered_map<std::size_t, Size> sizes_ FILIGREE_GUARDED_BY(mutex_);
  /// Empty regions, ready for the next size that needs one.
  std::vector<std::unique_ptr<Region>> idle_ FILIGREE_GUARDED_BY(mutex_);
  const std::size_t most_spare_bytes_;
  /// Free blocks and idle regions that still have their pages.
  std::size_t spare_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;
  Counters counters_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree
