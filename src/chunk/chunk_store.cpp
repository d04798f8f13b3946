// SPDX-License-Identifier: Apache-2.0
#include "chunk/chunk_store.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/executor.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Images and stored bytes that a request holds at a time, unless one chunk is larger.
constexpr std::uint64_t group_bytes = std::uint64_t{64} << 20;
/// Shorter runs are cheaper to pass through an image.
constexpr std::uint64_t least_direct_run_bytes = 512;

std::array<std::uint64_t, space::max_rank> scaled_of(const space::ChunkGrid& grid, std::uint64_t chunk) {
  std::array<std::uint64_t, space::max_rank> at{};
  grid.chunks().coordinates(chunk, at.data());
  return at;
}

std::uint64_t elements_inside(const space::ChunkGrid& grid,
                              const std::array<std::uint64_t, space::max_rank>& at) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    const std::uint64_t dim = grid.chunk().dims()[d];
    const std::uint64_t start = at[d] * dim;
    elements *= std::min(dim, grid.extent().dims()[d] - std::min(start, grid.extent().dims()[d]));
  }
  return elements;
}

StoredForm form_of(const index::ChunkLocation& location) { return {location.filter_mask, location.sections}; }

/// Runs `work(i)` for every i below `count`, on all cores where that is allowed.
template <class Work>
void for_each(std::size_t count, bool parallel, Work work) {
  if (parallel && count > 1) return Executor::default_executor().for_each(count, work);
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace

/// A chunk on its way to the file.
struct ChunkStore::Outgoing {
  std::uint64_t chunk = 0;
  StoredChunk stored{};
  Bytes bytes{};  ///< of `stored`, or of a caller
  index::ChunkLocation before{};
  Address address = Address::undefined;
};

ChunkStore::ChunkStore(store::FileStore& store, ChunkStoreSetup setup, ChunkCache& cache)
    : store_(store),
      index_(std::move(setup.index)),
      format_(std::move(setup.format)),
      grid_(std::in_place, space::Frame(std::move(setup.extent)), index_->grid().dims),
      element_bytes_(setup.element_bytes),
      chunk_bytes_(index_->grid().chunk_bytes),
      reads_blank_(setup.reads_blank),
      layout_changed_(std::move(setup.layout_changed)),
      told_revision_(index_->layout_revision()),
      cache_(cache),
      owner_(cache.new_owner()) {}

ChunkStore::~ChunkStore() { cache_.forget_owner(owner_); }

bool ChunkStore::whole(std::uint64_t chunk) const {
  return elements_inside(chunk) == grid_->chunk().elements();
}

std::uint64_t ChunkStore::elements_inside(std::uint64_t chunk) const {
  const auto at = scaled_of(*grid_, chunk);
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < grid_->chunk().rank(); ++d) {
    const std::uint64_t dim = grid_->chunk().dims()[d];
    elements *= std::min(dim, grid_->extent().dims()[d] - at[d] * dim);
  }
  return elements;
}

std::vector<index::ChunkLocation> ChunkStore::locate(std::span<const std::uint64_t> chunks) const {
  const std::size_t rank = grid_->chunk().rank();
  std::vector<std::uint64_t> coordinates(chunks.size() * rank);
  for (std::size_t i = 0; i < chunks.size(); ++i)
    grid_->chunks().coordinates(chunks[i], &coordinates[i * rank]);
  std::vector<index::ChunkLocation> found(chunks.size());
  index_->find(coordinates, found);
  return found;
}

std::size_t ChunkStore::group_end(std::span<const space::ChunkPiece> pieces, std::size_t first) const {
  return std::min(pieces.size(), first + chunks_at_a_time());
}

std::size_t ChunkStore::chunks_at_a_time() const {
  return static_cast<std::size_t>(
      std::max<std::uint64_t>(1, group_bytes / std::max<std::uint64_t>(1, chunk_bytes_)));
}

/// Reads the stored bytes of all chunks with one request.
void ChunkStore::fetch(std::span<Wanted> wanted) const {
  std::vector<io::ReadExtent> extents;
  for (Wanted& w : wanted) {
    if (!defined(w.location.address)) continue;
    w.stored.resize(static_cast<std::size_t>(w.location.stored_bytes));
    extents.push_back({to_number(w.location.address), w.stored});
  }
  if (!extents.empty()) store_.read_raw(Address{0}, extents);
}

void ChunkStore::decode(Wanted& wanted) const {
  wanted.image = defined(wanted.location.address)
                     ? format_->decode(wanted.stored, form_of(wanted.location), whole(wanted.chunk))
                     : format_->blank();
  wanted.stored = {};
}

