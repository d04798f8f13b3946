// SPDX-License-Identifier: Apache-2.0
#include "space/chunk_selections.hpp"

#include <algorithm>

namespace filigree::space {
namespace {

bool has_slab(const Selection& selection) {
  return selection.elements() != 0 && !selection.frame().dims().empty() &&
         (selection.kind() == Selection::Kind::all || selection.kind() == Selection::Kind::regular);
}

std::uint64_t length(const SlabDimension& dim) { return dim.count * dim.block; }

/// The elements `[first, first + count)` of a normalised hyperslab in one dimension. *Requires*: it is solid,
/// or has blocks of one element.
SlabDimension slice(const SlabDimension& dim, std::uint64_t first, std::uint64_t count) {
  if (dim.count == 1) return {dim.start + first, 1, 1, count};
  return SlabDimension{dim.start + first * dim.stride, dim.stride, count, 1}.normalised();
}

}  // namespace

ChunkSelections::ChunkSelections(const ChunkGrid& grid, const Selection& file, const Selection& memory)
    : grid_(grid), memory_(memory), sets_(file.is_set() && memory.is_set()) {
  require_matching(grid, file, memory);
  if (!find_axes(file, memory)) {
    others_.emplace(grid, file, memory);
    return;
  }
  at_.resize(axes_.size());
  parts_.resize(axes_.size());
  chosen_.resize(axes_.size());
  enter_chunk(0);
}

/// Returns false for a transfer that is not regular.
bool ChunkSelections::find_axes(const Selection& file, const Selection& memory) {
  if (!has_slab(file) || !has_slab(memory)) return false;
  const auto& file_dims = file.slab().dims();
  const auto& memory_dims = memory.slab().dims();
  const bool contiguous = memory.slab().one_run();
  if (!contiguous && memory_dims.size() != file_dims.size()) return false;
  std::vector<std::uint64_t> lengths;
  for (std::size_t d = 0; d < file_dims.size(); ++d) {
    Axis axis{file_dims[d].normalised(), {}, grid_.chunk().dims()[d]};
    lengths.push_back(length(axis.file));
    axis.memory = contiguous ? SlabDimension{0, 1, 1, lengths.back()} : memory_dims[d].normalised();
    const bool is_sliceable = axis.memory.count == 1 || axis.memory.block == 1;
    if (length(axis.memory) != lengths.back() || !is_sliceable) return false;
    axes_.push_back(axis);
  }
  // Contiguous elements are an array of the shape of the hyperslab.
  memory_frame_ = contiguous ? Frame(std::move(lengths)) : memory.frame();
  for (std::size_t d = 0; contiguous && d < memory_dims.size(); ++d)
    memory_start_ += memory_dims[d].start * memory.frame().step(d);
  return true;
}

/// The whole blocks inside of a chunk, and before and after them the blocks that its edges cut.
ChunkSelections::AxisParts ChunkSelections::parts_of(const Axis& axis, std::uint64_t chunk_coordinate) {
  const SlabDimension& slab = axis.file;
  const std::uint64_t low = chunk_coordinate * axis.chunk;
  const std::uint64_t high = low + std::min(axis.chunk, ~low);  // exclusive
  AxisParts parts;
  // Positions count the elements of the hyperslab, which correspond to those in memory.
  const auto add = [&](const SlabDimension& piece, std::uint64_t position) {
    SlabDimension within = piece.normalised();
    within.start -= low;
    parts.push_back({within, slice(axis.memory, position, length(piece))});
  };
  const auto add_solid = [&](std::uint64_t block) {
    const std::uint64_t start = slab.start + block * slab.stride;
    const std::uint64_t from = std::max(start, low), to = std::min(start + slab.block, high);
    add({from, 1, 1, to - from}, block * slab.block + (from - start));
  };
  const auto is_whole = [&](std::uint64_t block) {
    const std::uint64_t start = slab.start + block * slab.stride;
    return start >= low && start + slab.block <= high;
  };
  std::uint64_t first = low < slab.start + slab.block ? 0 : (low - slab.start - slab.block) / slab.stride + 1;
  std::uint64_t last = std::min(slab.count - 1, (high - 1 - slab.start) / slab.stride);
  const bool cut_first = !is_whole(first);
  if (cut_first) add_solid(first++);
  const bool cut_last = first <= last && !is_whole(last);
  const std::uint64_t whole = last + 1 - first - (cut_last ? 1 : 0);
  if (whole > 0) add({slab.start + first * slab.stride, slab.stride, whole, slab.block}, first * slab.block);
  if (cut_last) add_solid(last);
  return parts;
}

std::optional<std::uint64_t> ChunkSelections::chunk_from(const Axis& axis, std::uint64_t from) {
  const SlabDimension& slab = axis.file;
  if (from > slab.last() / axis.chunk) return std::nullopt;
  const std::uint64_t low = from * axis.chunk;
  if (low <= slab.start) return slab.start / axis.chunk;
  const std::uint64_t block =
      low < slab.start + slab.block ? 0 : (low - slab.start - slab.block) / slab.stride + 1;
  return std::max(low, slab.start + block * slab.stride) / axis.chunk;
}

/// Sets the chunk coordinates of an axis and all that follow to the first ones with elements.
void ChunkSelections::enter_chunk(std::size_t first_axis) {
  for (std::size_t d = first_axis; d < axes_.size(); ++d) {
    at_[d] = *chunk_from(axes_[d], 0);
    parts_[d] = parts_of(axes_[d], at_[d]);
  }
  std::ranges::fill(chosen_, 0);
}

bool ChunkSelections::advance_part() {
  for (std::size_t d = axes_.size(); d-- > 0;) {
    if (++chosen_[d] < parts_[d].size()) return true;
    chosen_[d] = 0;
  }
  return false;
}

bool ChunkSelections::advance_chunk() {
  for (std::size_t d = axes_.size(); d-- > 0;) {
    if (const auto next = chunk_from(axes_[d], at_[d] + 1)) {
      at_[d] = *next;
      parts_[d] = parts_of(axes_[d], at_[d]);
      enter_chunk(d + 1);
      return true;
    }
  }
  return false;
}

ChunkSelection ChunkSelections::make_part() const {
  std::vector<SlabDimension> file, memory;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const AxisPart& part = parts_[d][chosen_[d]];
    file.push_back(part.file);
    memory.push_back(part.memory);
  }
  return {grid_.chunks().offset(at_),
          {Selection::regular(grid_.chunk(), std::move(file)),
           Selection::regular(memory_frame_, std::move(memory))},
          memory_start_};
}

bool ChunkSelections::next(ChunkSelection& part) {
  if (others_) return next_of_runs(part);
  if (done_) return false;
  part = make_part();
  done_ = !advance_part() && !advance_chunk();
  return true;
}

bool ChunkSelections::next_of_runs(ChunkSelection& part) {
  ChunkPiece piece;
  if (!others_->next(piece)) return false;
  const auto selected = [&](const Frame& frame, auto start_of) {
    if (sets_) {
      std::vector<Run> runs;
      for (const ChunkRun& run : piece.runs) runs.push_back({start_of(run), run.length});
      return Selection::of_runs(frame, RunSet::of_runs(std::move(runs)));
    }
    std::vector<std::uint64_t> points;
    for (const ChunkRun& run : piece.runs)
      for (std::uint64_t i = 0; i < run.length; ++i) points.push_back(start_of(run) + i);
    return Selection::of_points(frame, std::move(points));
  };
  part = {piece.chunk,
          {selected(grid_.chunk(), [](const ChunkRun& run) { return run.chunk_offset; }),
           selected(memory_.frame(), [](const ChunkRun& run) { return run.memory; })},
          0};
  return true;
}

}  // namespace filigree::space
