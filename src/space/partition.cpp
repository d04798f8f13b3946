// SPDX-License-Identifier: Apache-2.0
#include "space/partition.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/executor.hpp"
#include "base/large_pages.hpp"
#include "space/radix_sort.hpp"

namespace filigree::space {
namespace {

/// Larger grids are not counted chunk by chunk.
constexpr std::uint64_t most_counted_chunks = std::uint64_t{1} << 16;
constexpr std::size_t points_worth_a_thread = std::size_t{1} << 15;

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

/// The innermost dimension that chunks divide. Below it, the rows of a chunk are those of the extent.
std::size_t cut_dimension(const ChunkGrid& grid) {
  std::size_t d = grid.extent().rank() - 1;
  while (d > 0 && grid.chunk().dims()[d] == grid.extent().dims()[d]) --d;
  return d;
}

/// The number of elements of a row of chunks, which are the chunks of equal first coordinate.
std::uint64_t elements_of_chunk_row(const ChunkGrid& grid) {
  return try_multiply(grid.chunk().dims()[0], grid.extent().step(0)).value_or(~std::uint64_t{0});
}

/// The start of a selection that is one run; nothing for others.
std::optional<std::uint64_t> start_of_one_run(const Selection& selection) {
  if (selection.elements() == 0) return std::nullopt;
  const RunPattern pattern = Cursor(selection).pattern();
  if (pattern.length != selection.elements()) return std::nullopt;
  return pattern.start;
}

RunSet easy_set(const Selection& file, const Selection& memory) {
  return file.kind() == Selection::Kind::runs && start_of_one_run(memory) ? file.runs() : RunSet();
}

/// Consumes the run of a cursor piece by piece, and advances the cursor when the run is used up.
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
    throw Error(ErrorKind::invalid_argument,
                "the selection does not belong to the extent that the chunks tile");
  require_equal_counts(file, memory);
}

Partition::Partition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
                     const PartitionLimits& limits)
    : file_(file),
      memory_(memory),
      set_(easy_set(file, memory)),
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
  chunk_row_elements_ = elements_of_chunk_row(grid);
  if (!set_.empty()) set_memory_ = memory_.pattern().start;
  if (!file_.done()) enter_row(file_.pattern().start);
  const std::uint64_t chunks = grid.chunks().elements();
  const Cursor line(memory);
  // Counting takes time for all chunks of the grid, not only for those that the points are in.
  if (!ordered_ && chunks <= most_counted_chunks && chunks <= file.elements() && !line.done() &&
      line.pattern().length == memory.elements()) {
    points_ = file.points();
    memory_start_ = line.pattern().start;
    chunks_ = static_cast<std::size_t>(chunks);
  }
}

/// The start of a row, given its index.
Partition::RowStart Partition::row_start(std::uint64_t row) const {
  RowStart start;
  for (const Axis& axis : outer_) {
    const std::uint64_t coordinate = axis.step.quotient(row);
    row -= coordinate * axis.step.divisor();
    const std::uint64_t chunk = axis.chunk.quotient(coordinate);
    start.chunk += chunk * axis.chunk_step;
    start.chunk_offset += (coordinate - chunk * axis.chunk.divisor()) * axis.chunk_offset_step;
  }
  return start;
}

void Partition::enter_row(std::uint64_t offset) {
  const std::uint64_t row = row_.quotient(offset);
  row_start_ = row * row_elements_;
  row_chunks_ = row_start(row);
}

/// The first part of the run, up to the end of its chunk.
ChunkRun Partition::first_piece(Run run) {
  // This is also true for points of an earlier row, because the difference wraps around.
  if (run.start - row_start_ >= row_elements_) enter_row(run.start);
  const std::uint64_t column = run.start - row_start_;
  const std::uint64_t along = cut_.quotient(column);
  const std::uint64_t inside = column - along * cut_.divisor();
  const std::uint64_t available = std::min(cut_.divisor() - inside, row_elements_ - column);
  return {row_chunks_.chunk + along, row_chunks_.chunk_offset + inside, 0, std::min(run.length, available)};
}

void Partition::add_matched_runs() {
  std::uint64_t chunk_row = 0;
  RunCutter file(file_), memory(memory_);
  while (!file.done() && batch_.size() < limits_.most_runs) {
    const Run from = file.rest();
    const Run to = memory.rest();
    if (ordered_ && batch_.size() >= limits_.enough_runs) {
      const std::uint64_t next_chunk_row = from.start / chunk_row_elements_;
      if (batch_.size() > limits_.enough_runs && next_chunk_row != chunk_row) break;
      chunk_row = next_chunk_row;
    }
    ChunkRun piece = first_piece({from.start, std::min(from.length, to.length)});
    piece.memory = to.start;
    batch_.push_back(piece);
    file.take(piece.length);
    memory.take(piece.length);
  }
}

