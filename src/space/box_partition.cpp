// SPDX-License-Identifier: Apache-2.0
#include "space/box_partition.hpp"

#include <algorithm>

#include "base/thread_value.hpp"

namespace filigree::space {
namespace {

/// The most runs of a chunk. Partition handles more runs in batches.
constexpr std::uint64_t most_runs_of_chunk = std::uint64_t{1} << 16;

/// The box of a selection that has one non-empty block in every dimension; nothing for other selections.
std::optional<std::vector<SlabDimension>> solid_box(const Selection& selection) {
  if (selection.elements() == 0) return std::nullopt;
  if (selection.kind() != Selection::Kind::all && selection.kind() != Selection::Kind::regular)
    return std::nullopt;
  std::vector<SlabDimension> box;
  for (const SlabDimension& dim : selection.slab().dims()) {
    box.push_back(dim.normalised());
    if (box.back().count != 1) return std::nullopt;
  }
  return box;
}

/// The distances in memory of adjacent coordinates of the box in the file.
struct MemoryOrder {
  std::uint64_t start = 0;
  std::vector<std::uint64_t> steps;
};

std::optional<MemoryOrder> memory_order(const std::vector<SlabDimension>& file, const Selection& memory) {
  const auto box = solid_box(memory);
  if (!box) return std::nullopt;
  MemoryOrder order{0, std::vector<std::uint64_t>(file.size())};
  for (std::size_t d = 0; d < box->size(); ++d) order.start += (*box)[d].start * memory.frame().step(d);
  if (memory.slab().one_run()) {
    std::uint64_t step = 1;
    for (std::size_t d = file.size(); d-- > 0; step *= file[d].block) order.steps[d] = step;
    return order;
  }
  if (box->size() != file.size()) return std::nullopt;
  for (std::size_t d = 0; d < file.size(); ++d) {
    if ((*box)[d].block != file[d].block) return std::nullopt;
    order.steps[d] = memory.frame().step(d);
  }
  return order;
}

}  // namespace

std::optional<BoxPartition> BoxPartition::find(const ChunkGrid& grid, const Selection& file,
                                               const Selection& memory) {
  require_matching(grid, file, memory);
  const auto box = solid_box(file);
  if (!box) return std::nullopt;
  const auto order = memory_order(*box, memory);
  if (!order) return std::nullopt;
  BoxPartition partition;
  partition.memory_start_ = order->start;
  partition.left_ = 1;
  for (std::size_t d = 0; d < box->size(); ++d) {
    Axis axis;
    axis.start = (*box)[d].start;
    axis.length = (*box)[d].block;
    axis.chunk = grid.chunk().dims()[d];
    axis.first = axis.start / axis.chunk;
    axis.chunks = (axis.start + axis.length - 1) / axis.chunk - axis.first + 1;
    axis.chunk_offset_step = grid.chunk().step(d);
    axis.memory_step = order->steps[d];
    axis.grid_step = Divider(grid.chunks().step(d));
    partition.left_ *= axis.chunks;
    partition.next_[d] = axis.first;
    partition.parts_[d] = partition.part_of(axis, axis.first);
    partition.axes_.push_back(axis);
  }
  if (partition.most_runs() > most_runs_of_chunk) return std::nullopt;
  return partition;
}

std::uint64_t BoxPartition::most_runs() const {
  AxisRanges largest = parts_;
  for (std::size_t d = 0; d < axes_.size(); ++d)
    if (axes_[d].chunks > 1) largest[d].length = std::min(axes_[d].chunk, axes_[d].length);
  std::uint64_t runs = 1;
  for (std::size_t d = 0; d < run_dimension(largest); ++d) runs *= largest[d].length;
  return runs;
}

BoxPartition::Part BoxPartition::part_of(const Axis& axis, std::uint64_t scaled) {
  const std::uint64_t corner = scaled * axis.chunk;
  const std::uint64_t from = std::max(corner, axis.start);
  // The end of a chunk may exceed 64 bits.
  const std::uint64_t to = from + std::min(axis.chunk - (from - corner), axis.start + axis.length - from);
  return {from - corner, from - axis.start, to - from};
}

std::size_t BoxPartition::run_dimension(const AxisRanges& parts) const {
  std::size_t d = axes_.size() - 1;
  while (d > 0 && parts[d].length == axes_[d].chunk &&
         axes_[d - 1].memory_step == axes_[d].memory_step * parts[d].length)
    --d;
  return d;
}

void BoxPartition::advance() {
  for (std::size_t d = axes_.size(); d-- > 0;) {
    const Axis& axis = axes_[d];
    const bool more = ++next_[d] < axis.first + axis.chunks;
    if (!more) next_[d] = axis.first;
    if (more || axis.chunks > 1) parts_[d] = part_of(axis, next_[d]);
    if (more) return;
  }
}

ChunkPiece BoxPartition::make_piece() {
  const std::size_t below = run_dimension(parts_);
  ChunkPiece piece;
  piece.elements = piece.run_count = 1;
  ChunkRun run{0, 0, memory_start_, 0};
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const Axis& axis = axes_[d];
    piece.chunk += next_[d] * axis.grid_step.divisor();
    piece.elements *= parts_[d].length;
    if (d < below) piece.run_count *= parts_[d].length;
    run.chunk_offset += parts_[d].chunk_offset * axis.chunk_offset_step;
    run.memory += parts_[d].memory * axis.memory_step;
  }
  if (piece.run_count > 1) {
    piece.box = this;
    return piece;
  }
  run.chunk = piece.chunk;
  run.length = piece.elements;
  only_runs_.push_back(run);
  piece.runs = {&only_runs_.back(), 1};
  return piece;
}

