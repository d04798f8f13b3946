// SPDX-License-Identifier: Apache-2.0
//
// The chunks of one dataset: found by its index, held by the shared cache, understood by their format.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "chunk/chunk_cache.hpp"
#include "chunk/chunk_format.hpp"
#include "index/chunk_index.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree::store {
class FileStore;
}

namespace filigree::chunk {

struct ChunkStoreSetup {
  std::unique_ptr<index::ChunkIndex> index;
  std::unique_ptr<const ChunkFormat> format;
  std::vector<std::uint64_t> extent;
  std::size_t element_bytes = 0;
  /// Elements of unwritten chunks are read as the format's blank image has them; otherwise memory stays as it
  /// was.
  bool reads_blank = true;
  /// Told when the dataset's header has to say something else.
  std::function<void(const format::LayoutMessage&)> layout_changed;
};

/// Many threads may read; a writer is alone with the file. What was written may stay in the cache until
/// flush(). After a failure nothing is lost: images that could not be written are dirty still.
class ChunkStore {
 public:
  ChunkStore(store::FileStore& store, ChunkStoreSetup setup, ChunkCache& cache = ChunkCache::shared());
  /// Does not flush.
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  /// The file's selection has the extent as its frame; both have equally many elements. `parallel`: the
  /// conversion may run on several threads.
  void read(const space::Selection& file, const space::Selection& memory, const Values& values,
            bool parallel) const;
  void write(const space::Selection& file, const space::Selection& memory, const Values& values,
             bool parallel);

  /// Writes all dirty chunks.
  void flush();
  /// Gives every chunk of the extent its place, filled, but for those that an extent `before` had.
  void allocate_all(std::span<const std::uint64_t> before = {});
  /// Chunks outside are freed; what lies outside in those that are cut reads as blank when the extent grows
  /// again.
  void resize(std::span<const std::uint64_t> extent);
  /// Frees all chunks and the index.
  void destroy();

  const index::ChunkIndex& index() const { return *index_; }
  const space::ChunkGrid& grid() const { return *grid_; }

  // Chunks as they are stored, past filters and cache (direct_chunks.cpp). Coordinates are those of the chunk
  // in the grid.

  /// Where it is; nothing when it has no place in the file. An image in the cache may know better.
  std::optional<index::ChunkLocation> find_stored(std::span<const std::uint64_t> scaled) const;
  void read_stored(const index::ChunkLocation& location, Buffer& into) const;
  /// Takes the bytes as they are; a cached image is dropped once they are written, dirty or not. `alone`
  /// comes in and goes out locked, and is unlocked while the bytes are written: threads that share its mutex
  /// may write different chunks at once.
  void write_stored(std::span<const std::uint64_t> scaled, Bytes bytes, std::uint32_t filter_mask,
                    std::unique_lock<std::mutex>& alone);
  bool has_unwritten() const { return cache_.has_dirty(owner_); }
  bool unwritten(std::span<const std::uint64_t> scaled) const;
  /// Writes one chunk if its image is dirty.
  void flush_one(std::span<const std::uint64_t> scaled);
  ChunkCacheCounters cache_counters() const { return cache_.counters(); }

 private:
  struct Wanted;
  struct Outgoing;

  ChunkKey key(std::uint64_t chunk) const { return {owner_, chunk}; }
  bool whole(std::uint64_t chunk) const;
  /// Elements of the chunk that the extent has.
  std::uint64_t elements_inside(std::uint64_t chunk) const;
  std::vector<index::ChunkLocation> locate(std::span<const std::uint64_t> chunks) const;
  /// Ends of groups of pieces that may be in memory together.
  std::size_t group_end(std::span<const space::ChunkPiece> pieces, std::size_t first) const;
  void fetch(std::span<Wanted> wanted) const;
  void decode(Wanted& wanted) const;
  void read_group(std::span<const space::ChunkPiece> pieces, const Values& values, bool parallel) const;
  void write_group(std::span<const space::ChunkPiece> pieces, const Values& values, bool parallel,
                   bool each_once);
  /// Chunks whose bytes change because the extent was `before` and is now another.
  std::vector<std::uint64_t> chunks_to_rewrite(const space::Frame& before) const;
  void rewrite(std::span<const std::uint64_t> chunks, const space::ChunkGrid& before);
  std::size_t chunks_at_a_time() const;
  void store_chunks(std::span<Outgoing> outgoing);
  void place(std::span<Outgoing> outgoing);
  void flush_chunks(std::span<const std::uint64_t> chunks);
  void tell_layout();
  void give_back(Address at, std::uint64_t bytes);

  store::FileStore& store_;
  std::unique_ptr<index::ChunkIndex> index_;
  std::unique_ptr<const ChunkFormat> format_;
  std::optional<space::ChunkGrid> grid_;
  std::size_t element_bytes_;
  std::uint64_t chunk_bytes_;
  bool reads_blank_;
  std::function<void(const format::LayoutMessage&)> layout_changed_;
  std::uint64_t told_revision_;
  ChunkCache& cache_;
  std::uint64_t owner_;
  std::shared_ptr<const ChunkImage> blank_;
};

}  // namespace filigree::chunk
