// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a dataset are defined, and making them undefined. All of it goes with the chunks that
// there are, however large the extent is.
#include <algorithm>

#include "base/checked.hpp"
#include "base/executor.hpp"
#include "chunk/chunk_parts.hpp"
#include "chunk/chunk_rows.hpp"
#include "chunk/chunk_store.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Up to so many chunks are looked for one by one; more are taken from a walk along the index.
constexpr std::uint64_t few_chunks = 4096;
/// Bytes of sections that are in memory at a time.
constexpr std::uint64_t most_bytes = 64u << 20;

using Coordinates = std::vector<std::uint64_t>;

/// The chunks that the bounds of a selection touch; both corners belong to it.
struct ChunkBox {
  Coordinates first;
  Coordinates last;

  std::uint64_t chunks() const {
    std::uint64_t product = 1;
    for (std::size_t d = 0; d < first.size(); ++d)
      product = try_multiply(product, last[d] - first[d] + 1).value_or(~std::uint64_t{0});
    return product;
  }
  bool contains(index::Scaled at) const {
    for (std::size_t d = 0; d < first.size(); ++d)
      if (at[d] < first[d] || at[d] > last[d]) return false;
    return true;
  }
};

ChunkBox touched(const space::ChunkGrid& grid, const space::Bounds& bounds) {
  ChunkBox box;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    box.first.push_back(bounds.low[d] / grid.chunk().dims()[d]);
    box.last.push_back(bounds.high[d] / grid.chunk().dims()[d]);
  }
  return box;
}

/// Chunks are numbered in bands of so many; all elements of a band come before those of the next. Up to the
/// first dimension in which a chunk has more than one element, chunks are in the order of their elements.
std::uint64_t band_chunks(const space::ChunkGrid& grid) {
  std::size_t d = 0;
  while (d + 1 < grid.chunk().rank() && grid.chunk().dims()[d] == 1) ++d;
  return std::max<std::uint64_t>(1, grid.chunks().step(d));
}

/// Lists that are in order each, as one: neighbours in pairs, then pairs of pairs.
std::vector<space::Run> merged(std::vector<std::vector<space::Run>> lists) {
  if (lists.size() == 1) return std::move(lists[0]);
  std::vector<space::Run> all;
  std::vector<std::size_t> ends{0};
  for (const auto& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    ends.push_back(all.size());
  }
  const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(ends[i]); };
  const auto before = [](const space::Run& a, const space::Run& b) { return a.start < b.start; };
  for (std::size_t width = 1; width < lists.size(); width *= 2) {
    for (std::size_t first = 0; first + width < lists.size(); first += 2 * width) {
      std::inplace_merge(at(first), at(first + width), at(std::min(first + 2 * width, lists.size())), before);
    }
  }
  return all;
}

std::uint64_t elements_of(const space::Bounds& box) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < box.low.size(); ++d) elements *= box.high[d] - box.low[d] + 1;
  return elements;
}

bool is_box(const space::Selection& selection, const space::Bounds& bounds) {
  return selection.is_set() && elements_of(bounds) == selection.elements();
}

}  // namespace

void ChunkStore::for_each_touched(const space::Selection& selection, See see) const {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  const ChunkBox box = touched(*grid_, *bounds);
  // What is dirty is newer than the file, and may not be there yet.
  const auto dirty = cache_.dirty_chunks(owner_);
  Coordinates at(box.first.size());
  for (const std::uint64_t chunk : dirty) {
    grid_->chunks().coordinates(chunk, at.data());
    if (box.contains(at)) see(at, {}, cache_.find(key(chunk)));
  }
  const auto in_file = [&](index::Scaled place, const index::ChunkLocation& location) {
    if (!std::ranges::binary_search(dirty, grid_->chunks().position(place))) see(place, location, nullptr);
  };
  if (box.chunks() > few_chunks) {
    index_->for_each(
        [&](index::Scaled place, const index::ChunkLocation& location) {
          // Chunks beyond the extent are no part of the dataset, whatever an index may hold.
          if (box.contains(place) && index_->grid().inside(place)) in_file(place, location);
          return !std::ranges::lexicographical_compare(box.last, place);
        },
        box.first);
    return;
  }
  Coordinates wanted;
  for (at = box.first;;) {
    wanted.insert(wanted.end(), at.begin(), at.end());
    std::size_t d = at.size();
    while (d-- > 0 && ++at[d] > box.last[d]) at[d] = box.first[d];
    if (d == ~std::size_t{0}) break;
  }
  std::vector<index::ChunkLocation> found(wanted.size() / at.size());
  index_->find(wanted, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (defined(found[i].address)) in_file(std::span(wanted).subspan(i * at.size(), at.size()), found[i]);
  }
}

/// A chunk of which is asked what it defines.
struct ChunkStore::Asked {
  std::uint64_t chunk = 0;
  Coordinates at{};
  index::ChunkLocation location{};
  ImagePointer image{};
  Buffer bytes{};
};

space::RunSet ChunkStore::defined_in(const Asked& asked) const {
  if (asked.image) return format_->defined(*asked.image);
  return format_->decode_defined(asked.bytes, form_of(asked.location), asked.location.stored_bytes,
                                 whole(asked.chunk));
}