bool BoxPartition::next_batch(std::size_t most, std::vector<ChunkPiece>& pieces) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, most));
  pieces.clear();
  pieces.reserve(count);
  only_runs_.clear();
  only_runs_.reserve(count);  // so that the spans of pieces stay valid
  for (std::size_t i = 0; i < count; ++i, advance()) pieces.push_back(make_piece());
  left_ -= count;
  return count > 0;
}

void BoxPartition::make_runs(std::uint64_t chunk, std::vector<ChunkRun>& runs) const {
  AxisRanges parts;
  ChunkRun run{chunk, 0, memory_start_, 1};
  std::uint64_t rest = chunk;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const std::uint64_t scaled = axes_[d].grid_step.quotient(rest);
    rest -= scaled * axes_[d].grid_step.divisor();
    parts[d] = part_of(axes_[d], scaled);
    run.chunk_offset += parts[d].chunk_offset * axes_[d].chunk_offset_step;
    run.memory += parts[d].memory * axes_[d].memory_step;
  }
  const std::size_t below = run_dimension(parts);
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < below; ++d) count *= parts[d].length;
  for (std::size_t d = below; d < axes_.size(); ++d) run.length *= parts[d].length;
  runs.resize(static_cast<std::size_t>(count));
  if (below == 0) {
    runs[0] = run;
    return;
  }
  // Repeat the rows of the next outer dimension.
  const std::uint64_t rows = parts[below - 1].length;
  const std::uint64_t chunk_offset_step = axes_[below - 1].chunk_offset_step;
  const std::uint64_t memory_step = axes_[below - 1].memory_step;
  std::array<std::uint64_t, max_rank> at;
  std::fill_n(at.begin(), below, 0);
  ChunkRun* next = runs.data();
  for (ChunkRun* const end = next + count; next != end;) {
    ChunkRun row = run;
    for (std::uint64_t i = 0; i < rows; ++i) {
      *next++ = row;
      row.chunk_offset += chunk_offset_step;
      row.memory += memory_step;
    }
    for (std::size_t d = below - 1; d-- > 0;) {
      run.chunk_offset += axes_[d].chunk_offset_step;
      run.memory += axes_[d].memory_step;
      if (++at[d] < parts[d].length) break;
      at[d] = 0;
      run.chunk_offset -= parts[d].length * axes_[d].chunk_offset_step;
      run.memory -= parts[d].length * axes_[d].memory_step;
    }
  }
}

namespace {

struct SpareRuns {
  std::array<std::vector<ChunkRun>, 4> lists;
  std::size_t count = 0;
};

SpareRuns& spare_runs() { return thread_value<SpareRuns, SpareRuns>(); }

}  // namespace

PieceRuns::PieceRuns(const ChunkPiece& piece) : runs_(piece.runs) {
  if (piece.box == nullptr) return;
  if (SpareRuns& spare = spare_runs(); spare.count > 0) made_ = std::move(spare.lists[--spare.count]);
  piece.box->make_runs(piece.chunk, made_);
  runs_ = made_;
}

/// Lists of runs that the thread reuses. Work on a piece may start another transfer, so there may be several.
PieceRuns::~PieceRuns() {
  constexpr std::size_t most_spare_runs = std::size_t{1} << 14;
  if (made_.capacity() == 0 || made_.capacity() > most_spare_runs) return;
  if (SpareRuns& spare = spare_runs(); spare.count < spare.lists.size())
    spare.lists[spare.count++] = std::move(made_);
}

}  // namespace filigree::space
