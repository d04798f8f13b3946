// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a ChunkStore as they are stored: bytes that somebody else filters.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/chunk_store.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

std::optional<index::ChunkLocation> ChunkStore::find_stored(std::span<const std::uint64_t> scaled) const {
  auto location = index_->find(scaled);
  if (location && !defined(location->address)) location.reset();
  return location;
}

void ChunkStore::read_stored(const index::ChunkLocation& location, Buffer& into) const {
  into.resize(static_cast<std::size_t>(location.stored_bytes));
  const io::ReadExtent extent{to_number(location.address), into};
  store_.read_raw(Address{0}, std::span(&extent, 1));
}

bool ChunkStore::unwritten(std::span<const std::uint64_t> scaled) const {
  return grid_->chunks().contains(scaled) && cache_.dirty(key(grid_->chunks().position(scaled)));
}

void ChunkStore::flush_one(std::span<const std::uint64_t> scaled) {
  if (!unwritten(scaled)) return;
  const std::uint64_t chunk = grid_->chunks().position(scaled);
  flush_chunks(std::span(&chunk, 1));
}

StoredPlace ChunkStore::place_stored(std::span<const std::uint64_t> scaled, std::uint64_t bytes) {
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "a chunk of no bytes cannot be stored");
  if (format_->plain(true) && bytes != chunk_bytes_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} bytes for a chunk of a dataset without filters, where all have {}", bytes,
                            chunk_bytes_));
  }
  allocate_before_writing();
  if (index_->places_chunks()) {
    index_->allocate();
    tell_layout();
  }
  const auto before = find_stored(scaled);
  if (before && before->stored_bytes == bytes) return {before->address, bytes, before};
  return {store_.space().allocate(store::SpaceKind::raw, bytes), bytes, std::nullopt};
}

void ChunkStore::settle_stored(std::span<const std::uint64_t> scaled, const StoredPlace& place,
                               std::uint32_t filter_mask) {
  if (!grid_->chunks().contains(scaled))
    throw Error(ErrorKind::invalid_argument, "the chunk lies outside of the dataset's extent");
  const index::ChunkLocation now{place.address, place.bytes, filter_mask, {}};
  const auto old = place.stays ? place.stays : find_stored(scaled);
  if (old != now) {
    try {
      index_->insert(scaled, now);
    } catch (...) {
      tell_layout();
      throw;
    }
    tell_layout();
  }
  cache_.forget(key(grid_->chunks().position(scaled)));
  if (old && old->address != place.address)
    store_.space().release(store::SpaceKind::raw, old->address, old->stored_bytes);
}

}  // namespace filigree::chunk