/// `asked` are chunks in ascending order; appends their elements.
void ChunkStore::append_defined(std::span<Asked> asked, std::vector<space::Run>& places) const {
  std::vector<io::ReadExtent> extents;
  for (Asked& one : asked) {
    if (one.image) continue;
    const auto run = format_->defined_part(form_of(one.location), one.location.stored_bytes);
    one.bytes.resize(run.length);
    if (run.length > 0) extents.push_back({to_number(one.location.address) + run.start, one.bytes});
  }
  if (!extents.empty()) store_.read_raw(Address{0}, extents);
  const std::uint64_t along = band_chunks(*grid_);
  std::vector<std::size_t> bands;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (i == 0 || asked[i].chunk / along != asked[i - 1].chunk / along) bands.push_back(i);
  bands.push_back(asked.size());
  std::vector<std::vector<space::Run>> found(bands.size() - 1);
  Executor::default_executor().for_each(found.size(), [&](std::size_t band) {
    std::vector<std::vector<space::Run>> lists;
    for (std::size_t i = bands[band]; i < bands[band + 1]; ++i)
      append_places(*grid_, asked[i].at, defined_in(asked[i]), lists.emplace_back());
    found[band] = merged(std::move(lists));
  });
  for (const auto& list : found) places.insert(places.end(), list.begin(), list.end());
}

space::Selection ChunkStore::defined_elements(const space::Selection& selection) const {
  std::vector<Asked> asked;
  for_each_touched(selection, [&](index::Scaled at, const index::ChunkLocation& location,
                                  const ImagePointer& newer) {
    const std::uint64_t chunk = grid_->chunks().position(at);
    asked.push_back({chunk, {at.begin(), at.end()}, location, newer ? newer : cache_.find(key(chunk)), {}});
  });
  std::ranges::sort(asked, {}, &Asked::chunk);
  std::vector<space::Run> places;
  const std::uint64_t along = band_chunks(*grid_);
  for (std::size_t first = 0, end = 0; first < asked.size(); first = end) {
    std::uint64_t bytes = 0;
    // Whole bands, so that all is in order from one part to the next.
    while (end < asked.size() &&
           (bytes < most_bytes || asked[end].chunk / along == asked[end - 1].chunk / along)) {
      const Asked& one = asked[end++];
      if (!one.image) bytes += format_->defined_part(form_of(one.location), one.location.stored_bytes).length;
    }
    append_defined(std::span(asked).subspan(first, end - first), places);
    for (std::size_t i = first; i < end; ++i) asked[i].bytes = {};
  }
  space::RunSetWriter writer(places.size());
  for (const space::Run& run : places) writer.add(run);
  auto all = space::Selection::of_runs(grid_->extent(), writer.finish());
  if (selection.kind() == space::Selection::Kind::all) return all;
  const auto wanted =
      selection.is_set() ? selection : space::Selection::of_runs(selection.frame(), selection.runs());
  return space::combine(wanted, space::SetOperator::intersect, all);
}

void ChunkStore::erase(const space::Selection& selection) {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  std::vector<Asked> asked;
  for_each_touched(
      selection, [&](index::Scaled at, const index::ChunkLocation& location, const ImagePointer& newer) {
        asked.push_back({grid_->chunks().position(at), {at.begin(), at.end()}, location, newer, {}});
      });
  if (!is_box(selection, *bounds)) return erase_pieces(selection, asked);
  for (const Asked& one : asked) {
    const space::Bounds box = box_in_chunk(*grid_, one.at, *bounds);
    erase_part(one, elements_of(box),
               [&](const space::RunSet& has) { return elements_in_box(grid_->chunk(), has, box); });
  }
}

void ChunkStore::erase_pieces(const space::Selection& selection, std::span<Asked> asked) {
  std::ranges::sort(asked, {}, &Asked::chunk);
  std::vector<space::RunSet> unwanted(asked.size());
  const space::Selection places = space::Selection::all(space::Frame({selection.elements()}));
  space::Partition partition(*grid_, selection, places);
  for (std::vector<space::ChunkPiece> pieces; partition.next_batch(pieces);) {
    for (const space::ChunkPiece& piece : pieces) {
      const auto one = std::ranges::lower_bound(asked, piece.chunk, {}, &Asked::chunk);
      if (one == asked.end() || one->chunk != piece.chunk) continue;
      std::vector<space::Run> runs;
      for (const space::ChunkRun& run : piece.runs) runs.push_back({run.local, run.length});
      space::RunSet& set = unwanted[static_cast<std::size_t>(one - asked.begin())];
      set = space::combine(set, space::SetOperator::unite, space::RunSet::of_runs(std::move(runs)));
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!unwanted[i].empty())
      erase_part(asked[i], unwanted[i].elements(), [&](const space::RunSet&) { return unwanted[i]; });
  }
}

/// `choose` says which of the defined elements go; `elements` is how many of the chunk are meant.
void ChunkStore::erase_part(const Asked& one, std::uint64_t elements, Choose choose) {
  if (elements == elements_inside(one.chunk)) return remove_chunk(one.at);
  std::array<Wanted, 1> wanted{{{one.chunk, one.location, whole(one.chunk), false, nullptr, one.image}}};
  if (!one.image) load(wanted, nullptr);
  auto changed = format_->copy(*wanted[0].image);
  format_->erase(*changed, choose(format_->defined(*changed)));
  if (format_->empty(*changed)) return remove_chunk(one.at);
  cache_.put_dirty(key(one.chunk), std::move(changed));
}

void ChunkStore::remove_chunk(index::Scaled at) {
  const auto removed = index_->remove(at);
  cache_.forget(key(grid_->chunks().position(at)));
  if (removed && defined(removed->address))
    store_.space().release(store::SpaceKind::raw, removed->address, removed->stored_bytes);
  tell_layout();
}

}  // namespace filigree::chunk
