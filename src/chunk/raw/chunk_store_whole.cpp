// SPDX-License-Identifier: Apache-2.0
//
// What concerns all chunks of a dataset: looking at their values, copying them, giving back their space.
#include <algorithm>

#include <filigree/error.hpp>

#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

void ChunkStore::for_each_value(FunctionRef<void(Bytes)> see) const {
  for_each_touched(all_elements(), [&](index::ChunkCoordinates at, const index::ChunkLocation& location,
                                       const ImagePointer& held) {
    if (held) return format_->for_each_value(*held, see);
    const std::uint64_t chunk = grid_->chunks().offset(at);
    std::array<Wanted, 1> wanted{{{chunk, location, whole(chunk), false, nullptr, {}}}};
    load(wanted, nullptr);
    format_->for_each_value(*wanted[0].image, see);
  });
}

/// Copies chunk after chunk, with many on the way at a time.
class ChunkStore::Copier {
 public:
  Copier(const ChunkStore& from, store::FileStore& to, index::ChunkIndex& index, Adapt* adapt)
      : from_(from), to_(to), index_(index), adapt_(adapt) {}

  void add(index::ChunkCoordinates at, const index::ChunkLocation& location, const ImagePointer& held) {
    const std::uint64_t chunk = from_.grid_->chunks().offset(at);
    wanted_.push_back({chunk, location, from_.whole(chunk), false, nullptr, held});
    bytes_ += held ? held->memory_bytes() : location.stored_bytes;
    if (bytes_ >= most_bytes) finish();
  }

  void finish() {
    std::vector<StoredChunk> stored = fetch();
    for (std::size_t i = 0; i < wanted_.size(); ++i) stored[i] = pack(wanted_[i], std::move(stored[i]));
    std::vector<index::ChunkLocation> locations;
    std::vector<io::WriteExtent> extents;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      locations.push_back(place(coordinates(wanted_[i].chunk), stored[i]));
      extents.push_back({to_number(locations[i].address), stored[i].bytes});
    }
    if (!extents.empty()) to_.write_raw(Address{0}, extents);
    wanted_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::uint64_t most_bytes = 16u << 20;

  /// As they are in the file; nothing of those that are newer in the cache.
  std::vector<StoredChunk> fetch() const {
    std::vector<StoredChunk> stored(wanted_.size());
    std::vector<io::ReadExtent> extents;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i].image) continue;
      const index::ChunkLocation& location = wanted_[i].location;
      stored[i] = {Buffer(static_cast<std::size_t>(location.stored_bytes)), form_of(location)};
      extents.push_back({to_number(location.address), stored[i].bytes});
    }
    if (!extents.empty()) from_.store_.read_raw(Address{0}, extents);
    return stored;
  }

  StoredChunk pack(const Wanted& wanted, StoredChunk stored) const {
    const ChunkFormat& format = *from_.format_;
    if (adapt_ == nullptr)
      return wanted.image ? format.encode(*wanted.image, wanted.whole) : std::move(stored);
    const auto image = wanted.image ? format.copy(*wanted.image)
                                    : format.take(std::move(stored.bytes), stored.form, wanted.whole);
    format.for_each_value(*image, *adapt_);
    return format.encode(*image, wanted.whole);
  }

  /// In the index at once, so that who gives up frees it with the others.
  index::ChunkLocation place(const std::vector<std::uint64_t>& at, const StoredChunk& stored) {
    if (index_.preallocates_chunks()) return index_.find(at).value();
    index::ChunkLocation location{Address::undefined, stored.bytes.size(), stored.form.filter_mask,
                                  stored.form.sections};
    location.address = to_.space().allocate(store::SpaceKind::raw, stored.bytes.size());
    try {
      index_.insert(at, location);
    } catch (...) {
      to_.space().release(store::SpaceKind::raw, location.address, location.stored_bytes);
      throw;
    }
    return location;
  }

  std::vector<std::uint64_t> coordinates(std::uint64_t chunk) const {
    std::vector<std::uint64_t> at(from_.grid_->chunk().rank());
    from_.grid_->chunks().coordinates(chunk, at.data());
    return at;
  }

  const ChunkStore& from_;
  store::FileStore& to_;
  index::ChunkIndex& index_;
  Adapt* adapt_;
  std::vector<Wanted> wanted_;
  std::uint64_t bytes_ = 0;
};

format::LayoutMessage ChunkStore::copy_to(store::FileStore& target, const index::DatasetFacts& facts,
                                          Adapt* adapt) const {
  format::LayoutMessage layout = index_->layout();
  const bool made = is_valid(layout.address) || !cache_.dirty_chunks(owner_).empty();
  layout.address = Address::undefined;
  const auto copy = index::make_index(target, layout, facts);
  if (!made) return copy->layout();
  try {
    copy->allocate();
    Copier copier(*this, target, *copy, adapt);
    for_each_touched(all_elements(), [&](index::ChunkCoordinates at, const index::ChunkLocation& location,
                                         const ImagePointer& held) { copier.add(at, location, held); });
    copier.finish();
  } catch (...) {
    release_chunks(target, *copy);
    throw;
  }
  return copy->layout();
}

void ChunkStore::release_chunks(store::FileStore& store, index::ChunkIndex& index) {
  std::vector<index::ChunkLocation> chunks;
  index.destroy(
      [&](index::ChunkCoordinates, const index::ChunkLocation& location) { chunks.push_back(location); });
  std::ranges::sort(chunks, {}, &index::ChunkLocation::address);
  // Of chunks that overlap it cannot be told whose the space is: it stays allocated.
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::uint64_t at = to_number(chunks[i].address);
    const std::uint64_t end = at + chunks[i].stored_bytes;
    const bool apart = at >= taken && (i + 1 == chunks.size() || end <= to_number(chunks[i + 1].address));
    taken = std::max(taken, end);
    if (!apart) continue;
    try {
      store.space().release(store::SpaceKind::raw, chunks[i].address, chunks[i].stored_bytes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::corrupt) throw;
    }
  }
}

void ChunkStore::destroy() {
  cache_.forget_owner(owner_);
  release_chunks(store_, *index_);
  tell_layout();
}

}  // namespace filigree::chunk
