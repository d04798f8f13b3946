// SPDX-License-Identifier: Apache-2.0
//
// Writing elements of chunks.
#include <algorithm>

#include "base/workspace.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

void ChunkStore::write(const space::Selection& file, const space::Selection& memory, const Values& values,
                       bool parallel) {
  const auto is_alone = [](FunctionRef<void()> work) {
    work();
    return true;
  };
  write_groups(file, memory, values, parallel, {is_alone, nullptr});
}

bool ChunkStore::write(const space::Selection& file, const space::Selection& memory, const Values& values,
                       bool parallel, const Others& others) {
  return write_groups(file, memory, values, parallel, {others.alone, &others});
}

bool ChunkStore::write_groups(const space::Selection& file, const space::Selection& memory,
                              const Values& values, bool parallel, const Turn& turn) {
  const bool covers_all = file.is_set() && file.elements() == grid_->extent().elements();
  if (allocates_late_ && !covers_all && !turn.alone([&] { allocate_before_writing(); })) return false;
  return for_each_group(
      file, memory, [&](Pieces group) { return write_group(group, values, parallel, file.is_set(), turn); });
}

bool ChunkStore::write_group(Pieces pieces, const Values& values, bool parallel, bool each_once,
                             const Turn& turn) {
  const bool may_cover = each_once && !values.conversion.traits().partial && values.replaced == nullptr;
  std::vector<space::ChunkPiece> covered, partial;
  covered.reserve(pieces.size());
  for (const space::ChunkPiece& piece : pieces) {
    // Of a chunk that is covered nothing old remains.
    const bool covers = may_cover && piece.elements == elements_inside(piece.chunk);
    (covers ? covered : partial).push_back(piece);
  }
  std::vector<std::unique_ptr<ChunkImage>> fresh(partial.size());
  if (turn.others != nullptr) fresh = make_fresh(partial, values, parallel);
  const auto alone = [&](FunctionRef<void()> store_covered) {
    return turn.alone([&] {
      store_covered();
      write_partial(partial, fresh, values, parallel);
      if (cache_.wants_writing()) flush();
    });
  };
  return write_covered(covered, values, parallel, {alone, turn.others});
}

/// What takes time does not need to be alone.
bool ChunkStore::write_covered(Pieces pieces, const Values& values, bool parallel, const Turn& turn) {
  std::vector<Outgoing> plain, filtered;
  std::vector<std::uint64_t> chunks;
  (format_->plain(true) ? plain : filtered).reserve(pieces.size());
  chunks.reserve(pieces.size());
  for (const space::ChunkPiece& piece : pieces) {
    const bool is_whole = whole(piece.chunk);
    Outgoing& out = (format_->plain(is_whole) ? plain : filtered).emplace_back();
    out.chunk = piece.chunk;
    out.whole = is_whole;
    out.piece = &piece;
    chunks.push_back(piece.chunk);
  }
  cache_.count_bypass(pieces.size());
  for_each(filtered.size(), parallel, [&](std::size_t i) {
    Outgoing& out = filtered[i];
    out.stored = format_->write_stored(space::PieceRuns(*out.piece).runs(), values, out.whole);
    out.set_bytes(out.stored.bytes);
  });
  std::vector<Outgoing> unplaced;
  if (turn.others != nullptr) unplaced = take_unplaced(plain);
  if (!unplaced.empty() && !write_unplaced(unplaced, values, parallel, *turn.others)) return false;
  bool entering = false;
  const auto store_all = [&] {
    entering = true;
    store_chunks(unplaced, [] {});
    store_chunks(filtered);
    write_plain(plain, values, parallel);
    cache_.forget(owner_, chunks);
  };
  const auto tidy = [&] {
    if (!entering && !unplaced.empty()) turn.others->tidy([&] { give_back(unplaced); });
  };
  try {
    if (turn.alone(store_all)) return true;
  } catch (...) {
    tidy();
    throw;
  }
  tidy();
  return false;
}

std::vector<ChunkStore::Outgoing> ChunkStore::take_unplaced(std::vector<Outgoing>& outgoing) const {
  std::vector<Outgoing> unplaced, placed;
  if (outgoing.empty() || index_->preallocates_chunks()) return unplaced;
  std::vector<std::uint64_t> chunks(outgoing.size());
  std::ranges::transform(outgoing, chunks.begin(), &Outgoing::chunk);
  const auto locations = locate(chunks);
  const auto known = std::ranges::count_if(locations, [](const auto& at) { return is_valid(at.address); });
  if (known == 0) unplaced.swap(outgoing);
  if (known == 0 || static_cast<std::size_t>(known) == outgoing.size()) return unplaced;
  for (std::size_t i = 0; i < outgoing.size(); ++i)
    (is_valid(locations[i].address) ? placed : unplaced).push_back(std::move(outgoing[i]));
  outgoing = std::move(placed);
  return unplaced;
}

bool ChunkStore::write_unplaced(std::span<Outgoing> outgoing, const Values& values, bool parallel,
                                const Others& others) {
  try {
    const bool placed = others.alone([&] {
      for (Outgoing& out : outgoing) {
        out.stored_bytes = chunk_bytes_;
        out.address = store_.space().allocate(store::SpaceKind::raw, chunk_bytes_);
      }
    });
    if (placed) write_plain_places(outgoing, values, parallel);
    return placed;
  } catch (...) {
    others.tidy([&] { give_back(outgoing); });
    throw;
  }
}

