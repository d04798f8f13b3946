// SPDX-License-Identifier: Apache-2.0
//
// Visits to the stored chunks of a dataset.
#include <algorithm>

#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/direct_chunks.hpp"
#include "space/partition.hpp"

namespace filigree::model {
namespace {

/// Chunks are looked up in batches before they are visited, so that the visitor may change the file.
constexpr std::size_t chunks_per_batch = 256;

/// Advances to the next chunk of the grid. Returns false at the end.
bool advance(const index::IndexGrid& grid, std::vector<std::uint64_t>& at) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < grid.counts[d]) return true;
    if (d > 0) at[d] = 0;
  }
  return false;
}

/// Returns whether a regular selection has coordinates in [low, end) of this dimension.
bool intersects(const space::SlabDimension& dim, std::uint64_t low, std::uint64_t end) {
  if (dim.count == 0 || dim.block == 0 || dim.start >= end || dim.last() < low) return false;
  // The first block that ends after `low`.
  const std::uint64_t first_end = dim.start + dim.block;
  const std::uint64_t block = low < first_end ? 0 : (low - first_end) / dim.stride + 1;
  return block < dim.count && dim.start + block * dim.stride < end;
}

/// The chunks of a grid that contain selected elements.
class TouchedChunks {
 public:
  TouchedChunks(const space::ChunkGrid& grid, const space::Selection& selection)
      : grid_(grid),
        selection_(selection),
        regular_(selection.kind() == space::Selection::Kind::regular ||
                 selection.kind() == space::Selection::Kind::all) {
    if (regular_) return;
    const auto memory = space::Selection::all(space::Frame({selection.elements()}));
    space::Partition partition(grid, selection, memory);
    for (space::ChunkPiece piece; partition.next(piece);) chunks_.push_back(piece.chunk);
    std::ranges::sort(chunks_);
    chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
  }

  bool contains(Coordinates scaled) const {
    if (!grid_.chunks().contains(scaled)) return false;
    if (!regular_) return std::ranges::binary_search(chunks_, grid_.chunks().offset(scaled));
    for (std::size_t d = 0; d < scaled.size(); ++d) {
      const std::uint64_t dim = grid_.chunk().dims()[d];
      const std::uint64_t low = scaled[d] * dim;
      const std::uint64_t rest = grid_.extent().dims()[d] - low;
      if (!intersects(selection_.slab().dims()[d], low, low + std::min(dim, rest))) return false;
    }
    return true;
  }

 private:
  const space::ChunkGrid& grid_;
  const space::Selection& selection_;
  bool regular_;
  std::vector<std::uint64_t> chunks_;  ///< ascending; empty for regular selections
};

std::vector<std::uint64_t> to_vector(Coordinates coordinates) {
  return {coordinates.begin(), coordinates.end()};
}

}  // namespace

bool DirectChunks::for_each(const space::Selection* selection,
                            FunctionRef<bool(const ChunkInfo&)> visit) const {
  if (selection == nullptr)
    return for_each_in(
        {}, [](Coordinates) { return true; }, visit);
  const auto bounds = selection->bounds();
  if (!bounds) return true;
  const auto chunks = open();
  const TouchedChunks touched(chunks->grid(), *selection);
  return for_each_in(
      *bounds, [&](Coordinates at) { return touched.contains(at); }, visit);
}

bool DirectChunks::for_each(const space::HugeSelection& selection,
                            FunctionRef<bool(const ChunkInfo&)> visit) const {
  const auto bounds = selection.bounds();
  if (!bounds) return true;
  const std::vector<std::uint64_t> dims = open()->grid().chunk().dims();
  const auto touches = [&](Coordinates at) {
    space::Bounds box{to_vector(at), to_vector(at)};
    for (std::size_t d = 0; d < dims.size(); ++d) {
      box.low[d] *= dims[d];
      box.high[d] = box.low[d] + (dims[d] - 1);
    }
    return selection.intersects(box);
  };
  return for_each_in(*bounds, touches, visit);
}

bool DirectChunks::for_each_in(const space::Bounds& bounds, FunctionRef<bool(Coordinates)> touched,
                               FunctionRef<bool(const ChunkInfo&)> visit) const {
  const auto first_chunks = open();
  flush_chunks(dataset_.file(), *first_chunks);
  std::vector<std::uint64_t> from, last;  // an empty bound is no bound
  if (!bounds.low.empty()) {
    from = to_vector(of_rank(chunk_of(*first_chunks, bounds.low), bounds.low));
    last = to_vector(of_rank(chunk_of(*first_chunks, bounds.high), bounds.high));
  }
  std::vector<ChunkInfo> batch(chunks_per_batch);
  for (bool more = true; more;) {
    const auto chunks = open();
    std::size_t found = 0;
    more = false;
    const auto collect = [&](Coordinates at, const index::ChunkLocation& location) {
      if (!last.empty() && std::ranges::lexicographical_compare(last, at)) return false;
      if (!touched(at)) return true;
      describe(*chunks, at, location, batch[found++]);
      if (found < batch.size()) return true;
      from.assign(at.begin(), at.end());
      more = advance(chunks->index().grid(), from);
      return false;
    };
    chunks->index().for_each(collect, from);
    for (std::size_t i = 0; i < found; ++i)
      if (!visit(batch[i])) return false;
  }
  return true;
}

std::uint64_t DirectChunks::count() const {
  const auto chunks = open();
  flush_chunks(dataset_.file(), *chunks);
  return chunks->index().count();
}

}  // namespace filigree::model