/// Builds a batch of a set directly, because cursors would take most of the time.
void Partition::add_set_runs() {
  std::uint64_t chunk_row = 0;
  Run rest = set_rest_;
  while (batch_.size() < limits_.most_runs) {
    if (rest.length == 0) {
      if (set_run_ == set_.runs()) break;
      rest = set_.run(set_run_++);
    }
    if (batch_.size() >= limits_.enough_runs) {
      const std::uint64_t next_chunk_row = rest.start / chunk_row_elements_;
      if (batch_.size() > limits_.enough_runs && next_chunk_row != chunk_row) break;
      chunk_row = next_chunk_row;
    }
    ChunkRun piece = first_piece(rest);
    piece.memory = set_memory_;
    batch_.push_back(piece);
    set_memory_ += piece.length;
    rest = {rest.start + piece.length, rest.length - piece.length};
  }
  set_rest_ = rest;
}

/// Calls `visit(i, chunk, chunk_offset)` for points of the list.
template <class Visit>
void Partition::locate_points(std::uint64_t from, std::uint64_t to, Visit visit) const {
  for (std::uint64_t i = from; i < to; ++i) {
    const std::uint64_t row = row_.quotient(points_[i]);
    const std::uint64_t column = points_[i] - row * row_elements_;
    const std::uint64_t along = cut_.quotient(column);
    const RowStart start = row_start(row);
    visit(i, start.chunk + along, start.chunk_offset + (column - along * cut_.divisor()));
  }
}

void Partition::fill_by_points() {
  const std::uint64_t first = next_point_;
  const std::uint64_t count = std::min<std::uint64_t>(points_.size() - first, limits_.most_runs);
  next_point_ += count;
  if (!point_runs_) {
    point_runs_ = std::make_unique_for_overwrite<std::byte[]>(count * sizeof(ChunkRun));
    prefer_large_pages(point_runs_.get(), count * sizeof(ChunkRun));
  }
  auto* const runs = reinterpret_cast<ChunkRun*>(point_runs_.get());
  const std::size_t threads = Executor::default_executor().threads();
  const std::size_t parts = std::clamp<std::size_t>(count / points_worth_a_thread, 1, threads);
  std::vector<std::size_t> counters(parts *
                                    chunks_);  // the number of points, later the index of the next one
  const auto in_parts = [&](auto visit) {
    Executor::default_executor().for_each(parts, [&](std::size_t part) {
      std::size_t* const own = counters.data() + part * chunks_;
      locate_points(first + count * part / parts, first + count * (part + 1) / parts,
                    [&](std::uint64_t i, std::uint64_t chunk, std::uint64_t chunk_offset) {
                      visit(own[chunk], ChunkRun{chunk, chunk_offset, memory_start_ + i, 1});
                    });
    });
  };
  in_parts([](std::size_t& number, const ChunkRun&) { ++number; });
  std::size_t before = 0;
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
    for (std::size_t part = 0; part < parts; ++part)
      before += std::exchange(counters[part * chunks_ + chunk], before);
  in_parts([&](std::size_t& start, const ChunkRun& run) { std::construct_at(runs + start++, run); });
  sorted_ = {runs, static_cast<std::size_t>(count)};
}

bool Partition::fill() {
  given_ = 0;
  if (points_.empty()) {
    fill_by_runs();
  } else {
    fill_by_points();
  }
  return !sorted_.empty();
}

void Partition::fill_by_runs() {
  batch_.clear();
  // Every run gives at least one piece, and a large batch should not be reallocated.
  const std::uint64_t expected = ordered_ ? limits_.enough_runs : limits_.most_runs;
  const auto capacity = static_cast<std::size_t>(std::min(runs_at_least_, expected));
  if (batch_.capacity() < capacity) {
    batch_.reserve(capacity);
    prefer_large_pages(batch_.data(), batch_.capacity() * sizeof(ChunkRun));
  }
  if (set_.empty()) {
    add_matched_runs();
  } else {
    add_set_runs();
  }
  radix_sort(batch_, [](const ChunkRun& run) { return run.chunk; });
  sorted_ = batch_;
}

