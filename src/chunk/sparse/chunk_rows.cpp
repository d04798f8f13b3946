// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/chunk_rows.hpp"

#include <numeric>

#include "base/workspace.hpp"

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
      [&](space::Run run, std::uint64_t column, std::uint64_t) {
        const std::uint64_t from = std::max(column, box.low[last]);
        const std::uint64_t to = std::min(column + run.length, box.high[last] + 1);
        if (from < to) inside.push_back({run.start + (from - column), to - from});
      });
  space::RunSetWriter writer(inside.size());
  for (const space::Run& run : inside) writer.add(run);
  return writer.finish();
}

namespace {

bool is_in(const space::SlabDimension& d, std::uint64_t at) {
  return at >= d.start && (at - d.start) / d.stride < d.count && (at - d.start) % d.stride < d.block;
}

}  // namespace

space::RunSet elements_in_slab(const space::Frame& chunk, const space::RunSet& elements,
                               std::span<const std::uint64_t> corner, const space::Slab& slab) {
  const std::size_t last = chunk.rank() - 1;
  const space::SlabDimension columns = slab.dims()[last];
  std::vector<space::Run> inside;
  for_each_row_part(
      chunk, elements,
      [&](const std::uint64_t* row) {
        for (std::size_t d = 0; d < last; ++d)
          if (!is_in(slab.dims()[d], row[d] + corner[d])) return false;
        return true;
      },
      [&](space::Run run, std::uint64_t column, std::uint64_t) {
        const std::uint64_t from = column + corner[last], to = from + run.length;
        std::uint64_t block = from < columns.start ? 0 : (from - columns.start) / columns.stride;
        for (; block < columns.count; ++block) {
          const std::uint64_t start = columns.start + block * columns.stride;
          if (start >= to) break;
          const std::uint64_t first = std::max(from, start), end = std::min(to, start + columns.block);
          if (first < end) inside.push_back({run.start + (first - from), end - first});
        }
      });
  space::RunSetWriter writer(inside.size());
  for (const space::Run& run : inside) writer.add(run);
  return writer.finish();
}

void append_offsets(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                    const space::RunSet& elements, std::uint64_t ordinal, std::vector<OffsetRun>& offsets) {
  const space::Frame& chunk = grid.chunk();
  const std::size_t last = chunk.rank() - 1;
  std::array<std::uint64_t, space::max_rank> corner, inside;  // dimensions up to the end of the extent
  for (std::size_t d = 0; d <= last; ++d) {
    corner[d] = at[d] * chunk.dims()[d];
    inside[d] = grid.extent().dims()[d] - corner[d];
  }
  const std::uint64_t first = grid.extent().offset({corner.data(), last + 1});
  std::uint64_t row_offset = 0;  // where the row begins in the extent
  for_each_row_part(
      chunk, elements,
      [&](const std::uint64_t* row) {
        row_offset = first;
        bool is_inside = true;
        for (std::size_t d = 0; d < last; ++d) {
          row_offset += row[d] * grid.extent().step(d);
          is_inside &= row[d] < inside[d];
        }
        return is_inside;
      },
      [&](space::Run run, std::uint64_t column, std::uint64_t before) {
        if (column < inside[last])
          offsets.push_back(
              {row_offset + column, std::min(run.length, inside[last] - column), ordinal + before});
      });
}

namespace {

/// Which list comes next is unpredictable, so no branch depends on it.
OffsetRun* merge(const OffsetRun* a, const OffsetRun* a_end, const OffsetRun* b, const OffsetRun* b_end,
                 OffsetRun* out) {
  while (a != a_end && b != b_end) {
    const bool takes_b = b->offset < a->offset;
    const std::array<const OffsetRun*, 2> next{a, b};
    *out++ = *next[takes_b];
    a += !takes_b;
    b += takes_b;
  }
  return std::copy(b, b_end, std::copy(a, a_end, out));
}

}  // namespace