void ChunkStore::give_back(std::span<const Outgoing> outgoing) {
  for (const Outgoing& out : outgoing)
    if (is_valid(out.address)) store_.space().release(store::SpaceKind::raw, out.address, out.stored_bytes);
}

/// Sizes are known beforehand, so that every core gathers chunks and writes them while others do the same.
void ChunkStore::write_plain(std::span<Outgoing> outgoing, const Values& values, bool parallel) {
  for (Outgoing& out : outgoing) out.stored_bytes = chunk_bytes_;
  store_chunks(outgoing, [&] { write_plain_places(outgoing, values, parallel); });
}

void ChunkStore::write_plain_places(std::span<const Outgoing> outgoing, const Values& values, bool parallel) {
  for_each_request(
      outgoing, parallel, written_batch, [this](const Outgoing&) { return chunk_bytes_; },
      [&](std::span<const Outgoing> batch, bool at_once) { write_plain_batch(batch, values, at_once); });
}

void ChunkStore::write_plain_batch(std::span<const Outgoing> outgoing, const Values& values, bool at_once) {
  const auto direct = [&](const Outgoing& out) {
    return out.whole && values.conversion.traits().copies &&
           chunk_bytes_ / out.piece->run_count >= least_direct_bytes;
  };
  const auto staged = std::ranges::count_if(outgoing, [&](const Outgoing& out) { return !direct(out); });
  Workspace room;
  MutableBytes staging = room.allocate(static_cast<std::size_t>(staged) * chunk_bytes_);
  std::vector<MutableBytes> gathered(outgoing.size());
  std::vector<io::WriteExtent> extents;
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    const std::uint64_t offset = to_number(outgoing[i].address);
    if (!direct(outgoing[i])) {
      gathered[i] = staging.first(chunk_bytes_);
      staging = staging.subspan(chunk_bytes_);
      add_extent(extents, offset, gathered[i]);
      continue;
    }
    const space::PieceRuns held(*outgoing[i].piece);
    for (const space::ChunkRun& run : held.runs()) {
      add_extent(extents, offset + run.chunk_offset * element_bytes_,
                 {values.memory + run.memory * element_bytes_, run.length * element_bytes_});
    }
  }
  for_each(outgoing.size(), at_once, [&](std::size_t i) {
    if (gathered[i].empty()) return;
    format_->write_plain(space::PieceRuns(*outgoing[i].piece).runs(), values, outgoing[i].whole, gathered[i]);
  });
  store_.write_raw(Address{0}, extents);
}

/// Images with the elements of those pieces whose chunks nobody has written to yet, null for the others.
std::vector<std::unique_ptr<ChunkImage>> ChunkStore::make_fresh(Pieces pieces, const Values& values,
                                                                bool parallel) const {
  std::vector<std::unique_ptr<ChunkImage>> fresh(pieces.size());
  std::vector<std::uint64_t> chunks(pieces.size());
  std::ranges::transform(pieces, chunks.begin(), &space::ChunkPiece::chunk);
  const auto held = cache_.find(owner_, chunks);
  const auto locations = locate(chunks);
  for_each(pieces.size(), parallel, [&](std::size_t i) {
    if (held[i] || is_valid(locations[i].address)) return;
    fresh[i] = format_->blank();
    format_->write(*fresh[i], space::PieceRuns(pieces[i]).runs(), values);
  });
  return fresh;
}

/// Through images, which stay in the cache. Those in `fresh` are taken for chunks that still nobody else has
/// written to.
void ChunkStore::write_partial(Pieces pieces, std::span<std::unique_ptr<ChunkImage>> fresh,
                               const Values& values, bool parallel) {
  if (pieces.empty()) return;
  std::vector<std::uint64_t> chunks(pieces.size());
  std::ranges::transform(pieces, chunks.begin(), &space::ChunkPiece::chunk);
  auto images = cache_.find(owner_, chunks);
  std::vector<std::uint64_t> missing;
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (images[i]) continue;
    missing.push_back(chunks[i]);
    place.push_back(i);
  }
  const auto locations = locate(missing);
  std::vector<Wanted> wanted;
  std::vector<std::size_t> wanted_by;
  std::vector<char> written(pieces.size(), false);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (is_valid(locations[i].address)) {
      wanted.push_back({missing[i], locations[i], whole(missing[i]), false, nullptr, {}});
      wanted_by.push_back(place[i]);
    } else if (fresh[place[i]]) {
      images[place[i]] = std::move(fresh[place[i]]);
      written[place[i]] = true;
    }
  }
  load(wanted, nullptr);
  for (std::size_t i = 0; i < wanted.size(); ++i) images[wanted_by[i]] = std::move(wanted[i].image);
  const auto put = [&] {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (images[i]) cache_.put_dirty(key(chunks[i]), std::move(images[i]));
  };
  try {
    for_each(pieces.size(), parallel, [&](std::size_t i) {
      if (written[i]) return;
      if (!images[i]) images[i] = format_->blank();
      format_->write(own(images[i]), space::PieceRuns(pieces[i]).runs(), values);
    });
  } catch (...) {
    put();  // some have changed
    throw;
  }
  put();
}

}  // namespace filigree::chunk
