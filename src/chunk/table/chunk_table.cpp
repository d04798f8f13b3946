// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_table.hpp"

#include <algorithm>

#include "chunk/transfer/batches.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Decoded chunks and stored bytes that an operation holds at a time, unless one chunk is larger.
constexpr std::uint64_t most_group_bytes = std::uint64_t{64} << 20;
/// Small chunks need more memory for bookkeeping than for their elements.
constexpr std::size_t most_group_chunks = 8192;
/// The minimum, even where the cache has a smaller budget: groups of few chunks would leave cores idle.
constexpr std::uint64_t least_group_bytes = std::uint64_t{4} << 20;

/// More chunks are looked up on several cores.
constexpr std::size_t most_located_together = 1024;

ChunkTableTraits complete(ChunkTableTraits traits, const index::ChunkIndex& index,
                          const ChunkFormat& format) {
  traits.chunk_bytes = index.grid().chunk_bytes;
  traits.format = format.traits(traits.chunk_bytes);
  return traits;
}

}  // namespace

ChunkTable::ChunkTable(store::FileStore& store, ChunkTableSetup setup, ChunkCache& cache)
    : store_(store),
      index_(std::move(setup.index)),
      format_(std::move(setup.format)),
      geometry_(setup.extent, index_->grid().dims),
      traits_(complete(setup.traits, *index_, *format_)),
      callbacks_(std::move(setup.callbacks)),
      published_revision_(index_->layout_revision()),
      cache_(cache),
      owner_(cache.new_owner()),
      has_members_(store.file().communicator() != nullptr),
      prefetcher_(geometry_.chunks()) {}

ChunkTable::~ChunkTable() { cache_.forget_owner(owner_); }

void ChunkTable::drop_cached() {
  cache_.forget_owner(owner_);
  owner_ = cache_.new_owner();
}

void ChunkTable::set_extent(std::span<const std::uint64_t> extent) {
  geometry_ = ChunkGeometry(extent, index_->grid().dims);
  prefetcher_.reset(geometry_.chunks());
}

DecodedChunkPointer ChunkTable::blank() const {
  std::call_once(blank_made_, [this] { blank_ = format_->blank(); });
  return blank_;
}

std::size_t ChunkTable::chunks_per_group() const {
  const std::uint64_t budget = has_members_ ? most_group_bytes : cache_.budget_bytes();
  const std::uint64_t bytes = std::clamp(budget, least_group_bytes, most_group_bytes);
  return std::clamp<std::size_t>(bytes / std::max<std::uint64_t>(1, traits_.format.typical_bytes), 1,
                                 most_group_chunks);
}

std::vector<index::ChunkLocation> ChunkTable::locate(std::span<const std::uint64_t> chunks) const {
  std::vector<index::ChunkLocation> found(chunks.size());
  // A file of high latency is read with one request for all.
  const bool is_slow = io::is_high_latency(store_.file().capabilities());
  const std::size_t block = is_slow ? std::max<std::size_t>(1, chunks.size()) : most_located_together;
  const std::size_t blocks = (chunks.size() + block - 1) / block;
  for_each(blocks, true, [&](std::size_t i) {
    const std::size_t first = i * block, count = std::min(block, chunks.size() - first);
    index_->find(geometry_.coordinates_of(chunks.subspan(first, count)),
                 std::span(found).subspan(first, count));
  });
  return found;
}

ChunkLookup ChunkTable::lookup(std::span<const std::uint64_t> chunks) const {
  ChunkLookup result;
  result.cached = cache_.find(owner_, chunks);
  std::vector<std::uint64_t> missing;
  missing.reserve(chunks.size());
  result.missing.reserve(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (result.cached[i]) continue;
    missing.push_back(chunks[i]);
    result.missing.push_back(i);
  }
  result.locations = locate(missing);
  return result;
}

// Flushing.

bool ChunkTable::should_flush() const {
  if (!has_members_) return cache_.should_flush();
  return cache_.dirty_count(owner_) > chunks_per_group();
}

void ChunkTable::flush() {
  const auto chunks = cache_.dirty_chunks(owner_);
  for (std::size_t first = 0; first < chunks.size();) {
    const std::size_t count = std::min(chunks_per_group(), chunks.size() - first);
    flush_chunks(std::span(chunks).subspan(first, count));
    first += count;
  }
}

bool ChunkTable::is_dirty(std::span<const std::uint64_t> coordinates) const {
  return grid().chunks().contains(coordinates) && cache_.dirty(key(grid().chunks().offset(coordinates)));
}

