// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_store.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Images and stored bytes that a request holds at a time, unless one chunk is larger.
constexpr std::uint64_t most_group_bytes = std::uint64_t{64} << 20;
/// Small chunks take more memory for what is known of them than for themselves.
constexpr std::size_t most_group_chunks = 8192;
/// So much even where the cache has a smaller budget: groups of few chunks would leave cores idle.
constexpr std::uint64_t least_group_bytes = std::uint64_t{4} << 20;

/// More are looked up on several cores.
constexpr std::size_t most_located_at_once = 1024;

std::array<std::uint64_t, space::max_rank> scaled_of(const space::ChunkGrid& grid, std::uint64_t chunk) {
  std::array<std::uint64_t, space::max_rank> at{};
  grid.chunks().coordinates(chunk, at.data());
  return at;
}

std::array<std::uint64_t, space::max_rank> array_of(index::ChunkCoordinates at) {
  std::array<std::uint64_t, space::max_rank> all{};
  std::ranges::copy(at, all.begin());
  return all;
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

}  // namespace

ChunkStore::ChunkStore(store::FileStore& store, ChunkStoreSetup setup, ChunkCache& cache)
    : store_(store),
      index_(std::move(setup.index)),
      format_(std::move(setup.format)),
      element_bytes_(setup.element_bytes),
      chunk_bytes_(index_->grid().chunk_bytes),
      image_bytes_(format_->usual_bytes(chunk_bytes_)),
      reads_blank_(setup.reads_blank),
      allocates_late_(setup.allocates_late),
      layout_changed_(std::move(setup.layout_changed)),
      cut_off_(std::move(setup.cut_off)),
      separate_(std::move(setup.separate)),
      told_revision_(index_->layout_revision()),
      cache_(cache),
      owner_(cache.new_owner()) {
  set_extent(setup.extent);
}

ChunkStore::~ChunkStore() { cache_.forget_owner(owner_); }

void ChunkStore::set_extent(std::span<const std::uint64_t> extent) {
  grid_.emplace(space::Frame({extent.begin(), extent.end()}), index_->grid().dims);
  look_ahead_.reset(grid_->chunks().elements());
  cuts_chunks_ = false;
  for (std::size_t d = 0; d < extent.size(); ++d) cuts_chunks_ |= extent[d] % grid_->chunk().dims()[d] != 0;
}

bool ChunkStore::whole(std::uint64_t chunk) const {
  return !cuts_chunks_ || elements_inside(chunk) == grid_->chunk().elements();
}

std::uint64_t ChunkStore::elements_inside(std::uint64_t chunk) const {
  if (!cuts_chunks_) return grid_->chunk().elements();
  return chunk::elements_inside(*grid_, scaled_of(*grid_, chunk));
}

std::vector<std::uint64_t> ChunkStore::coordinates_of(std::span<const std::uint64_t> chunks) const {
  const std::size_t rank = grid_->chunk().rank();
  std::vector<std::uint64_t> coordinates(chunks.size() * rank);
  for (std::size_t i = 0; i < chunks.size(); ++i)
    grid_->chunks().coordinates(chunks[i], &coordinates[i * rank]);
  return coordinates;
}

std::vector<index::ChunkLocation> ChunkStore::locate(std::span<const std::uint64_t> chunks) const {
  std::vector<index::ChunkLocation> found(chunks.size());
  // What is far away is better asked for at once.
  const bool far = io::is_high_latency(store_.file().capabilities());
  const std::size_t at_once = far ? std::max<std::size_t>(1, chunks.size()) : most_located_at_once;
  const std::size_t blocks = (chunks.size() + at_once - 1) / at_once;
  for_each(blocks, true, [&](std::size_t i) {
    const std::size_t first = i * at_once, count = std::min(at_once, chunks.size() - first);
    index_->find(coordinates_of(chunks.subspan(first, count)), std::span(found).subspan(first, count));
  });
  return found;
}

std::size_t ChunkStore::chunks_at_a_time() const {
  const std::uint64_t bytes =
      std::clamp<std::uint64_t>(cache_.budget_bytes(), least_group_bytes, most_group_bytes);
  return std::clamp<std::size_t>(bytes / std::max<std::uint64_t>(1, image_bytes_), 1, most_group_chunks);
}

ImagePointer ChunkStore::blank() const {
  std::call_once(blank_made_, [this] { blank_ = format_->blank(); });
  return blank_;
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
  const auto images = cache_.find(owner_, chunks);
  for (const ImagePointer& image : images) separate_values(image);
  std::vector<Outgoing> outgoing(chunks.size());
  for_each(chunks.size(), true, [&](std::size_t i) {
    outgoing[i].chunk = chunks[i];
    outgoing[i].set_bytes(format_->pack(*images[i], whole(chunks[i]), outgoing[i].stored));
  });
  store_chunks(outgoing);
  for (const std::uint64_t chunk : chunks) cache_.make_clean(key(chunk));
}

/// Whoever reads the file meanwhile may get a mixture of both, which only plain elements make sense of.
bool ChunkStore::overwritable(bool whole) const { return !store_.swmr_writer() || format_->plain(whole); }

