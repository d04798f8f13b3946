// SPDX-License-Identifier: Apache-2.0
//
// Reading elements of chunks.
#include <algorithm>

#include "base/workspace.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Shorter runs of a part of a chunk are cheaper to take from an image.
constexpr std::uint64_t least_direct_part_bytes = 512;
/// Fewer elements are copied or converted by one core.
constexpr std::uint64_t least_parallel_elements = 16u << 10;
/// Smaller chunks are read whole, and kept.
constexpr std::uint64_t least_ranged_bytes = 16u << 10;

}  // namespace

void ChunkStore::read(const space::Selection& file, const space::Selection& memory, const Values& values,
                      bool parallel) const {
  for_each_group(file, memory, [&](Pieces group) {
    read_group(group, values, parallel);
    return true;
  });
}

void ChunkStore::read_group(Pieces pieces, const Values& values, bool parallel) const {
  std::vector<std::uint64_t> chunks(pieces.size());
  std::ranges::transform(pieces, chunks.begin(), &space::ChunkPiece::chunk);
  auto images = cache_.find(owner_, chunks);
  std::vector<std::uint64_t> missing;
  std::vector<std::size_t> place;  // of the missing ones among the pieces
  missing.reserve(pieces.size());
  place.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (images[i]) continue;
    missing.push_back(chunks[i]);
    place.push_back(i);
  }
  const auto locations = locate(missing);
  std::vector<Wanted> streamed, ranged, wanted;
  std::vector<std::size_t> wanted_by;
  streamed.reserve(missing.size());
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (!is_valid(locations[i].address)) {
      if (reads_blank_) images[place[i]] = blank();
      continue;
    }
    Wanted one{missing[i], locations[i], whole(missing[i]), false, &pieces[place[i]], {}};
    if (worth_ranges(one)) {
      ranged.push_back(std::move(one));
    } else if (passes_by(one, values, parallel)) {
      streamed.push_back(std::move(one));
    } else {
      wanted.push_back(std::move(one));
      wanted_by.push_back(place[i]);
    }
  }
  if (!streamed.empty()) cache_.count_bypass(streamed.size());
  stream(streamed, values);
  read_ranges(ranged, values, parallel);
  if (wanted.empty() && format_->slow_to_decode()) look_ahead_.found(chunks);
  load_looking_ahead(wanted, parallel ? &values : nullptr);
  if (!parallel)  // in the order of the pieces
    for (std::size_t i = 0; i < wanted.size(); ++i) images[wanted_by[i]] = wanted[i].image;
  std::uint64_t elements = 0;
  for (const space::ChunkPiece& piece : pieces) elements += piece.elements;
  // Waking another core takes longer than copying a little.
  for_each(pieces.size(), parallel && elements >= least_parallel_elements, [&](std::size_t i) {
    if (images[i]) format_->read(*images[i], space::PieceRuns(pieces[i]).runs(), values);
  });
  for (Wanted& one : wanted) {
    const bool all = one.piece->elements >= elements_inside(one.chunk);
    cache_.put(key(one.chunk), std::move(one.image), all);
  }
}

/// Whether the chunk needs no image: all of it is read, which is not likely to happen again soon, or long
/// runs of what stands in the file as in memory.
bool ChunkStore::passes_by(Wanted& wanted, const Values& values, bool parallel) const {
  const bool all = wanted.piece->elements >= elements_inside(wanted.chunk);
  if (values.conversion.traits().copies && format_->plain(wanted.whole)) {
    const std::uint64_t least = all && parallel ? least_direct_bytes : least_direct_part_bytes;
    wanted.direct = wanted.piece->elements * element_bytes_ / wanted.piece->run_count >= least;
  }
  return wanted.direct || (all && parallel && cache_.leaves_out_whole_chunks());
}

/// Whether it is cheaper to look first where the values are than to read all of the chunk.
bool ChunkStore::worth_ranges(const Wanted& wanted) const {
  return format_->finds_values(wanted.whole) && wanted.location.stored_bytes >= least_ranged_bytes &&
         wanted.piece->elements < elements_inside(wanted.chunk) / 2;
}

