// SPDX-License-Identifier: Apache-2.0
#include "chunk/chunk_rows.hpp"

namespace filigree::chunk {

space::RunSet elements_in_box(const space::Frame& chunk, const space::RunSet& elements,
                              const space::Bounds& box) {
  const std::size_t last = chunk.rank() - 1;
  std::vector<space::Run> inside;
  for_each_row_part(
      chunk, elements,
      [&](const std::uint64_t* row) {
        for (std::size_t d = 0; d < last; ++d)
          if (row[d] < box.low[d] || row[d] > box.high[d]) return false;
        return true;
      },
      [&](space::Run run, std::uint64_t column) {
        const std::uint64_t from = std::max(column, box.low[last]);
        const std::uint64_t to = std::min(column + run.length, box.high[last] + 1);
        if (from < to) inside.push_back({run.start + (from - column), to - from});
      });
  space::RunSetWriter writer(inside.size());
  for (const space::Run& run : inside) writer.add(run);
  return writer.finish();
}

void append_places(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                   const space::RunSet& elements, std::vector<space::Run>& places) {
  const space::Frame& chunk = grid.chunk();
  const std::size_t rank = chunk.rank();
  std::vector<std::uint64_t> within(rank);
  const std::uint64_t row_room = grid.extent().dims()[rank - 1] - at[rank - 1] * chunk.dims()[rank - 1];
  std::uint64_t row_place = 0;  // where the row begins in the extent
  for_each_row_part(
      chunk, elements,
      [&](const std::uint64_t* row) {
        for (std::size_t d = 0; d < rank; ++d) {
          within[d] = at[d] * chunk.dims()[d] + row[d];
          if (within[d] >= grid.extent().dims()[d]) return false;
        }
        row_place = grid.extent().position(within);
        return true;
      },
      [&](space::Run run, std::uint64_t column) {
        if (column < row_room)
          places.push_back({row_place + column, std::min(run.length, row_room - column)});
      });
}

space::Bounds box_in_chunk(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                           const space::Bounds& box) {
  space::Bounds local;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    const std::uint64_t dim = grid.chunk().dims()[d];
    const std::uint64_t corner = at[d] * dim;
    local.low.push_back(std::max(box.low[d], corner) - corner);
    local.high.push_back(std::min(box.high[d], corner + (dim - 1)) - corner);
  }
  return local;
}

}  // namespace filigree::chunk