/// A chunk keeps its place while its size stays the same, unless it was given another one already.
void ChunkStore::place(std::span<const std::uint64_t> coordinates, std::span<Outgoing> outgoing) {
  if (index_->preallocates_chunks()) index_->allocate();
  std::vector<index::ChunkLocation> before(outgoing.size());
  index_->find(coordinates, before);
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    Outgoing& out = outgoing[i];
    out.before = before[i];
    if (is_valid(out.address)) continue;
    const bool stays = is_valid(before[i].address) && before[i].stored_bytes == out.stored_bytes &&
                       overwritable(whole(out.chunk));
    out.address =
        stays ? before[i].address : store_.space().allocate(store::SpaceKind::raw, out.stored_bytes);
  }
}

void ChunkStore::enter(std::span<const std::uint64_t> coordinates, std::span<const Outgoing> outgoing,
                       std::size_t& entered) {
  std::vector<index::ChunkLocation> now;
  now.reserve(outgoing.size());
  bool changes = false;
  for (const Outgoing& out : outgoing) {
    now.push_back({out.address, out.stored_bytes, out.stored.form.filter_mask, out.stored.form.sections});
    changes |= now.back() != out.before;
  }
  // Entering what the index says already changes nothing.
  if (changes) index_->insert(coordinates, now, entered);
}

void ChunkStore::store_chunks(std::span<Outgoing> outgoing) {
  store_chunks(outgoing, [&] {
    std::vector<io::WriteExtent> extents;
    for (const Outgoing& out : outgoing) add_extent(extents, to_number(out.address), out.bytes);
    store_.write_raw(Address{0}, extents);
  });
}

void ChunkStore::store_chunks(std::span<Outgoing> outgoing, FunctionRef<void()> write) {
  if (outgoing.empty()) return;
  std::vector<std::uint64_t> chunks(outgoing.size());
  std::ranges::transform(outgoing, chunks.begin(), &Outgoing::chunk);
  const auto coordinates = coordinates_of(chunks);
  std::size_t entered = 0;
  try {
    place(coordinates, outgoing);
    write();
    enter(coordinates, outgoing, entered);
  } catch (...) {
    for (std::size_t i = entered; i < outgoing.size(); ++i) {
      const Outgoing& out = outgoing[i];
      if (is_valid(out.address) && out.address != out.before.address)
        store_.space().release(store::SpaceKind::raw, out.address, out.stored_bytes);
    }
    tell_layout();
    throw;
  }
  for (const Outgoing& out : outgoing) {
    if (is_valid(out.before.address) && out.before.address != out.address)
      store_.space().release(store::SpaceKind::raw, out.before.address, out.before.stored_bytes);
  }
  tell_layout();
}

void ChunkStore::tell_layout() {
  if (told_revision_ == index_->layout_revision()) return;
  told_revision_ = index_->layout_revision();
  if (layout_changed_) layout_changed_(index_->layout());
}

void ChunkStore::allocate_before_writing() {
  if (allocates_late_ && !is_valid(index_->layout().address)) allocate_all();
}

void ChunkStore::separate_values(const ImagePointer& image) {
  if (separate_) format_->for_each_value(own(image), separate_);
}

void ChunkStore::allocate_all(std::span<const std::uint64_t> before) {
  if (grid_->chunks().elements() == 0) return;
  index_->allocate();
  tell_layout();
  const ImagePointer blank = this->blank();
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
      Outgoing& out = outgoing.emplace_back();
      out.chunk = chunk;
      const bool is_whole = whole(chunk);
      if (separate_) {
        const ImagePointer image = format_->blank();
        separate_values(image);
        out.stored = format_->encode(*image, is_whole);
      } else if (!is_whole) {
        out.stored = format_->encode(*blank, false);
      } else {
        out.stored.form = uncut.form;
      }
    }
    for (Outgoing& out : outgoing) out.set_bytes(out.stored.bytes.empty() ? uncut.bytes : out.stored.bytes);
    store_chunks(outgoing);
  }
}

std::vector<std::uint64_t> ChunkStore::chunks_to_rewrite(const space::Frame& before) const {
  const space::Frame& extent = grid_->extent();
  std::vector<std::uint64_t> cut;
  // What only the new extent has was never written: an index that gives every chunk a place knows no better.
  std::vector<space::SlabDimension> common;
  for (std::size_t d = 0; d < extent.rank(); ++d) {
    common.push_back({0, 1, 1, std::min(before.dims()[d], extent.dims()[d])});
    if (common[d].block == 0) return cut;
  }
  for (std::size_t d = 0; d < extent.rank(); ++d) {
    const std::uint64_t dim = grid_->chunk().dims()[d];
    const std::uint64_t smaller = std::min(before.dims()[d], extent.dims()[d]);
    const bool matters = before.dims()[d] > extent.dims()[d] ||
                         (before.dims()[d] < extent.dims()[d] && format_->cut_chunks_differ());
    if (!matters || smaller % dim == 0) continue;
    // The row of chunks that the smaller extent ends in.
    auto last = common;
    last[d] = {smaller / dim * dim, 1, 1, smaller % dim};
    for_each_touched(space::Selection::regular(extent, last),
                     [&](index::ChunkCoordinates at, const index::ChunkLocation&, const ImagePointer&) {
                       cut.push_back(grid_->chunks().offset(at));
                     });
  }
  std::ranges::sort(cut);
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  return cut;
}

