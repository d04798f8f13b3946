// SPDX-License-Identifier: Apache-2.0
//
// The chunks of an extent as a grid, and which of them are partial edge chunks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "space/partition.hpp"

namespace filigree::chunk {

/// Chunks are numbered in row-major order of the grid. The numbers depend on the extent. Elements and chunks
/// of an extent of 2^64 elements or more have no numbers: its grid is empty, and chunks have coordinates
/// only.
class ChunkGeometry {
 public:
  using Coordinates = std::array<std::uint64_t, space::max_rank>;

  ChunkGeometry(std::span<const std::uint64_t> extent, const std::vector<std::uint64_t>& chunk_dims);

  const space::ChunkGrid& grid() const { return grid_; }
  /// The dimensions of the extent.
  const std::vector<std::uint64_t>& dims() const { return dims_; }
  /// Whether the extent has 2^64 elements or more.
  bool is_huge() const { return is_huge_; }
  std::uint64_t chunks() const { return grid_.chunks().elements(); }

  /// Coordinates of a chunk in the grid.
  Coordinates coordinates(std::uint64_t chunk) const;
  /// The same of many chunks, concatenated.
  std::vector<std::uint64_t> coordinates_of(std::span<const std::uint64_t> chunks) const;

  ChunkEdge edge(std::uint64_t chunk) const {
    return !has_partial_edges_ || elements_inside(chunk) == grid_.chunk().elements() ? ChunkEdge::full
                                                                                     : ChunkEdge::partial;
  }
  /// Also of a chunk that lies outside of the extent.
  ChunkEdge edge_at(std::span<const std::uint64_t> at) const {
    return elements_inside_at(at) == grid_.chunk().elements() ? ChunkEdge::full : ChunkEdge::partial;
  }
  /// Whether the extent has elements of the chunk.
  bool contains(std::span<const std::uint64_t> at) const;
  /// How many elements of a chunk are inside of the extent.
  std::uint64_t elements_inside(std::uint64_t chunk) const {
    return has_partial_edges_ ? elements_inside_at(coordinates(chunk)) : grid_.chunk().elements();
  }

 private:
  std::uint64_t elements_inside_at(std::span<const std::uint64_t> at) const;

  std::vector<std::uint64_t> dims_;
  bool is_huge_ = false;
  space::ChunkGrid grid_;
  bool has_partial_edges_ = false;
};

}  // namespace filigree::chunk
