// SPDX-License-Identifier: Apache-2.0
//
// Elements of a chunk, row by row: what goes with the elements there are, however large the chunk is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "space/frame.hpp"
#include "space/partition.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// Cuts runs at the ends of rows. `enter(coordinates)` is told of every row, by its first element, and says
/// whether it matters; `part(run, column)` gets the pieces of the rows that do, in ascending order.
template <class Enter, class Part>
void for_each_row_part(const space::Frame& chunk, const space::RunSet& elements, Enter enter, Part part) {
  const std::size_t last = chunk.rank() - 1;
  const std::uint64_t row = chunk.dims()[last];
  std::array<std::uint64_t, space::max_rank> at;
  std::uint64_t row_start = 0;
  bool matters = false;
  const auto enter_row_of = [&](std::uint64_t position) {
    chunk.coordinates(position, at.data());
    row_start = position - at[last];
    at[last] = 0;
    matters = enter(at.data());
  };
  if (!elements.empty()) enter_row_of(elements.run(0).start);
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    space::Run rest = elements.run(i);
    while (rest.length > 0) {
      if (rest.start - row_start >= row) enter_row_of(rest.start);
      const std::uint64_t column = rest.start - row_start;
      const std::uint64_t length = std::min(rest.length, row - column);
      if (matters) part(space::Run{rest.start, length}, column);
      rest = {rest.start + length, rest.length - length};
    }
  }
}

/// Those of the elements that lie in a box of the chunk.
space::RunSet elements_in_box(const space::Frame& chunk, const space::RunSet& elements,
                              const space::Bounds& box);

/// Appends where elements of the chunk `at` stand in the extent; what lies outside of it is left out.
void append_places(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                   const space::RunSet& elements, std::vector<space::Run>& places);

/// The part of a chunk that a box of the extent covers, which touches it.
space::Bounds box_in_chunk(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                           const space::Bounds& box);

}  // namespace filigree::chunk
