// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a ChunkStore as they are stored: bytes that somebody else filters.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

std::optional<index::ChunkLocation> ChunkStore::find_stored(std::span<const std::uint64_t> scaled) const {
  auto location = index_->find(scaled);
  if (location && !is_valid(location->address)) location.reset();
  return location;
}

void ChunkStore::read_stored(const index::ChunkLocation& location, Buffer& into) const {
  into.resize(static_cast<std::size_t>(location.stored_bytes));
  const io::ReadExtent extent{to_number(location.address), into};
  store_.read_raw(Address{0}, std::span(&extent, 1));
}

bool ChunkStore::unwritten(std::span<const std::uint64_t> scaled) const {
  return grid_->chunks().contains(scaled) && cache_.dirty(key(grid_->chunks().offset(scaled)));
}

void ChunkStore::flush_one(std::span<const std::uint64_t> scaled) {
  if (!unwritten(scaled)) return;
  const std::uint64_t chunk = grid_->chunks().offset(scaled);
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
  if (index_->preallocates_chunks()) {
    index_->allocate();
    tell_layout();
  }
  const auto before = find_stored(scaled);
  if (before && before->stored_bytes == bytes && overwritable(whole(scaled)))
    return {before->address, bytes, before};
  return {store_.space().allocate(store::SpaceKind::raw, bytes), bytes, std::nullopt};
}

void ChunkStore::settle_stored(std::span<const std::uint64_t> scaled, const StoredPlace& place,
                               const StoredForm& form) {
  if (!grid_->chunks().contains(scaled))
    throw Error(ErrorKind::invalid_argument, "the chunk lies outside of the dataset's extent");
  // Of filters that there are not, none is skipped.
  const std::uint32_t mask = format_->plain(true) ? 0 : form.filter_mask;
  const index::ChunkLocation now{place.address, place.bytes, mask, form.sections};
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
  cache_.forget(key(grid_->chunks().offset(scaled)));
  if (old && old->address != place.address)
    store_.space().release(store::SpaceKind::raw, old->address, old->stored_bytes);
}

// Structured chunks.

const Sections& ChunkStore::sections() const {
  const Sections* const found = format_->sections();
  if (found == nullptr) throw Error(ErrorKind::unsupported, "the chunks of this dataset have no sections");
  return *found;
}

namespace {

/// Sections that somebody hands over are no fault of the file.
[[noreturn]] void blame_caller(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
    case ErrorKind::limit:
      throw Error(ErrorKind::invalid_argument, fmt::format("the sections make no chunk: {}", error.what()));
    default:
      throw error;
  }
}

}  // namespace

StoredChunk ChunkStore::assemble(std::span<const std::uint64_t> scaled,
                                 std::span<const RawSection> given) const {
  const bool uncut = whole(scaled);
  StoredChunk chunk = sections().assemble(given, uncut);
  // Whoever reads it without a filter cannot be led astray either: decoding trusts nothing.
  if (!sections().decodable(chunk.form, uncut)) return chunk;
  try {
    const auto image = format_->decode(chunk.bytes, chunk.form, uncut);
    if (format_->empty(*image))
      throw Error(ErrorKind::invalid_argument, "a chunk that defines nothing is not stored: erase it");
    if (uncut || !index_->layout().composition.sparse()) return chunk;
    const space::RunSet elements = format_->defined(*image);
    space::Bounds all{std::vector<std::uint64_t>(scaled.size(), 0), grid_->extent().dims()};
    for (std::uint64_t& last : all.high) --last;
    if (elements_in_box(grid_->chunk(), elements, box_in_chunk(*grid_, scaled, all)) != elements)
      throw Error(ErrorKind::invalid_argument, "the chunk defines elements outside of the extent");
  } catch (const Error& error) {
    blame_caller(error);
  }
  return chunk;
}

std::vector<RawSection> ChunkStore::sections_in(Bytes stored, std::span<const std::uint64_t> scaled,
                                                const index::ChunkLocation& location) const {
  std::vector<RawSection> found;
  for (std::size_t i = 0; i < sections().count(); ++i)
    found.push_back(sections().raw(i, stored, form_of(location), whole(scaled)));
  return found;
}

std::vector<RawSectionFacts> ChunkStore::describe_sections(std::span<const std::uint64_t> scaled,
                                                           const index::ChunkLocation& location) const {
  std::vector<RawSectionFacts> facts;
  for (std::size_t i = 0; i < sections().count(); ++i)
    facts.push_back(sections().raw_facts(i, form_of(location), location.stored_bytes, whole(scaled)));
  return facts;
}

}  // namespace filigree::chunk
