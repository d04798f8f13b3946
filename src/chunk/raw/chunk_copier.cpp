// SPDX-License-Identifier: Apache-2.0
#include "chunk/raw/chunk_copier.hpp"

#include <vector>

#include "chunk/raw/release_chunks.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

/// Copies chunks in batches, with one request for the chunks of a batch.
class ChunkCopier::Batch {
 public:
  Batch(const ChunkTable& from, store::FileStore& to, index::ChunkIndex& index, Adapt* adapt)
      : from_(from), to_(to), index_(index), adapt_(adapt) {}

  void add(std::span<const std::uint64_t> at, const index::ChunkLocation& location,
           const DecodedChunkPointer& newer) {
    coordinates_.emplace_back(at.begin(), at.end());
    reads_.push_back({0, location, from_.geometry().edge_at(at), false, nullptr, newer});
    bytes_ += newer ? newer->memory_bytes() : location.stored_bytes;
    if (bytes_ >= most_bytes) finish();
  }

  void finish() {
    std::vector<StoredChunk> stored = fetch();
    for (std::size_t i = 0; i < reads_.size(); ++i) stored[i] = convert(reads_[i], std::move(stored[i]));
    std::vector<index::ChunkLocation> locations;
    std::vector<io::WriteExtent> extents;
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      locations.push_back(insert(coordinates_[i], stored[i]));
      extents.push_back({to_number(locations[i].address), stored[i].bytes});
    }
    if (!extents.empty()) to_.write_raw(Address{0}, extents);
    reads_.clear();
    coordinates_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::uint64_t most_bytes = 16u << 20;

  /// As they are stored; empty for chunks that are newer in the cache.
  std::vector<StoredChunk> fetch() const {
    std::vector<StoredChunk> stored(reads_.size());
    std::vector<io::ReadExtent> extents;
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      if (reads_[i].decoded) continue;
      const index::ChunkLocation& location = reads_[i].location;
      stored[i] = {Buffer(static_cast<std::size_t>(location.stored_bytes)), info_of(location)};
      extents.push_back({to_number(location.address), stored[i].bytes});
    }
    if (!extents.empty()) from_.store().read_raw(Address{0}, extents);
    return stored;
  }

  StoredChunk convert(const PendingRead& read, StoredChunk stored) const {
    const ChunkFormat& format = from_.format();
    if (adapt_ == nullptr) return read.decoded ? format.encode(*read.decoded, read.edge) : std::move(stored);
    const auto decoded = writable_copy(read, std::move(stored));
    format.for_each_value(*decoded, *adapt_);
    return format.encode(*decoded, read.edge);
  }

  std::unique_ptr<DecodedChunk> writable_copy(const PendingRead& read, StoredChunk stored) const {
    const ChunkFormat& format = from_.format();
    if (read.decoded) return format.copy(*read.decoded);
    if (const UnfilteredLayout* const unfiltered = format.unfiltered(read.edge))
      return unfiltered->adopt(std::move(stored.bytes));
    return format.decode(stored.view(read.edge));
  }

  /// Enters the chunk into the index before it is written, so that a failure frees it with the others.
  index::ChunkLocation insert(const std::vector<std::uint64_t>& at, const StoredChunk& stored) {
    if (index_.preallocates_chunks()) return index_.find(at).value();
    index::ChunkLocation location{Address::undefined, stored.bytes.size(), stored.info.filter_mask,
                                  stored.info.sections};
    location.address = to_.space().allocate(store::SpaceKind::raw, stored.bytes.size());
    try {
      index_.insert(at, location);
    } catch (...) {
      to_.space().release(store::SpaceKind::raw, location.address, location.stored_bytes);
      throw;
    }
    return location;
  }

  const ChunkTable& from_;
  store::FileStore& to_;
  index::ChunkIndex& index_;
  Adapt* adapt_;
  std::vector<PendingRead> reads_;
  std::vector<std::vector<std::uint64_t>> coordinates_;  ///< of reads_
  std::uint64_t bytes_ = 0;
};

format::LayoutMessage ChunkCopier::copy_to(store::FileStore& target, const index::DatasetFacts& facts,
                                           Adapt* adapt) const {
  format::LayoutMessage layout = from_.index().layout();
  const bool has_chunks = is_valid(layout.address) || from_.has_dirty();
  layout.address = Address::undefined;
  const auto copy = index::make_index(target, layout, facts);
  if (!has_chunks) return copy->layout();
  try {
    copy->allocate();
    Batch batch(from_, target, *copy, adapt);
    for_each_chunk(from_, [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location,
                              const DecodedChunkPointer& newer) { batch.add(at, location, newer); });
    batch.finish();
  } catch (...) {
    release_chunks(target, *copy);
    throw;
  }
  return copy->layout();
}

}  // namespace filigree::chunk