ChunkPiece Partition::take() {
  const std::size_t first = given_;
  ChunkPiece piece;
  piece.chunk = sorted_[first].chunk;
  for (; given_ < sorted_.size() && sorted_[given_].chunk == piece.chunk; ++given_)
    piece.elements += sorted_[given_].length;
  piece.runs = sorted_.subspan(first, given_ - first);
  piece.run_count = piece.runs.size();
  return piece;
}

bool Partition::next(ChunkPiece& piece) {
  if (given_ == sorted_.size() && !fill()) return false;
  piece = take();
  return true;
}

bool Partition::next_batch(std::vector<ChunkPiece>& pieces) {
  pieces.clear();
  if (!fill()) return false;
  while (given_ < sorted_.size()) pieces.push_back(take());
  return true;
}

ParallelPartition::ParallelPartition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
                                     const SpanLimits& limits)
    : grid_(grid), limits_(limits), set_(easy_set(file, memory)) {
  single_.emplace(grid, file, memory);
  if (set_.runs() < 2 * limits_.runs) {
    run_ = set_.runs();
    return;
  }
  single_.reset();
  memory_ = *start_of_one_run(memory);
}

ParallelPartition::PartitionSpan ParallelPartition::next_span() {
  const std::uint64_t chunk_row_elements = elements_of_chunk_row(grid_);
  const std::uint64_t last = set_.run(std::min(set_.runs() - 1, run_ + limits_.runs)).start;
  const std::uint64_t chunk_row = std::max(last, offset_) / chunk_row_elements;
  PartitionSpan span{.from = offset_,
                     .until = try_multiply(chunk_row + 1, chunk_row_elements).value_or(~std::uint64_t{0}),
                     .first_run = run_,
                     .memory_start = memory_};
  const auto elements_until = [&](const Run& run) {
    return std::min(run.end(), span.until) - std::max(run.start, span.from);
  };
  // A run that continues after the span belongs to the next span, too.
  while (run_ < set_.runs() && set_.run(run_).end() <= span.until)
    memory_ += elements_until(set_.run(run_++));
  span.end_run = run_;
  if (run_ < set_.runs() && set_.run(run_).start < span.until) {
    memory_ += elements_until(set_.run(run_));
    ++span.end_run;
  }
  span.elements = memory_ - span.memory_start;
  offset_ = span.until;
  return span;
}

/// Creates the selections of a span. This is done in parallel, since it takes longer than finding the spans.
void ParallelPartition::cut_out(PartitionSpan& span) const {
  RunSetWriter writer(span.end_run - span.first_run);
  for (std::size_t i = span.first_run; i < span.end_run; ++i) {
    const Run run = set_.run(i);
    const std::uint64_t from = std::max(run.start, span.from);
    writer.add({from, std::min(run.end(), span.until) - from});
  }
  span.file = Selection::of_runs(grid_.extent(), writer.finish());
  span.memory = Selection::regular(Frame({span.memory_start + span.elements}),
                                   {{span.memory_start, 1, 1, span.elements}});
}

bool ParallelPartition::is_long(const PartitionSpan& span) const {
  const std::size_t d = cut_dimension(grid_);
  const std::uint64_t row =
      std::min(grid_.chunk().dims()[d], grid_.extent().dims()[d]) * grid_.extent().step(d);
  const std::uint64_t runs = span.end_run - span.first_run;
  return 2 * (runs + span.elements / std::max<std::uint64_t>(1, row)) > limits_.pieces;
}

bool ParallelPartition::next_batch(std::vector<ChunkPiece>& pieces) {
  if (single_ && single_->next_batch(pieces)) return true;
  single_.reset();
  pieces.clear();
  spans_.clear();
  while ((held_ || run_ < set_.runs()) && spans_.size() < limits_.spans) {
    PartitionSpan span = held_ ? *std::exchange(held_, std::nullopt) : next_span();
    const bool is_single = is_long(span);
    if (is_single && !spans_.empty()) {
      held_ = std::move(span);
      break;
    }
    spans_.push_back(std::move(span));
    if (!is_single) continue;
    cut_out(spans_[0]);
    single_.emplace(grid_, spans_[0].file, spans_[0].memory);
    return single_->next_batch(pieces);
  }
  constexpr std::size_t any = ~std::size_t{0};
  Executor::default_executor().for_each(spans_.size(), [&](std::size_t i) {
    PartitionSpan& span = spans_[i];
    cut_out(span);
    span.partition.emplace(grid_, span.file, span.memory, PartitionLimits{any, any});
    span.partition->next_batch(span.pieces);
  });
  for (const PartitionSpan& span : spans_)
    pieces.insert(pieces.end(), span.pieces.begin(), span.pieces.end());
  return !pieces.empty();
}

}  // namespace filigree::space
