// SPDX-License-Identifier: Apache-2.0
//
// Decoded chunks of all datasets of all files of the process, within one byte budget.
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

using ImagePointer = std::shared_ptr<const ChunkImage>;

/// Which chunk of whom. Owners come from ChunkCache::new_owner().
struct ChunkKey {
  std::uint64_t owner = 0;
  std::uint64_t chunk = 0;
  friend bool operator==(const ChunkKey&, const ChunkKey&) = default;
};

struct ChunkCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t bypasses = 0;  ///< chunks that were transferred past the cache
  std::uint64_t ahead = 0;     ///< chunks that were brought before anybody asked for them
  std::uint64_t bytes = 0;     ///< held now
  std::uint64_t dirty_bytes = 0;
  std::uint64_t most_bytes = 0;  ///< that were held at any time
};

/// What a cache may hold.
struct ChunkCacheLimits {
  std::size_t bytes = 0;
  std::size_t chunks = ~std::size_t{0};
  /// Stock's w0: how far from the oldest image on, as a part of all, images that were read whole go before
  /// older ones.
  double preemption = 1;
  friend bool operator==(const ChunkCacheLimits&, const ChunkCacheLimits&) = default;
};

/// Thread-safe. Clean images leave when the budget asks for it, those first that were used once: a long scan
/// so cannot drive out what is used again and again. Dirty ones stay until their owner, which alone can write
/// them, has made them clean; owners look at dirty_bytes() after every write.
class ChunkCache {
 public:
  /// The budget may grow up to `most_bytes` for large chunks, until somebody sets it.
  explicit ChunkCache(std::size_t budget_bytes, std::size_t most_bytes = 0)
      : budget_bytes_(budget_bytes), most_bytes_(most_bytes) {}
  explicit ChunkCache(const ChunkCacheLimits& limits)
      : budget_bytes_(limits.bytes), most_chunks_(limits.chunks), preemption_(limits.preemption) {}

  /// The one of the process: a sixteenth of the memory, but no less than 64 MiB, nor than a few chunks of any
  /// dataset where half of the memory has room for them; FILIGREE_CHUNK_CACHE_BYTES if set.
  static ChunkCache& shared();

  std::uint64_t new_owner();
  std::size_t budget_bytes() const;
  void set_budget(std::size_t bytes);
  /// A few chunks of so many bytes are to fit.
  void expect_chunks_of(std::size_t bytes);

  /// Null when it is not here.
  ImagePointer find(const ChunkKey& key);
  /// Many chunks of one owner: null where one is not here.
  std::vector<ImagePointer> find(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  /// As above, of chunks that need not exist: only hits count, until the caller knows better.
  std::vector<ImagePointer> find_held(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  void count_misses(std::uint64_t chunks);
  /// Takes a clean image. `once`: it is not expected to be used again.
  void put(const ChunkKey& key, ImagePointer image, bool once = false);
  /// Takes an image that differs from the file.
  void put_dirty(const ChunkKey& key, ImagePointer image);
  /// The image is in the file now.
  void make_clean(const ChunkKey& key);
  void forget(const ChunkKey& key);
  void forget(std::uint64_t owner, std::span<const std::uint64_t> chunks);
  void forget_owner(std::uint64_t owner);
  /// Chunks of the owner that are dirty, in ascending order.
  std::vector<std::uint64_t> dirty_chunks(std::uint64_t owner) const;
  std::size_t dirty_bytes() const;
  bool has_dirty(std::uint64_t owner) const;
  bool dirty(const ChunkKey& key) const;
  /// Dirty images take so much room that their owners should write them.
  bool wants_writing() const;
  /// Chunks that are read whole would be the first to go.
  bool leaves_out_whole_chunks() const { return preemption_ >= 1; }

  void count_bypass(std::uint64_t chunks);
  /// As put(), for one that nobody has asked for. It does not replace another image.
  void put_ahead(const ChunkKey& key, ImagePointer image);
  /// Without a count, and without making it younger.
  bool contains(const ChunkKey& key) const;
  /// Whether so many chunks of so many bytes in all take no more than half of what may be held.
  bool has_room_for(std::uint64_t chunks, std::uint64_t bytes) const;
  ChunkCacheCounters counters() const;

 private:
  /// Where an image is: `fresh` was used once, `proven` more often, dirty ones are in neither list.
  enum class Place : std::uint8_t { fresh, proven, dirty };
  struct Slot {
    ImagePointer image;
    std::size_t bytes = 0;
    Place place = Place::fresh;
    bool once = false;  ///< may go before older ones
    std::list<ChunkKey>::iterator at;
  };
  struct Hash {
    std::size_t operator()(const ChunkKey& key) const {
      return static_cast<std::size_t>(
          (key.owner * 0x9E37'79B9'7F4A'7C15u ^ key.chunk) * 0xD6E8'FEB8'6659'FD93u >> 7);
    }
  };
  using Slots = std::unordered_map<ChunkKey, Slot, Hash>;

  // All with mutex_ held.
  std::list<ChunkKey>& list_of(Place place) FILIGREE_REQUIRES(mutex_) {
    return place == Place::proven ? proven_ : fresh_;
  }
  void take_out(Slot& slot) FILIGREE_REQUIRES(mutex_);
  void put_in(const ChunkKey& key, Slot& slot, Place place, bool front) FILIGREE_REQUIRES(mutex_);
  ImagePointer use(const ChunkKey& key) FILIGREE_REQUIRES(mutex_);
  const ImagePointer& use(const ChunkKey& key, Slot& slot) FILIGREE_REQUIRES(mutex_);
  Slot& add(const ChunkKey& key, ImagePointer image) FILIGREE_REQUIRES(mutex_);
  void erase(Slots::iterator it) FILIGREE_REQUIRES(mutex_);
  void make_room() FILIGREE_REQUIRES(mutex_);
  /// The next image that goes; there is a clean one.
  ChunkKey victim() FILIGREE_REQUIRES(mutex_);
  void count_dirty(std::uint64_t owner, const Slot& slot, bool more) FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::size_t budget_bytes_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t most_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< that the budget may grow to
  const std::size_t most_chunks_ = ~std::size_t{0};
  const double preemption_ = 1;
  Slots slots_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, std::size_t> held_
      FILIGREE_GUARDED_BY(mutex_);  ///< chunks of every owner that has any here
  std::size_t dirty_images_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, std::size_t> dirty_of_ FILIGREE_GUARDED_BY(mutex_);  ///< images by owner
  std::list<ChunkKey> fresh_ FILIGREE_GUARDED_BY(mutex_);  ///< most recent first
  std::list<ChunkKey> proven_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t proven_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t last_owner_ FILIGREE_GUARDED_BY(mutex_) = 0;
  ChunkCacheCounters counters_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::chunk
