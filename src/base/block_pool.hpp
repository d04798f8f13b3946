// SPDX-License-Identifier: Apache-2.0
//
// Memory for many blocks of the same size that are kept for a while.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace filigree {

/// The first touch of a page costs more than what is then written to it, so blocks are cut from regions of
/// one large page each, which cost a fraction of that. A size of which few blocks are in use gets no region.
/// Some memory stays for those that come next; beyond that, regions that are less than half full give pages
/// back: what is taken from the system is little more than twice what is in use. Thread-safe.
class BlockPool {
  struct Region;

 public:
  static constexpr std::size_t region_bytes = std::size_t{2} << 20;
  /// Of blocks that may come from regions; others are memory like any other.
  static constexpr std::size_t least_bytes = std::size_t{32} << 10;
  static constexpr std::size_t most_bytes = region_bytes / 4;

  struct Counters {
    std::size_t regions = 0;  ///< with a block in use
    std::size_t blocks = 0;   ///< in use, in regions
  };

  class Return {
   public:
    Return() = default;
    Return(BlockPool* pool, Region* region, std::size_t bytes)
        : pool_(pool), region_(region), bytes_(bytes) {}
    void operator()(std::byte* block) const;

   private:
    BlockPool* pool_ = nullptr;  ///< null: does not count blocks of this size
    Region* region_ = nullptr;   ///< null: memory like any other
    std::size_t bytes_ = 0;      ///< rounded up
  };
  using Block = std::unique_ptr<std::byte[], Return>;

  /// The one of the process, which is never destroyed.
  static BlockPool& shared();

  /// `spare_bytes` may stay here unused.
  explicit BlockPool(std::size_t spare_bytes = 0);
  /// All blocks have been given back.
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// `bytes` of any content.
  Block allocate(std::size_t bytes);
  Counters counters() const;

 private:
  /// Blocks of one size.
  struct Size {
    std::size_t apart = 0;        ///< in use, from no region
    std::size_t regions = 0;      ///< with a block in use
    std::vector<Region*> open{};  ///< those of them that have room for another block
  };

  // All with mutex_ held.
  Region* open_region(Size& size, std::size_t block_bytes);
  void close_region(Size& size, Region* region);
  void free(const std::byte* block, Region* region, std::size_t bytes);

  mutable std::mutex mutex_;
  std::unordered_map<std::size_t, Size> sizes_;  ///< by bytes of a block, rounded up
  std::vector<std::unique_ptr<Region>> idle_;    ///< for the next size that needs one
  const std::size_t most_spare_bytes_;
  std::size_t spare_bytes_ = 0;  ///< of blocks and idle regions that have their pages
  Counters counters_;
};

}  // namespace filigree
