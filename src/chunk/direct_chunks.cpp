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

void ChunkStore::give_back(Address at, std::uint64_t bytes) {
  store_.space().release(store::SpaceKind::raw, at, bytes);
}

void ChunkStore::write_stored(std::span<const std::uint64_t> scaled, Bytes bytes, std::uint32_t filter_mask,
                              std::unique_lock<std::mutex>& alone) {
  if (!grid_->chunks().contains(scaled))
    throw Error(ErrorKind::invalid_argument, "the chunk lies outside of the dataset's extent");
  if (bytes.empty()) throw Error(ErrorKind::invalid_argument, "a chunk of no bytes cannot be stored");
  if (format_->plain(true) && bytes.size() != chunk_bytes_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} bytes for a chunk of a dataset without filters, where all have {}",
                            bytes.size(), chunk_bytes_));
  }
  if (index_->places_chunks()) index_->allocate();
  const index::ChunkLocation before = index_->find(scaled).value_or(index::ChunkLocation{});
  const bool stays = defined(before.address) && before.stored_bytes == bytes.size();
  index::ChunkLocation now{before.address, bytes.size(), filter_mask, {}};
  if (!stays) now.address = store_.space().allocate(store::SpaceKind::raw, bytes.size());
  std::optional<index::ChunkLocation> old;
  try {
    alone.unlock();
    store_.write(now.address, bytes);
    alone.lock();
    if (!(now == before)) old = index_->insert(scaled, now);
  } catch (...) {
    if (!alone.owns_lock()) alone.lock();
    if (!stays) give_back(now.address, bytes.size());
    tell_layout();
    throw;
  }
  if (old && defined(old->address) && old->address != now.address) give_back(old->address, old->stored_bytes);
  cache_.forget(key(grid_->chunks().position(scaled)));
  tell_layout();
}

}  // namespace filigree::chunk