/// Two requests for all of them: one that tells where values are, one for these.
void ChunkStore::read_ranges(std::span<Wanted> wanted, const Values& values, bool parallel) const {
  if (wanted.empty()) return;
  std::vector<Buffer> bytes(wanted.size());
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const index::ChunkLocation& at = wanted[i].location;
    const space::Run part = format_->defined_part(form_of(at), at.stored_bytes);
    bytes[i].resize(part.length);
    extents.push_back({to_number(at.address) + part.start, bytes[i]});
  }
  store_.read_raw(Address{0}, extents);
  std::vector<StoredValues> found(wanted.size());
  for_each(wanted.size(), true, [&](std::size_t i) {
    const index::ChunkLocation& at = wanted[i].location;
    std::vector<space::Run> runs;
    const space::PieceRuns wanted_runs(*wanted[i].piece);
    for (const space::ChunkRun& run : wanted_runs.runs()) runs.push_back({run.chunk_offset, run.length});
    found[i] = format_->find_values(bytes[i], form_of(at), at.stored_bytes, wanted[i].whole,
                                    space::RunSet::of_runs(std::move(runs)));
  });
  extents.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::uint64_t all = 0;
    for (const space::Run& run : found[i].bytes) all += run.length;
    bytes[i].resize(all);
    MutableBytes rest = bytes[i];
    for (const space::Run& run : found[i].bytes) {
      add_extent(extents, to_number(wanted[i].location.address) + run.start, rest.first(run.length));
      rest = rest.subspan(run.length);
    }
  }
  if (!extents.empty()) store_.read_raw(Address{0}, extents);
  for_each(wanted.size(), parallel, [&](std::size_t i) {
    format_->read(*format_->assemble(found[i], std::move(bytes[i])),
                  space::PieceRuns(*wanted[i].piece).runs(), values);
  });
}

void ChunkStore::stream(std::span<const Wanted> wanted, const Values& values) const {
  for_each_request(
      wanted, true, {},
      [this](const Wanted& one) { return std::max(image_bytes_, one.location.stored_bytes); },
      [&](std::span<const Wanted> batch, bool at_once) { stream_batch(batch, values, at_once); });
}

void ChunkStore::stream_batch(std::span<const Wanted> wanted, const Values& values, bool at_once) const {
  std::uint64_t staged = 0;
  for (const Wanted& one : wanted) staged += one.direct ? 0 : one.location.stored_bytes;
  Workspace room;
  MutableBytes staging = room.allocate(static_cast<std::size_t>(staged));
  std::vector<Bytes> stored(wanted.size());
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Wanted& one = wanted[i];
    const std::uint64_t offset = to_number(one.location.address);
    if (!one.direct) {
      const MutableBytes into = staging.first(static_cast<std::size_t>(one.location.stored_bytes));
      staging = staging.subspan(into.size());
      add_extent(extents, offset, into);
      stored[i] = into;
      continue;
    }
    const space::PieceRuns held(*one.piece);
    for (const space::ChunkRun& run : held.runs()) {
      add_extent(extents, offset + run.chunk_offset * element_bytes_,
                 {values.memory + run.memory * element_bytes_, run.length * element_bytes_});
    }
  }
  store_.read_raw(Address{0}, extents);
  for_each(wanted.size(), at_once, [&](std::size_t i) {
    const Wanted& one = wanted[i];
    if (one.direct) return;
    format_->read_stored(stored[i], form_of(one.location), one.whole, space::PieceRuns(*one.piece).runs(),
                         values);
  });
}

void ChunkStore::load(std::span<Wanted> wanted, const Values* values) const {
  for_each_request(
      wanted, true, {},
      [this](const Wanted& one) { return std::max(image_bytes_, one.location.stored_bytes); },
      [&](std::span<Wanted> batch, bool at_once) { load_batch(batch, values, at_once); });
}

void ChunkStore::load_batch(std::span<Wanted> wanted, const Values* values, bool at_once) const {
  std::vector<std::unique_ptr<ChunkImage>> images(wanted.size());  // of chunks that are as they are stored
  std::vector<MutableBytes> bytes(wanted.size());
  std::uint64_t staged = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint64_t stored_bytes = wanted[i].location.stored_bytes;
    if (format_->plain(wanted[i].whole)) images[i] = format_->make_unread(stored_bytes, bytes[i]);
    if (!images[i]) staged += stored_bytes;
  }
  Workspace room;
  MutableBytes staging = room.allocate(static_cast<std::size_t>(staged));
  std::vector<io::ReadExtent> extents;
  extents.reserve(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!images[i]) {
      bytes[i] = staging.first(static_cast<std::size_t>(wanted[i].location.stored_bytes));
      staging = staging.subspan(bytes[i].size());
    }
    extents.push_back({to_number(wanted[i].location.address), bytes[i]});
  }
  store_.read_raw(Address{0}, extents);
  for_each(wanted.size(), at_once, [&](std::size_t i) {
    Wanted& one = wanted[i];
    if (!images[i]) images[i] = format_->decode(bytes[i], form_of(one.location), one.whole);
    one.image = std::move(images[i]);
    if (values != nullptr) format_->read(*one.image, space::PieceRuns(*one.piece).runs(), *values);
  });
}

}  // namespace filigree::chunk