void ChunkStore::read(const space::Selection& file, const space::Selection& memory, const Values& values,
                      bool parallel) const {
  space::Partition partition(*grid_, file, memory);
  std::vector<space::ChunkPiece> pieces;
  while (partition.next_batch(pieces)) {
    for (std::size_t first = 0; first < pieces.size();) {
      const std::size_t end = group_end(pieces, first);
      read_group(std::span(pieces).subspan(first, end - first), values, parallel);
      first = end;
    }
  }
}

void ChunkStore::read_group(std::span<const space::ChunkPiece> pieces, const Values& values,
                            bool parallel) const {
  std::vector<ImagePointer> images(pieces.size());
  std::vector<std::uint64_t> missing;
  std::vector<std::size_t> place;  // of the missing ones among the pieces
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    images[i] = cache_.find(key(pieces[i].chunk));
    if (images[i]) continue;
    missing.push_back(pieces[i].chunk);
    place.push_back(i);
  }
  const auto locations = locate(missing);
  std::vector<Wanted> wanted;
  std::vector<std::size_t> wanted_by;
  std::vector<io::ReadExtent> direct;
  std::uint64_t bypassed = 0;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const space::ChunkPiece& piece = pieces[place[i]];
    const bool there = defined(locations[i].address);
    if (!there && !reads_blank_) continue;
    const bool straight = there && values.conversion.traits().copies && format_->plain(whole(piece.chunk)) &&
                          piece.elements * element_bytes_ >= piece.runs.size() * least_direct_run_bytes;
    if (!straight) {
      wanted.push_back({piece.chunk, locations[i], {}, {}});
      wanted_by.push_back(place[i]);
      continue;
    }
    ++bypassed;
    for (const space::ChunkRun& run : piece.runs) {
      direct.push_back(
          {to_number(locations[i].address) + run.local * element_bytes_,
           MutableBytes(values.memory + run.memory * element_bytes_, run.length * element_bytes_)});
    }
  }
  if (!direct.empty()) store_.read_raw(Address{0}, direct);
  if (bypassed != 0) cache_.count_bypass(bypassed);
  fetch(wanted);
  for_each(wanted.size(), true, [&](std::size_t i) { decode(wanted[i]); });
  for (std::size_t i = 0; i < wanted.size(); ++i) images[wanted_by[i]] = wanted[i].image;
  for_each(pieces.size(), parallel, [&](std::size_t i) {
    if (images[i]) format_->read(*images[i], pieces[i].runs, values);
  });
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    // A chunk that was read whole, or that nobody wrote, is not likely to be asked for again.
    const bool all = pieces[wanted_by[i]].elements >= elements_inside(wanted[i].chunk);
    if (defined(wanted[i].location.address))
      cache_.put(key(wanted[i].chunk), std::move(wanted[i].image), all);
  }
}

void ChunkStore::write(const space::Selection& file, const space::Selection& memory, const Values& values,
                       bool parallel) {
  space::Partition partition(*grid_, file, memory);
  std::vector<space::ChunkPiece> pieces;
  while (partition.next_batch(pieces)) {
    for (std::size_t first = 0; first < pieces.size();) {
      const std::size_t end = group_end(pieces, first);
      write_group(std::span(pieces).subspan(first, end - first), values, parallel, file.is_set());
      first = end;
    }
  }
}

void ChunkStore::write_group(std::span<const space::ChunkPiece> pieces, const Values& values, bool parallel,
                             bool each_once) {
  const bool partial_elements = values.conversion.traits().partial;
  std::vector<std::unique_ptr<ChunkImage>> covered(pieces.size());  // chunks of which nothing old remains
  std::vector<ImagePointer> images(pieces.size());
  std::vector<std::uint64_t> missing;
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool covers = each_once && !partial_elements && values.replaced == nullptr &&
                        pieces[i].elements == elements_inside(pieces[i].chunk);
    if (covers) continue;
    images[i] = cache_.find(key(pieces[i].chunk));
    if (images[i]) continue;
    missing.push_back(pieces[i].chunk);
    place.push_back(i);
  }
  const auto locations = locate(missing);
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < missing.size(); ++i) wanted.push_back({missing[i], locations[i], {}, {}});
  fetch(wanted);
  for_each(wanted.size(), true, [&](std::size_t i) { decode(wanted[i]); });
  for (std::size_t i = 0; i < wanted.size(); ++i) images[place[i]] = std::move(wanted[i].image);

  std::vector<Outgoing> outgoing(pieces.size());
  for_each(pieces.size(), parallel, [&](std::size_t i) {
    if (images[i]) {
      // The writer is alone with the file, so nobody else looks at a cached image of its chunks.
      format_->write(const_cast<ChunkImage&>(*images[i]), pieces[i].runs, values);
      return;
    }
    covered[i] = format_->blank();
    format_->write(*covered[i], pieces[i].runs, values);
    outgoing[i].stored = format_->encode(*covered[i], whole(pieces[i].chunk));
    covered[i].reset();
  });
  std::vector<Outgoing> done;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (images[i]) {
      cache_.put_dirty(key(pieces[i].chunk), std::move(images[i]));
      continue;
    }
    outgoing[i].chunk = pieces[i].chunk;
    done.push_back(std::move(outgoing[i]));
  }
  cache_.count_bypass(done.size());
  store_chunks(done);
  for (const Outgoing& out : done) cache_.forget(key(out.chunk));
  if (cache_.wants_writing()) flush();
}

