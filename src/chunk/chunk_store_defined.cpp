// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a dataset are defined, and making them undefined. All of it goes with the chunks that
// there are, however large the extent is.
#include <algorithm>

#include "base/checked.hpp"
#include "base/executor.hpp"
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

/// Appends where the elements of a chunk stand in the extent; what lies outside of it is left out.
void append_places(const space::ChunkGrid& grid, index::Scaled at, const space::RunSet& local,
                   std::vector<space::Run>& places) {
  const space::Frame& chunk = grid.chunk();
  const std::size_t rank = chunk.rank();
  const std::uint64_t row = chunk.dims()[rank - 1];
  Coordinates corner(rank), within(rank);
  for (std::size_t d = 0; d < rank; ++d) corner[d] = at[d] * chunk.dims()[d];
  const std::uint64_t row_room = grid.extent().dims()[rank - 1] - corner[rank - 1];
  for (std::size_t i = 0; i < local.runs(); ++i) {
    space::Run rest = local.run(i);
    while (rest.length > 0) {
      chunk.coordinates(rest.start, within.data());
      const std::uint64_t column = within[rank - 1];
      const std::uint64_t length = std::min(rest.length, row - column);
      bool inside = column < row_room;
      for (std::size_t d = 0; d < rank; ++d) {
        within[d] += corner[d];
        inside = inside && within[d] < grid.extent().dims()[d];
      }
      if (inside) places.push_back({grid.extent().position(within), std::min(length, row_room - column)});
      rest = {rest.start + length, rest.length - length};
    }
  }
}

/// The elements of a chunk that lie in a box of the extent.
space::RunSet part_in_box(const space::ChunkGrid& grid, index::Scaled at, const space::Bounds& box) {
  std::vector<space::SlabDimension> dims;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    const std::uint64_t dim = grid.chunk().dims()[d];
    const std::uint64_t corner = at[d] * dim;
    const std::uint64_t low = std::max(box.low[d], corner) - corner;
    const std::uint64_t high = std::min(box.high[d], corner + (dim - 1)) - corner;
    dims.push_back({low, 1, 1, high - low + 1});
  }
  return space::Selection::regular(grid.chunk(), std::move(dims)).runs();
}

bool is_box(const space::Selection& selection, const space::Bounds& bounds) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < bounds.low.size(); ++d) elements *= bounds.high[d] - bounds.low[d] + 1;
  return selection.is_set() && elements == selection.elements();
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
    if (!std::ranges::binary_search(dirty, grid_->chunks().position(place)))
      see(place, location, cache_.find(key(grid_->chunks().position(place))));
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

space::Selection ChunkStore::defined_elements(const space::Selection& selection) const {
  struct Part {
    Coordinates at;
    index::ChunkLocation location;
    ImagePointer image;
    Buffer bytes{};
    std::vector<space::Run> places{};
  };
  std::vector<Part> parts;
  std::uint64_t bytes = 0;
  std::vector<space::Run> places;
  const auto finish = [&] {
    std::vector<io::ReadExtent> extents;
    for (Part& part : parts) {
      if (part.image) continue;
      const auto run = format_->defined_part({part.location.filter_mask, part.location.sections},
                                             part.location.stored_bytes);
      part.bytes.resize(run.length);
      if (run.length > 0) extents.push_back({to_number(part.location.address) + run.start, part.bytes});
    }
    if (!extents.empty()) store_.read_raw(Address{0}, extents);
    Executor::default_executor().for_each(parts.size(), [&](std::size_t i) {
      Part& part = parts[i];
      const StoredForm form{part.location.filter_mask, part.location.sections};
      const auto local = part.image ? format_->defined(*part.image)
                                    : format_->decode_defined(part.bytes, form, part.location.stored_bytes,
                                                              whole(grid_->chunks().position(part.at)));
      append_places(*grid_, part.at, local, part.places);
    });
    for (const Part& part : parts) places.insert(places.end(), part.places.begin(), part.places.end());
    parts.clear();
    bytes = 0;
  };
  for_each_touched(selection, [&](index::Scaled at, const index::ChunkLocation& location,
                                  const ImagePointer& image) {
    parts.push_back({{at.begin(), at.end()}, location, image});
    if (!image)
      bytes += format_->defined_part({location.filter_mask, location.sections}, location.stored_bytes).length;
    if (bytes >= most_bytes) finish();
  });
  finish();
  auto all = space::Selection::of_runs(grid_->extent(), space::RunSet::of_runs(std::move(places)));
  if (selection.kind() == space::Selection::Kind::all) return all;
  const auto wanted =
      selection.is_set() ? selection : space::Selection::of_runs(selection.frame(), selection.runs());
  return space::combine(wanted, space::SetOperator::intersect, all);
}

void ChunkStore::erase(const space::Selection& selection) {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  struct Part {
    Coordinates at;
    index::ChunkLocation location;
    ImagePointer image;
    space::RunSet local{};
  };
  std::vector<Part> parts;
  for_each_touched(selection,
                   [&](index::Scaled at, const index::ChunkLocation& location, const ImagePointer& image) {
                     parts.push_back({{at.begin(), at.end()}, location, image});
                   });
  if (is_box(selection, *bounds)) {
    for (Part& part : parts) part.local = part_in_box(*grid_, part.at, *bounds);
  } else {
    std::ranges::sort(parts, {}, [&](const Part& part) { return grid_->chunks().position(part.at); });
    const space::Selection places = space::Selection::all(space::Frame({selection.elements()}));
    space::Partition partition(*grid_, selection, places);
    for (std::vector<space::ChunkPiece> pieces; partition.next_batch(pieces);) {
      for (const space::ChunkPiece& piece : pieces) {
        const auto part = std::ranges::lower_bound(
            parts, piece.chunk, {}, [&](const Part& p) { return grid_->chunks().position(p.at); });
        if (part == parts.end() || grid_->chunks().position(part->at) != piece.chunk) continue;
        std::vector<space::Run> runs;
        for (const space::ChunkRun& run : piece.runs) runs.push_back({run.local, run.length});
        part->local =
            space::combine(part->local, space::SetOperator::unite, space::RunSet::of_runs(std::move(runs)));
      }
    }
  }
  for (const Part& part : parts)
    if (!part.local.empty()) erase_part(part.at, part.location, part.image, part.local);
}

void ChunkStore::erase_part(index::Scaled at, const index::ChunkLocation& location, ImagePointer image,
                            const space::RunSet& local) {
  const std::uint64_t chunk = grid_->chunks().position(at);
  if (local.elements() == elements_inside(chunk)) return remove_chunk(at);
  if (!image) {
    Buffer stored(location.stored_bytes);
    const io::ReadExtent extent{to_number(location.address), stored};
    store_.read_raw(Address{0}, {&extent, 1});
    image = format_->decode(stored, {location.filter_mask, location.sections}, whole(chunk));
  }
  auto changed = format_->copy(*image);
  format_->erase(*changed, local);
  if (format_->empty(*changed)) return remove_chunk(at);
  cache_.put_dirty(key(chunk), std::move(changed));
}

void ChunkStore::remove_chunk(index::Scaled at) {
  const auto removed = index_->remove(at);
  cache_.forget(key(grid_->chunks().position(at)));
  if (removed && defined(removed->address))
    store_.space().release(store::SpaceKind::raw, removed->address, removed->stored_bytes);
  tell_layout();
}

}  // namespace filigree::chunk
