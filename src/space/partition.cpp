// SPDX-License-Identifier: Apache-2.0
#include "space/partition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/large_pages.hpp"
#include "space/radix_sort.hpp"

namespace filigree::space {
namespace {

std::vector<std::uint64_t> chunks_along(const Frame& extent, const std::vector<std::uint64_t>& chunk_dims) {
  if (chunk_dims.size() != extent.rank() || chunk_dims.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("chunks of {} dimensions for an extent of {}", chunk_dims.size(), extent.rank()));
  }
  std::vector<std::uint64_t> count;
  for (std::size_t d = 0; d < chunk_dims.size(); ++d) {
    if (chunk_dims[d] == 0)
      throw Error(ErrorKind::invalid_argument, fmt::format("chunks have no elements in dimension {}", d));
    count.push_back(extent.dims()[d] / chunk_dims[d] + (extent.dims()[d] % chunk_dims[d] != 0));
  }
  return count;
}

/// The innermost dimension that chunks cut. Below it a chunk's rows are the extent's, and need no cutting.
std::size_t cut_dimension(const ChunkGrid& grid) {
  std::size_t d = grid.extent().rank() - 1;
  while (d > 0 && grid.chunk().dims()[d] == grid.extent().dims()[d]) --d;
  return d;
}

/// Cuts up the run of a cursor, which moves on when the run is used up, and at the end.
class RunCutter {
 public:
  explicit RunCutter(Cursor& cursor) : cursor_(cursor) { next(); }
  ~RunCutter() { settle(); }
  RunCutter(const RunCutter&) = delete;
  RunCutter& operator=(const RunCutter&) = delete;

  bool done() const { return rest_.length == 0; }
  Run rest() const { return rest_; }
  void take(std::uint64_t elements) {
    taken_ += elements;
    rest_ = {rest_.start + elements, rest_.length - elements};
    if (rest_.length == 0) next();
  }

 private:
  void settle() {
    if (taken_ != 0) cursor_.advance(taken_);
    taken_ = 0;
  }
  void next() {
    settle();
    if (cursor_.done()) return;
    const RunPattern pattern = cursor_.pattern();
    rest_ = {pattern.start, pattern.length};
  }

  Cursor& cursor_;
  Run rest_;
  std::uint64_t taken_ = 0;
};

}  // namespace

ChunkGrid::ChunkGrid(const Frame& extent, std::vector<std::uint64_t> chunk_dims)
    : extent_(extent), chunks_(chunks_along(extent, chunk_dims)) {
  chunk_ = Frame(std::move(chunk_dims));
}

void require_matching(const ChunkGrid& grid, const Selection& file, const Selection& memory) {
  if (!(file.frame() == grid.extent()))
    throw Error(ErrorKind::invalid_argument, "the selection is not one of the extent that the chunks tile");
  require_equal_counts(file, memory);
}

Partition::Partition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
                     const PartitionLimits& limits)
    : file_(file),
      memory_(memory),
      ordered_(file.is_set()),
      runs_at_least_(file.run_count()),
      limits_(limits),
      row_(1),
      cut_(1) {
  require_matching(grid, file, memory);
  const std::size_t last = cut_dimension(grid);
  const Frame& extent = grid.extent();
  const std::uint64_t below = extent.step(last);
  row_elements_ = std::max<std::uint64_t>(1, extent.dims()[last] * below);
  row_ = Divider(row_elements_);
  cut_ = Divider(grid.chunk().dims()[last] * below);
  for (std::size_t d = 0; d < last; ++d) {
    outer_.push_back({Divider(extent.step(d) / row_elements_), Divider(grid.chunk().dims()[d]),
                      grid.chunks().step(d), grid.chunk().step(d)});
  }
  band_elements_ = try_multiply(grid.chunk().dims()[0], extent.step(0)).value_or(~std::uint64_t{0});
  if (!file_.done()) enter_row(file_.pattern().start);
}

void Partition::enter_row(std::uint64_t position) {
  std::uint64_t row = row_.quotient(position);
  row_start_ = row * row_elements_;
  row_chunk_ = row_local_ = 0;
  for (const Axis& axis : outer_) {
    const std::uint64_t coordinate = axis.step.quotient(row);
    row -= coordinate * axis.step.divisor();
    const std::uint64_t chunk = axis.chunk.quotient(coordinate);
    row_chunk_ += chunk * axis.chunk_step;
    row_local_ += (coordinate - chunk * axis.chunk.divisor()) * axis.local_step;
  }
}

/// As much of the run as lies in one chunk.
ChunkRun Partition::first_piece(Run run) {
  // Also true for points of an earlier row: the difference wraps around.
  if (run.start - row_start_ >= row_elements_) enter_row(run.start);
  const std::uint64_t column = run.start - row_start_;
  const std::uint64_t along = cut_.quotient(column);
  const std::uint64_t inside = column - along * cut_.divisor();
  const std::uint64_t room = std::min(cut_.divisor() - inside, row_elements_ - column);
  return {row_chunk_ + along, row_local_ + inside, 0, std::min(run.length, room)};
}

bool Partition::fill() {
  batch_.clear();
  // Every run is one piece at least, and a large batch should not be moved while it grows.
  const std::uint64_t expected = ordered_ ? limits_.enough_runs : limits_.most_runs;
  const auto room = static_cast<std::size_t>(std::min(runs_at_least_, expected));
  if (batch_.capacity() < room) {
    batch_.reserve(room);
    prefer_large_pages(batch_.data(), batch_.capacity() * sizeof(ChunkRun));
  }
  given_ = 0;
  std::uint64_t band = 0;
  RunCutter file(file_), memory(memory_);
  while (!file.done() && batch_.size() < limits_.most_runs) {
    const Run from = file.rest();
    const Run to = memory.rest();
    if (ordered_ && batch_.size() >= limits_.enough_runs) {
      const std::uint64_t next_band = from.start / band_elements_;
      if (batch_.size() > limits_.enough_runs && next_band != band) break;
      band = next_band;
    }
    ChunkRun piece = first_piece({from.start, std::min(from.length, to.length)});
    piece.memory = to.start;
    batch_.push_back(piece);
    file.take(piece.length);
    memory.take(piece.length);
  }
  radix_sort(batch_, [](const ChunkRun& run) { return run.chunk; });
  return !batch_.empty();
}

ChunkPiece Partition::take() {
  const std::size_t first = given_;
  ChunkPiece piece;
  piece.chunk = batch_[first].chunk;
  for (; given_ < batch_.size() && batch_[given_].chunk == piece.chunk; ++given_)
    piece.elements += batch_[given_].length;
  piece.runs = std::span(batch_).subspan(first, given_ - first);
  piece.run_count = piece.runs.size();
  return piece;
}

bool Partition::next(ChunkPiece& piece) {
  if (given_ == batch_.size() && !fill()) return false;
  piece = take();
  return true;
}

bool Partition::next_batch(std::vector<ChunkPiece>& pieces) {
  pieces.clear();
  if (!fill()) return false;
  while (given_ < batch_.size()) pieces.push_back(take());
  return true;
}

}  // namespace filigree::space