void ChunkStore::flush() {
  const auto chunks = cache_.dirty_chunks(owner_);
  for (std::size_t first = 0; first < chunks.size();) {
    const std::size_t count = std::min(chunks_at_a_time(), chunks.size() - first);
    flush_chunks(std::span(chunks).subspan(first, count));
    first += count;
  }
}

void ChunkStore::flush_chunks(std::span<const std::uint64_t> chunks) {
  std::vector<Outgoing> outgoing(chunks.size());
  std::vector<ImagePointer> images;
  for (const std::uint64_t chunk : chunks) images.push_back(cache_.find(key(chunk)));
  for_each(chunks.size(), true, [&](std::size_t i) {
    outgoing[i].chunk = chunks[i];
    outgoing[i].stored = format_->encode(*images[i], whole(chunks[i]));
  });
  store_chunks(outgoing);
  for (const std::uint64_t chunk : chunks) cache_.make_clean(key(chunk));
}

/// Finds a place for every chunk. A chunk keeps its place while its size stays the same.
void ChunkStore::place(std::span<Outgoing> outgoing) {
  std::vector<std::uint64_t> chunks;
  for (const Outgoing& out : outgoing) chunks.push_back(out.chunk);
  if (index_->places_chunks()) index_->allocate();
  const auto before = locate(chunks);
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    Outgoing& out = outgoing[i];
    out.before = before[i];
    const bool stays = defined(before[i].address) && before[i].stored_bytes == out.bytes.size();
    out.address =
        stays ? before[i].address : store_.space().allocate(store::SpaceKind::raw, out.bytes.size());
  }
}

void ChunkStore::store_chunks(std::span<Outgoing> outgoing) {
  if (outgoing.empty()) return;
  for (Outgoing& out : outgoing)
    if (out.bytes.empty()) out.bytes = out.stored.bytes;
  std::size_t indexed = 0;
  try {
    place(outgoing);
    std::vector<io::WriteExtent> extents;
    for (const Outgoing& out : outgoing) extents.push_back({to_number(out.address), out.bytes});
    store_.write_raw(Address{0}, extents);
    for (; indexed < outgoing.size(); ++indexed) {
      const Outgoing& out = outgoing[indexed];
      const auto at = scaled_of(*grid_, out.chunk);
      const index::ChunkLocation now{out.address, out.bytes.size(), out.stored.form.filter_mask,
                                     out.stored.form.sections};
      if (!(now == out.before)) index_->insert({at.data(), grid_->chunk().rank()}, now);
    }
  } catch (...) {
    for (std::size_t i = indexed; i < outgoing.size(); ++i) {
      const Outgoing& out = outgoing[i];
      if (defined(out.address) && out.address != out.before.address)
        store_.space().release(store::SpaceKind::raw, out.address, out.bytes.size());
    }
    tell_layout();
    throw;
  }
  for (const Outgoing& out : outgoing) {
    if (defined(out.before.address) && out.before.address != out.address)
      store_.space().release(store::SpaceKind::raw, out.before.address, out.before.stored_bytes);
  }
  tell_layout();
}

void ChunkStore::tell_layout() {
  if (told_revision_ == index_->layout_revision()) return;
  told_revision_ = index_->layout_revision();
  if (layout_changed_) layout_changed_(index_->layout());
}