/// What the extent no longer has must not show when it grows again; what it cuts may be filtered otherwise.
void ChunkStore::rewrite(std::span<const std::uint64_t> chunks, const space::ChunkGrid& before) {
  const auto locations = locate(chunks);
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!is_valid(locations[i].address)) continue;
    Wanted& one = wanted.emplace_back();
    one.chunk = chunks[i];
    one.location = locations[i];
    // Whether it is filtered went with the extent that it was stored under.
    one.whole = chunk::elements_inside(before, scaled_of(*grid_, chunks[i])) == grid_->chunk().elements();
  }
  load(wanted, nullptr);
  std::vector<Buffer> values(cut_off_ ? wanted.size() : 0);  // before
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = all_values(*wanted[i].image);
  std::vector<Outgoing> outgoing(wanted.size());
  for_each(wanted.size(), true, [&](std::size_t i) { erase_outside(wanted[i].chunk, own(wanted[i].image)); });
  for (const Wanted& one : wanted) separate_values(one.image);
  for_each(wanted.size(), true, [&](std::size_t i) {
    const ChunkImage& image = *wanted[i].image;
    outgoing[i].chunk = wanted[i].chunk;
    if (!format_->empty(image))
      outgoing[i].set_bytes(format_->pack(image, whole(wanted[i].chunk), outgoing[i].stored));
  });
  for (const Outgoing& out : outgoing) {
    if (out.stored_bytes == 0) remove_chunk({scaled_of(*grid_, out.chunk).data(), grid_->chunk().rank()});
  }
  std::erase_if(outgoing, [](const Outgoing& out) { return out.stored_bytes == 0; });
  store_chunks(outgoing);
  for (std::size_t i = 0; i < values.size(); ++i) cut_off_(values[i], all_values(*wanted[i].image));
}

void ChunkStore::erase_outside(std::uint64_t chunk, ChunkImage& image) const {
  const space::Frame& frame = grid_->chunk();
  const auto at = scaled_of(*grid_, chunk);
  space::Bounds inside{std::vector<std::uint64_t>(frame.rank(), 0), {}};
  for (std::size_t d = 0; d < frame.rank(); ++d) {
    const std::uint64_t room = grid_->extent().dims()[d] - at[d] * frame.dims()[d];
    inside.high.push_back(std::min(frame.dims()[d], room) - 1);
  }
  const space::RunSet has = format_->defined(image);
  format_->erase(image,
                 space::combine(has, space::SetOperator::subtract, elements_in_box(frame, has, inside)));
}

Buffer ChunkStore::all_values(const ChunkImage& image) const {
  Buffer values;
  format_->for_each_value(image, [&](Bytes some) { values.insert(values.end(), some.begin(), some.end()); });
  return values;
}

void ChunkStore::drop(std::span<Wanted> gone) {
  for (std::size_t i = 0; i < gone.size(); ++i) {
    try {
      load(gone.subspan(i, 1), nullptr);
      cut_off_(all_values(*gone[i].image), {});
    } catch (const Error&) {
      // What the elements of a damaged chunk refer to stays; the chunk goes.
    }
    gone[i].image.reset();
    store_.space().release(store::SpaceKind::raw, gone[i].location.address, gone[i].location.stored_bytes);
  }
}

void ChunkStore::resize(std::span<const std::uint64_t> extent) {
  if (store_.swmr_writer() && format_->cut_chunks_differ()) {
    // A reader would not know by which extent the chunks at the edge are to be understood.
    throw Error(ErrorKind::unsupported,
                "a dataset whose chunks at the edge are not filtered cannot be resized while others follow "
                "the file");
  }
  flush();
  // Numbers of chunks go with the grid, so nothing that is cached may outlive it.
  cache_.forget_owner(owner_);
  owner_ = cache_.new_owner();
  const space::ChunkGrid before = *grid_;
  std::vector<Wanted> gone;
  try {
    index_->resize(extent, [&](index::ChunkCoordinates at, const index::ChunkLocation& location) {
      if (!cut_off_)
        return store_.space().release(store::SpaceKind::raw, location.address, location.stored_bytes);
      Wanted& one = gone.emplace_back();
      one.location = location;
      one.whole = chunk::elements_inside(before, array_of(at)) == before.chunk().elements();
    });
  } catch (...) {
    drop(gone);
    throw;
  }
  drop(gone);
  set_extent(extent);
  const auto cut = chunks_to_rewrite(before.extent());
  for (std::size_t first = 0; first < cut.size(); first += chunks_at_a_time()) {
    rewrite(std::span(cut).subspan(first, std::min(chunks_at_a_time(), cut.size() - first)), before);
  }
  tell_layout();
}

}  // namespace filigree::chunk
