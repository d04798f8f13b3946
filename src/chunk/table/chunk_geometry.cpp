// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_geometry.hpp"

#include <algorithm>

#include "space/huge_selection.hpp"

namespace filigree::chunk {
namespace {

space::Frame frame_of(const std::vector<std::uint64_t>& dims, bool is_huge) {
  return space::Frame(is_huge ? std::vector<std::uint64_t>(dims.size(), 0) : dims);
}

}  // namespace

ChunkGeometry::ChunkGeometry(std::span<const std::uint64_t> extent,
                             const std::vector<std::uint64_t>& chunk_dims)
    : dims_(extent.begin(), extent.end()),
      is_huge_(space::is_huge(extent)),
      grid_(frame_of(dims_, is_huge_), chunk_dims) {
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

bool ChunkGeometry::contains(std::span<const std::uint64_t> at) const {
  if (at.size() != dims_.size()) return false;
  for (std::size_t d = 0; d < dims_.size(); ++d)
    if (dims_[d] == 0 || at[d] > (dims_[d] - 1) / grid_.chunk().dims()[d]) return false;
  return true;
}

std::uint64_t ChunkGeometry::elements_inside_at(std::span<const std::uint64_t> at) const {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < grid_.chunk().rank(); ++d) {
    const std::uint64_t dim = grid_.chunk().dims()[d];
    const std::uint64_t start = at[d] * dim;
    elements *= std::min(dim, dims_[d] - std::min(start, dims_[d]));
  }
  return elements;
}

}  // namespace filigree::chunk