void ChunkStore::allocate_all(std::span<const std::uint64_t> before) {
  if (grid_->chunks().elements() == 0) return;
  index_->allocate();
  tell_layout();
  const auto blank = format_->blank();
  const StoredChunk uncut = format_->encode(*blank, true);
  const std::uint64_t most = chunks_at_a_time();
  const auto had = [&](std::uint64_t chunk) {
    const auto at = scaled_of(*grid_, chunk);
    for (std::size_t d = 0; d < before.size(); ++d)
      if (at[d] * grid_->chunk().dims()[d] >= before[d]) return false;
    return !before.empty();
  };
  for (std::uint64_t first = 0; first < grid_->chunks().elements(); first += most) {
    std::vector<Outgoing> outgoing;
    for (std::uint64_t chunk = first; chunk < std::min(first + most, grid_->chunks().elements()); ++chunk) {
      if (had(chunk)) continue;
      outgoing.push_back(
          {chunk, whole(chunk) ? uncut : format_->encode(*blank, false), {}, {}, Address::undefined});
    }
    store_chunks(outgoing);
  }
}

std::vector<std::uint64_t> ChunkStore::chunks_to_rewrite(const space::Frame& before) const {
  const space::Frame& chunks = grid_->chunks();
  std::vector<std::uint64_t> cut;
  if (chunks.elements() == 0) return cut;
  const bool cut_ones_differ = format_->plain(true) != format_->plain(false);
  for (std::size_t d = 0; d < chunks.rank(); ++d) {
    const std::uint64_t now = grid_->extent().dims()[d];
    const std::uint64_t dim = grid_->chunk().dims()[d];
    const std::uint64_t smaller = std::min(before.dims()[d], now);
    const bool matters = before.dims()[d] > now || (before.dims()[d] < now && cut_ones_differ);
    if (!matters || smaller % dim == 0) continue;
    // The row of chunks that the smaller extent ends in.
    std::vector<space::SlabDimension> last;
    for (const std::uint64_t n : chunks.dims()) last.push_back({0, 1, 1, n});
    last[d] = {smaller / dim, 1, 1, 1};
    const space::RunSet row = space::Selection::regular(chunks, last).runs();
    for (std::size_t i = 0; i < row.runs(); ++i)
      for (std::uint64_t chunk = row.run(i).start; chunk < row.run(i).end(); ++chunk) cut.push_back(chunk);
  }
  std::ranges::sort(cut);
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  return cut;
}

/// What the extent no longer has must not show when it grows again; what it cuts may be filtered otherwise.
void ChunkStore::rewrite(std::span<const std::uint64_t> chunks, const space::ChunkGrid& before) {
  const auto locations = locate(chunks);
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < chunks.size(); ++i)
    if (defined(locations[i].address)) wanted.push_back({chunks[i], locations[i], {}, {}});
  fetch(wanted);
  std::vector<Outgoing> outgoing(wanted.size());
  for_each(wanted.size(), true, [&](std::size_t i) {
    const space::Frame& frame = grid_->chunk();
    const auto at = scaled_of(*grid_, wanted[i].chunk);
    std::vector<space::SlabDimension> inside;
    for (std::size_t d = 0; d < frame.rank(); ++d) {
      const std::uint64_t room = grid_->extent().dims()[d] - at[d] * frame.dims()[d];
      inside.push_back({0, 1, 1, std::min(frame.dims()[d], room)});
    }
    const auto outside = space::combine(space::Selection::all(frame), space::SetOperator::subtract,
                                        space::Selection::regular(frame, inside));
    // Whether it is filtered went with the extent that it was stored under.
    const bool was_whole = chunk::elements_inside(before, at) == frame.elements();
    const auto image = format_->decode(wanted[i].stored, form_of(wanted[i].location), was_whole);
    format_->erase(*image, outside.runs());
    outgoing[i].chunk = wanted[i].chunk;
    outgoing[i].stored = format_->encode(*image, whole(wanted[i].chunk));
  });
  store_chunks(outgoing);
}

void ChunkStore::resize(std::span<const std::uint64_t> extent) {
  flush();
  // Numbers of chunks go with the grid, so nothing that is cached may outlive it.
  cache_.forget_owner(owner_);
  owner_ = cache_.new_owner();
  const space::ChunkGrid before = *grid_;
  index_->resize(extent, [&](index::Scaled, const index::ChunkLocation& location) {
    store_.space().release(store::SpaceKind::raw, location.address, location.stored_bytes);
  });
  grid_.emplace(space::Frame({extent.begin(), extent.end()}), index_->grid().dims);
  const auto cut = chunks_to_rewrite(before.extent());
  for (std::size_t first = 0; first < cut.size(); first += chunks_at_a_time()) {
    rewrite(std::span(cut).subspan(first, std::min(chunks_at_a_time(), cut.size() - first)), before);
  }
  tell_layout();
}

}  // namespace filigree::chunk
