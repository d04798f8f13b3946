// SPDX-License-Identifier: Apache-2.0
//
// Elements of a chunk, row by row. All costs depend on the number of runs, none on the volume of the chunk.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/divider.hpp"
#include "space/frame.hpp"
#include "space/partition.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// Contiguous elements in a row of the extent.
struct OffsetRun {
  std::uint64_t offset = 0;  ///< linear offset of the first element in the extent
  std::uint64_t length = 0;
  std::uint64_t ordinal = 0;  ///< of the first element among those of all chunks
};

/// Cuts runs at the ends of rows. `enter(coordinates)` gets the first element of every row and returns
/// whether the row is wanted; `part(run, column, ordinal)` gets the pieces of wanted rows, in ascending
/// order, with the number of elements before them.
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
    // Mostly the row is a later one of the same plane.
    if (row != none && last > 0 && next - row < chunk.dims()[last - 1] - at[last - 1]) {
      at[last - 1] += next - row;
    } else {
      chunk.coordinates(next * width, at.data());
    }
    row = next;
    matters = enter(at.data());
  };
  std::uint64_t ordinal = 0;
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    space::Run rest = elements.run(i);
    while (rest.length > 0) {
      if (const std::uint64_t next = by_width.quotient(rest.start); next != row) enter_row(next);
      const std::uint64_t column = rest.start - row * width;
      const std::uint64_t length = std::min(rest.length, width - column);
      if (matters) part(space::Run{rest.start, length}, column, ordinal);
      ordinal += length;
      rest = {rest.start + length, rest.length - length};
    }
  }
}

/// The elements that lie in a box of the chunk.
space::RunSet elements_in_box(const space::Frame& chunk, const space::RunSet& elements,
                              const space::Bounds& box);

/// The elements that a slab selects; its coordinates are those of the chunk plus `corner`.
space::RunSet elements_in_slab(const space::Frame& chunk, const space::RunSet& elements,
                               std::span<const std::uint64_t> corner, const space::Slab& slab);

/// Appends the linear offsets of elements of the chunk `at`; omits those outside of the extent. `ordinal` is
/// that of the first element.
void append_offsets(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                    const space::RunSet& elements, std::uint64_t ordinal, std::vector<OffsetRun>& offsets);

/// Merges by offset. *Requires*: the runs between each two of the `ends` are sorted; the first end is 0.
void merge_offsets(std::vector<OffsetRun>& offsets, std::vector<std::size_t> ends);

/// Whether only the last two dimensions of chunks have more than one element, so that for_each_row() can
/// merge the elements of adjacent chunks.
bool are_rows_in_order(const space::ChunkGrid& grid);

/// One of several chunks that differ in their last coordinate only.
struct AdjacentChunk {
  std::span<const std::uint64_t> at;     ///< in the grid
  std::span<const std::uint64_t> edges;  ///< of its elements
};

/// Calls `part(i, run, kept)` for the elements of adjacent chunks by ascending offset in the extent: `run` of
/// chunk i, of which the first `kept` elements are inside of the extent. The parts of a chunk come in its own
/// order, without gaps. *Requires*: are_rows_in_order(); chunks from left to right.
template <class Part>
void for_each_row(const space::ChunkGrid& grid, std::span<const AdjacentChunk> chunks, Part part) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  struct Side {
    const std::uint64_t* edge;  ///< of the next run
    const std::uint64_t* end;
    std::uint64_t from, until;  ///< what is left of the current run
    std::uint64_t columns;      ///< in the extent
    std::uint64_t offset;       ///< of the row's first element
    void next() {
      const bool more = edge != end;
      from = more ? edge[0] : none;
      until = more ? edge[1] : none;
      edge += more ? 2 : 0;
    }
  };
  const std::size_t last = grid.chunk().rank() - 1;
  const std::uint64_t width = grid.chunk().dims()[last], row_step = grid.extent().dims()[last];
  std::vector<Side> sides;
  std::array<std::uint64_t, space::max_rank> corner{};
  std::uint64_t rows = 1;
  for (const AdjacentChunk& chunk : chunks) {
    for (std::size_t d = 0; d <= last; ++d) corner[d] = chunk.at[d] * grid.chunk().dims()[d];
    if (last > 0) rows = grid.extent().dims()[last - 1] - corner[last - 1];
    sides.push_back({chunk.edges.data(), chunk.edges.data() + chunk.edges.size(), 0, 0,
                     std::min(width, row_step - corner[last]),
                     grid.extent().offset({corner.data(), last + 1})});
    sides.back().next();
  }
  for (std::uint64_t row = 0;;) {
    const std::uint64_t row_start = row * width, row_end = row_start + width;
    std::uint64_t nearest = none;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      Side& side = sides[i];
      while (side.from < row_end) {
        const std::uint64_t column = side.from - row_start;
        const std::uint64_t length = std::min(side.until, row_end) - side.from;
        const std::uint64_t inside = side.columns > column && row < rows ? side.columns - column : 0;
        part(i, space::Run{side.offset + row * row_step + column, length}, std::min(length, inside));
        side.from += length;
        if (side.from == side.until) side.next();
      }
      nearest = std::min(nearest, side.from);
    }
    if (nearest == none) return;
    row = nearest < row_end + width ? row + 1 : nearest / width;
  }
}

/// The offsets of the same elements, faster where a row has few of them. Empty where rows have more, for
/// partial edge chunks, where runs cross the end of a row, or where nearly all rows are empty.
std::optional<space::RunSet> offsets_of_rows(const space::ChunkGrid& grid,
                                             std::span<const AdjacentChunk> chunks);

/// The part of a chunk that a box of the extent covers. *Requires*: the box touches the chunk.
space::Bounds box_in_chunk(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                           const space::Bounds& box);

}  // namespace filigree::chunk
