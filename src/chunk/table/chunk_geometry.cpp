// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_geometry.hpp"

#include <algorithm>

namespace filigree::chunk {

ChunkGeometry::ChunkGeometry(std::span<const std::uint64_t> extent,
                             const std::vector<std::uint64_t>& chunk_dims)
    : grid_(space::Frame({extent.begin(), extent.end()}), chunk_dims) {
  for (std::size_t d = 0; d < extent.size(); ++d)
    has_partial_edges_ |= extent[d] % grid_.chunk().dims()[d] != 0;
}

ChunkGeometry::Coordinates ChunkGeometry::coordinates(std::uint64_t chunk) const {
  Coordinates at{};
  grid_.chunks().coordinates(chunk, at.data());
  return at;
}

std::vector<std::uint64_t> ChunkGeometry::coordinates_of(std::span<const std::uint64_t> chunks) const {
  const std::size_t rank = grid_.chunk().rank();
  std::vector<std::uint64_t> coordinates(chunks.size() * rank);
  for (std::size_t i = 0; i < chunks.size(); ++i)
    grid_.chunks().coordinates(chunks[i], &coordinates[i * rank]);
  return coordinates;
}

std::uint64_t ChunkGeometry::elements_inside_at(const Coordinates& at) const {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < grid_.chunk().rank(); ++d) {
    const std::uint64_t dim = grid_.chunk().dims()[d];
    const std::uint64_t start = at[d] * dim;
    elements *= std::min(dim, grid_.extent().dims()[d] - std::min(start, grid_.extent().dims()[d]));
  }
  return elements;
}

}  // namespace filigree::chunk