void ChunkTable::flush_chunk(std::span<const std::uint64_t> coordinates) {
  if (!is_dirty(coordinates)) return;
  const std::uint64_t chunk = grid().chunks().offset(coordinates);
  flush_chunks(std::span(&chunk, 1));
}

void ChunkTable::flush_chunks(std::span<const std::uint64_t> chunks) {
  const auto decoded = cache_.find(owner_, chunks);
  for (const DecodedChunkPointer& one : decoded) separate_values(one);
  std::vector<PendingWrite> writes(chunks.size());
  for_each(chunks.size(), true, [&](std::size_t i) {
    writes[i].chunk = chunks[i];
    writes[i].set_bytes(encode_view(*format_, *decoded[i], geometry_.edge(chunks[i]), writes[i].stored));
  });
  commit(writes);
  for (const std::uint64_t chunk : chunks) cache_.make_clean(key(chunk));
}

void ChunkTable::separate_values(const DecodedChunkPointer& decoded) {
  if (callbacks_.separate_values) format_->for_each_value(writable(decoded), callbacks_.separate_values);
}

// Committing.

bool ChunkTable::is_overwritable(ChunkEdge edge) const {
  return !store_.swmr_writer() || format_->unfiltered(edge) != nullptr;
}

/// A chunk keeps its address while its size stays the same, unless it was given another one already.
void ChunkTable::allocate(std::span<const std::uint64_t> coordinates, std::span<PendingWrite> writes) {
  // As in HDF5, the index precedes its first chunk: it is near other metadata, and leaves no hole there.
  index_->allocate();
  std::vector<index::ChunkLocation> before(writes.size());
  index_->find(coordinates, before);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    PendingWrite& write = writes[i];
    write.before = before[i];
    if (is_valid(write.address)) continue;
    const bool stays = is_valid(before[i].address) && before[i].stored_bytes == write.stored_bytes &&
                       is_overwritable(geometry_.edge(write.chunk));
    write.address =
        stays ? before[i].address : store_.space().allocate(store::SpaceKind::raw, write.stored_bytes);
  }
}

void ChunkTable::insert(std::span<const std::uint64_t> coordinates, std::span<const PendingWrite> writes,
                        std::size_t& inserted) {
  std::vector<index::ChunkLocation> now;
  now.reserve(writes.size());
  bool changes = false;
  for (const PendingWrite& write : writes) {
    const StoredChunkInfo& info = write.stored.info;
    now.push_back({write.address, write.stored_bytes, info.filter_mask, info.sections});
    changes |= now.back() != write.before;
  }
  // The index need not be touched where it has the same entries already.
  if (changes) index_->insert(coordinates, now, inserted);
}

void ChunkTable::commit(std::span<PendingWrite> writes) {
  commit(writes, [&] {
    std::vector<io::WriteExtent> extents;
    for (const PendingWrite& write : writes) add_extent(extents, to_number(write.address), write.bytes);
    store_.write_raw(Address{0}, extents);
  });
}

void ChunkTable::commit(std::span<PendingWrite> writes, FunctionRef<void()> write) {
  if (writes.empty()) return;
  std::vector<std::uint64_t> chunks(writes.size());
  std::ranges::transform(writes, chunks.begin(), &PendingWrite::chunk);
  const auto coordinates = geometry_.coordinates_of(chunks);
  std::size_t inserted = 0;
  try {
    allocate(coordinates, writes);
    write();
    insert(coordinates, writes, inserted);
  } catch (...) {
    for (const PendingWrite& one : writes.subspan(inserted)) {
      if (is_valid(one.address) && one.address != one.before.address)
        store_.space().release(store::SpaceKind::raw, one.address, one.stored_bytes);
    }
    publish_layout();
    throw;
  }
  for (const PendingWrite& one : writes) {
    if (is_valid(one.before.address) && one.before.address != one.address)
      store_.space().release(store::SpaceKind::raw, one.before.address, one.before.stored_bytes);
  }
  publish_layout();
}

void ChunkTable::remove(std::span<const std::uint64_t> coordinates) {
  const auto removed = index_->remove(coordinates);
  cache_.forget(key(grid().chunks().offset(coordinates)));
  if (removed && is_valid(removed->address))
    store_.space().release(store::SpaceKind::raw, removed->address, removed->stored_bytes);
  publish_layout();
}

void ChunkTable::publish_layout() {
  if (published_revision_ == index_->layout_revision()) return;
  published_revision_ = index_->layout_revision();
  if (callbacks_.layout_changed) callbacks_.layout_changed(index_->layout());
}

}  // namespace filigree::chunk
