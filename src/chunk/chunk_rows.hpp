// SPDX-License-Identifier: Apache-2.0
//
// Elements of a chunk, row by row: what goes with the elements there are, however large the chunk is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "space/divider.hpp"
#include "space/frame.hpp"
#include "space/partition.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// Neighbours in a row of the extent, and which of all elements they come from.
struct PlacedRun {
  std::uint64_t place = 0;  ///< of the first, in the extent
  std::uint64_t length = 0;
  std::uint64_t rank = 0;  ///< of the first, among the elements of all chunks
};

/// Cuts runs at the ends of rows. `enter(coordinates)` is told of every row, by its first element, and says
/// whether it matters; `part(run, column, rank)` gets the pieces of the rows that do, in ascending order,
/// with the number of elements before them.
template <class Enter, class Part>
void for_each_row_part(const space::Frame& chunk, const space::RunSet& elements, Enter enter, Part part) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  const std::size_t last = chunk.rank() - 1;
  const std::uint64_t width = chunk.dims()[last];
  const space::Divider by_width(width);
  std::array<std::uint64_t, space::max_rank> at;
  std::uint64_t row = none;
  bool matters = false;
  const auto enter_row = [&](std::uint64_t next) {
    // Mostly it is one of the rows that follow in the same plane.
    if (row != none && last > 0 && next - row < chunk.dims()[last - 1] - at[last - 1]) {
      at[last - 1] += next - row;
    } else {
      chunk.coordinates(next * width, at.data());
    }
    row = next;
    matters = enter(at.data());
  };
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    space::Run rest = elements.run(i);
    while (rest.length > 0) {
      if (const std::uint64_t next = by_width.quotient(rest.start); next != row) enter_row(next);
      const std::uint64_t column = rest.start - row * width;
      const std::uint64_t length = std::min(rest.length, width - column);
      if (matters) part(space::Run{rest.start, length}, column, rank);
      rank += length;
      rest = {rest.start + length, rest.length - length};
    }
  }
}

/// Those of the elements that lie in a box of the chunk.
space::RunSet elements_in_box(const space::Frame& chunk, const space::RunSet& elements,
                              const space::Bounds& box);

/// Appends where elements of the chunk `at` stand in the extent; what lies outside of it is left out.
/// `rank` is that of the first.
void append_places(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                   const space::RunSet& elements, std::uint64_t rank, std::vector<PlacedRun>& places);

/// Sorts by place what is in order between each two of the `ends`, the first of which is 0.
void merge_places(std::vector<PlacedRun>& places, std::vector<std::size_t> ends);

/// The part of a chunk that a box of the extent covers, which touches it.
space::Bounds box_in_chunk(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                           const space::Bounds& box);

}  // namespace filigree::chunk
