// SPDX-License-Identifier: Apache-2.0
//
// The chunks of one dataset: its grid, its index, its chunk format, its part of the chunk cache. Operations
// are classes of their own, which work on a table: see transfer/, sparse/ and raw/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/cache/chunk_cache.hpp"
#include "chunk/cache/prefetcher.hpp"
#include "chunk/format/chunk_format.hpp"
#include "chunk/table/chunk_geometry.hpp"
#include "chunk/table/pending_chunks.hpp"
#include "index/chunk_index.hpp"

namespace filigree::store {
class FileStore;
}

namespace filigree::chunk {

/// Properties of the dataset that stay the same while it is open.
struct ChunkTableTraits {
  std::size_t element_bytes = 0;
  /// Elements of chunks that are not stored are read as those of a blank chunk; otherwise the memory that
  /// they are read into is unchanged.
  bool reads_blank = true;
  /// The first write allocates all chunks of the extent.
  bool allocates_late = false;

  // Derived from index and format.
  std::uint64_t chunk_bytes = 0;  ///< before any filter
  FormatTraits format{};
};

/// How the table tells its owner about changes.
struct ChunkTableCallbacks {
  /// Called when the layout message has changed and must be rewritten.
  std::function<void(const format::LayoutMessage&)> layout_changed{};
  /// If set, called with elements that a smaller extent removes: before, and after, which is empty where the
  /// chunk was removed. Does not throw for damaged elements.
  std::function<void(Bytes, Bytes)> elements_removed{};
  /// If set, called before a chunk is stored: gives every element its own values in the global heap.
  std::function<void(MutableBytes)> separate_values{};
};

struct ChunkTableSetup {
  std::unique_ptr<index::ChunkIndex> index;
  std::shared_ptr<const ChunkFormat> format;
  std::vector<std::uint64_t> extent;
  ChunkTableTraits traits{};
  ChunkTableCallbacks callbacks{};
};

/// Chunks that were looked up in the cache, then in the index.
struct ChunkLookup {
  std::vector<DecodedChunkPointer> cached;      ///< for each chunk; null where it is not cached
  std::vector<std::size_t> missing;             ///< which of the chunks are not cached
  std::vector<index::ChunkLocation> locations;  ///< for each missing chunk; no address: not stored
};

/// Written chunks may stay in the cache until flush(). After a failure nothing is lost: chunks that could
/// not be written are still dirty.
///
/// *Thread safety*: any number of threads may call const functions while they hold the file's lock in shared
/// mode; all others need the exclusive lock.
class ChunkTable {
 public:
  ChunkTable(store::FileStore& store, ChunkTableSetup setup, ChunkCache& cache = ChunkCache::shared());
  /// Does not flush.
  ~ChunkTable();
  ChunkTable(const ChunkTable&) = delete;
  ChunkTable& operator=(const ChunkTable&) = delete;

  store::FileStore& store() const { return store_; }
  const index::ChunkIndex& index() const { return *index_; }
  index::ChunkIndex& index() { return *index_; }
  const ChunkFormat& format() const { return *format_; }
  const std::shared_ptr<const ChunkFormat>& shared_format() const { return format_; }
  const ChunkGeometry& geometry() const { return geometry_; }
  const space::ChunkGrid& grid() const { return geometry_.grid(); }
  const ChunkTableTraits& traits() const { return traits_; }
  const ChunkTableCallbacks& callbacks() const { return callbacks_; }
  ChunkCache& cache() const { return cache_; }
  Prefetcher& prefetcher() const { return prefetcher_; }
  /// *Invalidates*: set_extent() changes owner and keys.
  std::uint64_t cache_owner() const { return owner_; }
  ChunkKey key(std::uint64_t chunk) const { return {owner_, chunk}; }

  /// The decoded chunk that all chunks have in common that are not stored.
  DecodedChunkPointer blank() const;
  /// How many chunks an operation may hold in memory together. All members of a communicator have the same
  /// answer.
  std::size_t chunks_per_group() const;

  /// Where chunks are stored. Looks up many chunks on several cores.
  std::vector<index::ChunkLocation> locate(std::span<const std::uint64_t> chunks) const;
  /// Counts hits and misses of the cache.
  ChunkLookup lookup(std::span<const std::uint64_t> chunks) const;

  /// Allocates the chunks that have no address yet, writes their bytes (by `write`, if given), and enters
  /// them into the index. Frees the space of the chunks that they replace; on failure, that of those that
  /// are not in the index.
  void commit(std::span<PendingWrite> writes);
  void commit(std::span<PendingWrite> writes, FunctionRef<void()> write);
  /// Whether a stored chunk may be overwritten by another one of its size: a concurrent SWMR reader may see
  /// a mixture of both, which makes sense only where chunks are unfiltered.
  bool is_overwritable(ChunkEdge edge) const;
  /// Removes a chunk from cache, index and file.
  void remove(std::span<const std::uint64_t> coordinates);

  /// Whether several processes use the file together. Their caches differ, so that nothing that all of them
  /// must do alike may depend on a cache.
  bool has_members() const { return has_members_; }
  /// Whether dirty chunks take so much memory that they should be written now. All members of a communicator
  /// have the same answer.
  bool should_flush() const;
  bool has_dirty() const { return cache_.has_dirty(owner_); }
  bool is_dirty(std::span<const std::uint64_t> coordinates) const;
  /// Writes all dirty chunks.
  void flush();
  /// Writes one chunk if it is dirty.
  void flush_chunk(std::span<const std::uint64_t> coordinates);

  /// Drops all cached chunks, dirty ones too. Required before the index changes its extent, because chunk
  /// numbers depend on it.
  void drop_cached();
  void set_extent(std::span<const std::uint64_t> extent);
  /// Calls ChunkTableCallbacks::layout_changed if the index has changed the layout message.
  void publish_layout();
  /// Calls ChunkTableCallbacks::separate_values for the elements of a chunk.
  void separate_values(const DecodedChunkPointer& decoded);

 private:
  void allocate(std::span<const std::uint64_t> coordinates, std::span<PendingWrite> writes);
  void insert(std::span<const std::uint64_t> coordinates, std::span<const PendingWrite> writes,
              std::size_t& inserted);
  void flush_chunks(std::span<const std::uint64_t> chunks);

  store::FileStore& store_;
  std::unique_ptr<index::ChunkIndex> index_;
  std::shared_ptr<const ChunkFormat> format_;
  ChunkGeometry geometry_;
  ChunkTableTraits traits_;
  ChunkTableCallbacks callbacks_;
  std::uint64_t published_revision_;
  ChunkCache& cache_;
  std::uint64_t owner_;
  const bool has_members_;
  mutable Prefetcher prefetcher_;
  mutable std::once_flag blank_made_;
  mutable DecodedChunkPointer blank_;
};

}  // namespace filigree::chunk