void merge_offsets(std::vector<OffsetRun>& offsets, std::vector<std::size_t> ends) {
  std::vector<OffsetRun> merged(ends.size() > 2 ? offsets.size() : 0);
  // Neighbours in pairs, then pairs of pairs.
  while (ends.size() > 2) {
    std::vector<std::size_t> fewer{0};
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const std::size_t end = ends[std::min(i + 2, ends.size() - 1)];
      const OffsetRun* const from = offsets.data();
      merge(from + ends[i], from + ends[i + 1], from + ends[i + 1], from + end, merged.data() + ends[i]);
      fewer.push_back(end);
    }
    offsets.swap(merged);
    ends = std::move(fewer);
  }
}

bool are_rows_in_order(const space::ChunkGrid& grid) {
  for (std::size_t d = 0; d + 2 < grid.chunk().rank(); ++d)
    if (grid.chunk().dims()[d] != 1) return false;
  return true;
}

std::optional<space::RunSet> offsets_of_rows(const space::ChunkGrid& grid,
                                             std::span<const AdjacentChunk> chunks) {
  constexpr std::size_t row_parts_a_run = 16, most_runs_a_row = 8, most_rows = std::size_t{1} << 20;
  const std::size_t last = grid.chunk().rank() - 1, sides = chunks.size();
  const std::uint64_t width = grid.chunk().dims()[last], row_step = grid.extent().dims()[last];
  const std::uint64_t rows = last > 0 ? grid.chunk().dims()[last - 1] : 1;
  std::size_t runs = 0;
  for (const AdjacentChunk& chunk : chunks) runs += chunk.edges.size() / 2;
  if (rows > most_rows || rows * sides > runs * row_parts_a_run || runs > rows * sides * most_runs_a_row ||
      width >> 32 != 0)
    return std::nullopt;
  // Counts the runs of each chunk in each row: then the position of every run in the result is known, and no
  // branch depends on which comes next.
  Workspace workspace;
  MutableBytes rest = workspace.allocate(
      runs * sizeof(space::Run) + (rows * sides + 1) * sizeof(std::uint32_t) + 2 * Workspace::list_alignment);
  const auto spread = Workspace::allocate_list<std::array<std::uint64_t, 2>>(rest, runs);
  const auto starts = Workspace::allocate_list<std::uint32_t>(rest, rows * sides + 1);
  std::ranges::fill(starts, std::uint32_t{0});
  const space::Divider by_width(width);
  bool is_cut = false;
  for (std::size_t i = 0; i < sides; ++i) {
    for (std::size_t d = 0; d <= last; ++d)
      is_cut |= (chunks[i].at[d] + 1) * grid.chunk().dims()[d] > grid.extent().dims()[d];
    const auto edges = chunks[i].edges;
    for (std::size_t k = 0; k < edges.size(); k += 2) {
      const std::uint64_t row = by_width.quotient(edges[k]);
      is_cut |= edges[k + 1] > (row + 1) * width;
      ++starts[row * sides + i + 1];
    }
  }
  if (is_cut) return std::nullopt;
  std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
  std::array<std::uint64_t, space::max_rank> corner{};
  for (std::size_t i = 0; i < sides; ++i) {
    for (std::size_t d = 0; d <= last; ++d) corner[d] = chunks[i].at[d] * grid.chunk().dims()[d];
    const std::uint64_t first = grid.extent().offset({corner.data(), last + 1});
    const auto edges = chunks[i].edges;
    for (std::size_t k = 0; k < edges.size(); k += 2) {
      const std::uint64_t row = by_width.quotient(edges[k]);
      const std::uint64_t ahead = first + row * (row_step - width);
      spread[starts[row * sides + i]++] = {edges[k] + ahead, edges[k + 1] + ahead};
    }
  }
  space::RunSetWriter writer(runs);
  for (const auto& [from, until] : spread) writer.add({from, until - from});
  return writer.finish();
}

space::Bounds box_in_chunk(const space::ChunkGrid& grid, std::span<const std::uint64_t> at,
                           const space::Bounds& box) {
  space::Bounds chunk_offset;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    const std::uint64_t dim = grid.chunk().dims()[d];
    const std::uint64_t corner = at[d] * dim;
    chunk_offset.low.push_back(std::max(box.low[d], corner) - corner);
    chunk_offset.high.push_back(std::min(box.high[d], corner + (dim - 1)) - corner);
  }
  return chunk_offset;
}

}  // namespace filigree::chunk
