// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_walk.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace filigree::chunk {

using Coordinates = std::vector<std::uint64_t>;

ChunkBox::ChunkBox(const space::ChunkGrid& grid, const space::Bounds& bounds) {
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    first.push_back(bounds.low[d] / grid.chunk().dims()[d]);
    last.push_back(bounds.high[d] / grid.chunk().dims()[d]);
  }
}

std::uint64_t ChunkBox::chunks() const {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < first.size(); ++d)
    product = try_multiply(product, last[d] - first[d] + 1).value_or(~std::uint64_t{0});
  return product;
}

bool ChunkBox::contains(std::span<const std::uint64_t> coordinates) const {
  for (std::size_t d = 0; d < first.size(); ++d)
    if (coordinates[d] < first[d] || coordinates[d] > last[d]) return false;
  return true;
}

Coordinates ChunkBox::each() const {
  Coordinates all;
  all.reserve(static_cast<std::size_t>(chunks()) * first.size());
  for (Coordinates at = first;;) {
    all.insert(all.end(), at.begin(), at.end());
    std::size_t d = at.size();
    while (d-- > 0 && ++at[d] > last[d]) at[d] = first[d];
    if (d == ~std::size_t{0}) return all;
  }
}

void for_each_chunk(const ChunkTable& table, const space::Selection& selection, ChunkVisitor visit) {
  if (const auto bounds = selection.bounds()) for_each_chunk(table, *bounds, visit);
}

void for_each_chunk(const ChunkTable& table, ChunkVisitor visit) {
  space::Bounds bounds{Coordinates(table.geometry().dims().size(), 0), table.geometry().dims()};
  for (std::uint64_t& last : bounds.high)
    if (last-- == 0) return;
  for_each_chunk(table, bounds, visit);
}

void for_each_chunk(const ChunkTable& table, const space::Bounds& bounds, ChunkVisitor visit) {
  const space::ChunkGrid& grid = table.grid();
  const ChunkBox box(grid, bounds);
  // Dirty chunks are newer than the file, and may not be stored yet.
  const auto dirty = table.cache().dirty_chunks(table.cache_owner());
  Coordinates at(box.first.size());
  for (const std::uint64_t chunk : dirty) {
    grid.chunks().coordinates(chunk, at.data());
    if (box.contains(at)) visit(at, {}, table.cache().find(table.key(chunk)));
  }
  const auto visit_stored = [&](std::span<const std::uint64_t> coordinates,
                                const index::ChunkLocation& location) {
    if (dirty.empty() || !std::ranges::binary_search(dirty, grid.chunks().offset(coordinates)))
      visit(coordinates, location, nullptr);
  };
  if (box.chunks() > most_looked_up_chunks) {
    table.index().for_each(
        [&](std::span<const std::uint64_t> coordinates, const index::ChunkLocation& location) {
          // A damaged index may hold chunks outside of the extent. They are no part of the dataset.
          if (box.contains(coordinates) && table.index().grid().inside(coordinates))
            visit_stored(coordinates, location);
          return !std::ranges::lexicographical_compare(box.last, coordinates);
        },
        box.first);
    return;
  }
  const Coordinates candidates = box.each();
  std::vector<index::ChunkLocation> found(candidates.size() / at.size());
  table.index().find(candidates, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_valid(found[i].address))
      visit_stored(std::span(candidates).subspan(i * at.size(), at.size()), found[i]);
  }
}

}  // namespace filigree::chunk
