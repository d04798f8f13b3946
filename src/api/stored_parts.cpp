// SPDX-License-Identifier: Apache-2.0
#include "api/stored_parts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace filigree::api {

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > most / a ? most : a * b;
}

bool has_chunks(const DatasetInfo& info) {
  return info.layout == Layout::chunked || info.layout == Layout::structured;
}

/// The chunks of another dataset in a box.
struct StoredParts::Grid {
  const Box& box;
  const Coordinates& dims;        ///< of a chunk
  Coordinates counts{};           ///< of chunks in the box
  std::vector<char> is_stored{};  ///< for each chunk of the box, in row-major order
};

StoredParts::StoredParts(const Dataset& data)
    : data_(data), info_(data.dataset_info()), extent_(data.space().dims()) {}

bool StoredParts::none() const {
  const bool can_tell = info_.layout == Layout::contiguous || has_chunks(info_);
  return can_tell && info_.external.empty() && data_.stored_bytes() == 0;
}

bool StoredParts::any(const Box& box) const {
  if (!has_chunks(info_)) return !none();
  return !data_.for_each_chunk([](const ChunkInfo&) { return false; }, box.selection());
}

Selection StoredParts::elements(const Box& box) const {
  if (!has_chunks(info_)) return box.selection();
  std::vector<Selection::Box> boxes;
  data_.for_each_chunk(
      [&](const ChunkInfo& info) {
        Selection::Box chunk{info.offset, info.offset};
        for (std::size_t d = 0; d < extent_.size(); ++d) {
          chunk.high[d] += std::min(info_.chunk[d], box.end(d) - info.offset[d]) - 1;
          chunk.low[d] = std::max(chunk.low[d], box.start[d]);
        }
        boxes.push_back(std::move(chunk));
        return true;
      },
      box.selection());
  return Selection::of_boxes(extent_, boxes);
}

Selection StoredParts::within_chunks(const Box& box, const Coordinates& dims) const {
  if (!has_chunks(info_) || dims.empty()) return box.selection();
  Grid grid{box, dims};
  std::uint64_t chunks = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    grid.counts.push_back(box.count[d] / dims[d] + (box.count[d] % dims[d] == 0 ? 0 : 1));
    chunks *= grid.counts[d];
  }
  if (chunks == 1) return box.selection();
  grid.is_stored.resize(static_cast<std::size_t>(chunks));
  data_.for_each_chunk(
      [&](const ChunkInfo& info) {
        mark(info.offset, grid);
        return true;
      },
      box.selection());
  const bool all = std::ranges::find(grid.is_stored, 0) == grid.is_stored.end();
  return all ? box.selection() : marked(grid);
}

/// Marks the chunks of the other dataset that a stored chunk overlaps.
void StoredParts::mark(const Coordinates& offset, Grid& grid) const {
  std::vector<std::size_t> rows{0};
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    const std::uint64_t low = std::max(offset[d], grid.box.start[d]);
    const std::uint64_t high = offset[d] + std::min(info_.chunk[d], grid.box.end(d) - offset[d]);
    std::vector<std::size_t> next;
    for (const std::size_t row : rows)
      for (std::uint64_t at = low; at < high; at += grid.dims[d] - at % grid.dims[d])
        next.push_back(row * grid.counts[d] + (at - grid.box.start[d]) / grid.dims[d]);
    rows = std::move(next);
  }
  for (const std::size_t chunk : rows) grid.is_stored[chunk] = 1;
}

Selection StoredParts::marked(const Grid& grid) const {
  std::vector<Selection::Box> boxes;
  for (std::size_t i = 0; i < grid.is_stored.size(); ++i) {
    if (grid.is_stored[i] == 0) continue;
    Selection::Box chunk{grid.box.start, grid.box.start};
    std::size_t rest = i;
    for (std::size_t d = grid.dims.size(); d-- > 0; rest /= grid.counts[d]) {
      chunk.low[d] += rest % grid.counts[d] * grid.dims[d];
      chunk.high[d] = std::min(chunk.low[d] + grid.dims[d], grid.box.end(d)) - 1;
    }
    boxes.push_back(std::move(chunk));
  }
  return Selection::of_boxes(extent_, boxes);
}

}  // namespace filigree::api
