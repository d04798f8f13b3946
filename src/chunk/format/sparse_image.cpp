// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sparse_image.hpp"

#include <cstring>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using space::SetOperator;

constexpr std::size_t runs_per_sample = 64;

}  // namespace

RankedSet::RankedSet(RunSet set) : set_(std::move(set)) {
  if (set_.runs() <= runs_per_sample) return;
  samples_.reserve((set_.runs() - 1) / runs_per_sample);
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < set_.runs(); ++i) {
    if (i != 0 && i % runs_per_sample == 0) samples_.push_back(rank);
    rank += set_.run(i).length;
  }
}

std::uint64_t RankedSet::rank_of_run(std::size_t i) const {
  const std::size_t sample = i / runs_per_sample;
  std::uint64_t rank = sample == 0 ? 0 : samples_[sample - 1];
  for (std::size_t j = sample * runs_per_sample; j < i; ++j) rank += set_.run(j).length;
  return rank;
}

bool RankedSet::Cursor::seek(std::uint64_t position) {
  constexpr std::size_t steps_before_a_search = 8;
  const RunSet& set = ranked_.set_;
  if (run_ != 0 && position < set.run(run_ - 1).end()) {
    run_ = set.find(position);
    rank_ = ranked_.rank_of_run(run_);
    return true;
  }
  for (std::size_t steps = 0; run_ < set.runs() && set.run(run_).end() <= position; ++steps) {
    if (steps == steps_before_a_search) {
      run_ = set.find(position);
      if (run_ < set.runs()) rank_ = ranked_.rank_of_run(run_);
      break;
    }
    rank_ += set.run(run_).length;
    ++run_;
  }
  return run_ < set.runs();
}

std::vector<Stretch> stretches(const RunSet& part, const RunSet& whole) {
  std::vector<Stretch> result;
  std::size_t w = 0;
  std::uint64_t whole_rank = 0;  // of the run w
  std::uint64_t part_rank = 0;
  for (std::size_t p = 0; p < part.runs(); ++p) {
    const Run run = part.run(p);
    for (; whole.run(w).end() <= run.start; ++w) whole_rank += whole.run(w).length;
    const std::uint64_t rank = whole_rank + (run.start - whole.run(w).start);
    if (!result.empty() && result.back().whole_rank + result.back().length == rank) {
      result.back().length += run.length;
    } else {
      result.push_back({part_rank, rank, run.length});
    }
    part_rank += run.length;
  }
  return result;
}

SparseImage::SparseImage(std::size_t element_bytes, RunSet defined, Buffer values)
    : element_bytes_(element_bytes), defined_(std::move(defined)), values_(std::move(values)) {}

std::size_t SparseImage::memory_bytes() const {
  return sizeof(*this) + defined_.memory_bytes() + values_.capacity() + heap_.capacity();
}

void SparseImage::set_elements(RunSet defined, Buffer values) {
  defined_ = RankedSet(std::move(defined));
  values_ = std::move(values);
}

bool SparseImage::covers(std::span<const space::ChunkRun> runs) const {
  RankedSet::Cursor cursor(defined_);
  for (const space::ChunkRun& run : runs) {
    if (!cursor.seek(run.chunk_offset)) return false;
    if (cursor.run().start > run.chunk_offset || cursor.run().end() < run.chunk_offset + run.length)
      return false;
  }
  return true;
}

void SparseImage::define(const RunSet& fresh) {
  RunSet united = combine(defined(), SetOperator::unite, fresh);
  const auto moves = stretches(defined(), united);
  RankedSet ranked(std::move(united));
  values_.resize(static_cast<std::size_t>(
      checked_multiply(ranked.set().elements(), element_bytes_, "the bytes of a chunk's values")));
  // From behind, so that nothing is overwritten before it has moved.
  for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    if (move->part_rank != move->whole_rank)
      std::memmove(value(move->whole_rank), value(move->part_rank), move->length * element_bytes_);
  defined_ = std::move(ranked);
}

void SparseImage::erase(const RunSet& elements) {
  RunSet kept = combine(defined(), SetOperator::subtract, elements);
  if (kept.elements() == defined().elements()) return;
  const auto moves = stretches(kept, defined());
  RankedSet ranked(std::move(kept));
  for (const Stretch& move : moves)
    if (move.part_rank != move.whole_rank)
      std::memmove(value(move.part_rank), value(move.whole_rank), move.length * element_bytes_);
  defined_ = std::move(ranked);
  values_.resize(static_cast<std::size_t>(defined().elements() * element_bytes_));
  if (values_.size() < values_.capacity() / 2) values_.shrink_to_fit();
}

void SparseImage::set_cells(VariableCells cells) {
  values_ = std::move(cells.elements);
  heap_ = std::move(cells.heap);
  compact_heap_bytes_ = heap_.size();
}

}  // namespace filigree::chunk
