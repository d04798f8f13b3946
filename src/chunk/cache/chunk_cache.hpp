// SPDX-License-Identifier: Apache-2.0
//
// The chunk cache: decoded chunks of all datasets of all files of the process, within one byte budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "chunk/format/chunk_format.hpp"

namespace filigree::chunk {

using DecodedChunkPointer = std::shared_ptr<const DecodedChunk>;

/// A chunk of a dataset. Owners come from ChunkCache::new_owner().
struct ChunkKey {
  std::uint64_t owner = 0;
  std::uint64_t chunk = 0;
  friend bool operator==(const ChunkKey&, const ChunkKey&) = default;
};

struct ChunkCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t bypasses = 0;    ///< chunks that were transferred without the cache
  std::uint64_t prefetched = 0;  ///< chunks that were decoded before they were read
  std::uint64_t bytes = 0;       ///< held now
  std::uint64_t dirty_bytes = 0;
  std::uint64_t most_bytes = 0;  ///< the maximum so far
};

/// The limits of a cache.
struct ChunkCacheLimits {
  std::size_t bytes = 0;
  std::size_t chunks = ~std::size_t{0};
  /// HDF5's w0 (H5Pset_chunk_cache): the fraction of all chunks, from the oldest on, among which those that
  /// were read completely are evicted first.
  double preemption = 1;
  friend bool operator==(const ChunkCacheLimits&, const ChunkCacheLimits&) = default;
};

/// A 2Q cache: chunks that were used once are evicted before those that were used more often, so that a long
/// scan does not evict the working set. Dirty chunks stay until their owner, which alone can write them,
/// calls make_clean(); owners ask should_flush() after every write.
///
/// *Thread safety*: all functions.
class ChunkCache {
 public:
  /// The budget may grow up to `most_bytes` for large chunks, until set_budget() is called.
  explicit ChunkCache(std::size_t budget_bytes, std::size_t most_bytes = 0)
      : budget_bytes_(budget_bytes), most_bytes_(most_bytes) {}
  explicit ChunkCache(const ChunkCacheLimits& limits)
      : budget_bytes_(limits.bytes), most_chunks_(limits.chunks), preemption_(limits.preemption) {}

  /// The cache of the process. Its budget is FILIGREE_CHUNK_CACHE_BYTES if set; otherwise a sixteenth of the
  /// memory, at least 64 MiB, and enough for a few chunks of any dataset if half of the memory allows it.
  /// Throws: Error(invalid_argument) if the variable is not a number.
  static ChunkCache& shared();

  std::uint64_t new_owner();
  std::size_t budget_bytes() const;
  void set_budget(std::size_t bytes);
  /// Grows the budget so that a few chunks of so many bytes fit.
  void expect_chunks_of(std::size_t bytes);

  /// Null if the chunk is not cached.
  DecodedChunkPointer find(const ChunkKey& key);
  /// Many chunks of one owner; null for each that is not cached.
  std::vector<DecodedChunkPointer> find(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  /// As above, for chunks that need not exist: counts hits only. The caller counts misses by count_misses().
  std::vector<DecodedChunkPointer> find_held(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  void count_misses(std::uint64_t chunks);
  /// Adds a clean chunk. `once`: it is not expected to be used again.
  void put(const ChunkKey& key, DecodedChunkPointer decoded, bool once = false);
  /// Adds a chunk that differs from the file.
  void put_dirty(const ChunkKey& key, DecodedChunkPointer decoded);
  /// Marks a chunk as written.
  void make_clean(const ChunkKey& key);
  void forget(const ChunkKey& key);
  void forget(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  void forget_owner(std::uint64_t owner);
  /// The dirty chunks of an owner, in ascending order.
  std::vector<std::uint64_t> dirty_chunks(std::uint64_t owner) const;
  std::size_t dirty_bytes() const;
  bool has_dirty(std::uint64_t owner) const;
  /// How many chunks of an owner are dirty.
  std::size_t dirty_count(std::uint64_t owner) const;
  bool dirty(const ChunkKey& key) const;
  /// Whether dirty chunks take so much of the budget that their owners should write them.
  bool should_flush() const;
  /// Whether chunks that are read completely would be evicted first, so that they need not be cached.
  bool bypasses_whole_reads() const { return preemption_ >= 1; }

  void count_bypass(std::uint64_t chunks);
  /// As put(), for a chunk that was not read yet. Does not replace a cached chunk.
  void put_prefetched(const ChunkKey& key, DecodedChunkPointer decoded);
  /// Counts nothing, and does not make the chunk younger.
  bool contains(const ChunkKey& key) const;
  /// Whether so many chunks of so many bytes in total fit into half of the budget.
  bool fits(std::uint64_t chunks, std::uint64_t bytes) const;
  /// Whether a chunk of so many bytes stays in the cache after it was used.
  bool can_hold(std::uint64_t bytes) const;
  ChunkCacheCounters counters() const;

 private:
  /// Chunks in `fresh` were used once, those in `proven` more often. Dirty chunks are in neither list.
  enum class Queue : std::uint8_t { fresh, proven, dirty };
  struct Slot {
    DecodedChunkPointer decoded;
    std::size_t bytes = 0;
    Queue queue = Queue::fresh;
    bool once = false;  ///< may be evicted before older ones
    std::list<ChunkKey>::iterator at;
  };
  struct Hash {
    std::size_t operator()(const ChunkKey& key) const {
      return static_cast<std::size_t>(
          (key.owner * 0x9E37'79B9'7F4A'7C15u ^ key.chunk) * 0xD6E8'FEB8'6659'FD93u >> 7);
    }
  };
  using Slots = std::unordered_map<ChunkKey, Slot, Hash>;

  std::list<ChunkKey>& list_of(Queue queue) FILIGREE_REQUIRES(mutex_) {
    return queue == Queue::proven ? proven_ : fresh_;
  }
  void unlink(Slot& slot) FILIGREE_REQUIRES(mutex_);
  void link(const ChunkKey& key, Slot& slot, Queue queue, bool front) FILIGREE_REQUIRES(mutex_);
  DecodedChunkPointer use(const ChunkKey& key) FILIGREE_REQUIRES(mutex_);
  const DecodedChunkPointer& use(const ChunkKey& key, Slot& slot) FILIGREE_REQUIRES(mutex_);
  Slot& add(const ChunkKey& key, DecodedChunkPointer decoded) FILIGREE_REQUIRES(mutex_);
  void erase(Slots::iterator it) FILIGREE_REQUIRES(mutex_);
  void evict() FILIGREE_REQUIRES(mutex_);
  /// The next chunk to evict. *Requires*: there is a clean one.
  ChunkKey victim() FILIGREE_REQUIRES(mutex_);
  void count_dirty(std::uint64_t owner, const Slot& slot, bool more) FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::size_t budget_bytes_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t most_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< the budget may grow up to this
  const std::size_t most_chunks_ = ~std::size_t{0};
  const double preemption_ = 1;
  Slots slots_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, std::size_t> held_
      FILIGREE_GUARDED_BY(mutex_);  ///< cached chunks of each owner
  std::size_t dirty_chunks_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, std::size_t> dirty_of_
      FILIGREE_GUARDED_BY(mutex_);                         ///< dirty chunks of each owner
  std::list<ChunkKey> fresh_ FILIGREE_GUARDED_BY(mutex_);  ///< most recent first
  std::list<ChunkKey> proven_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t proven_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t last_owner_ FILIGREE_GUARDED_BY(mutex_) = 0;
  ChunkCacheCounters counters_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::chunk
