// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/ordinal_set.hpp"

#include <algorithm>

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;

constexpr std::size_t runs_per_sample = 64;

}  // namespace

OrdinalSet::OrdinalSet(RunSet set) : set_(std::move(set)) {
  if (set_.runs() <= runs_per_sample) return;
  samples_.reserve((set_.runs() - 1) / runs_per_sample);
  std::uint64_t ordinal = 0;
  for (std::size_t i = 0; i < set_.runs(); ++i) {
    if (i != 0 && i % runs_per_sample == 0) samples_.push_back(ordinal);
    ordinal += set_.run(i).length;
  }
}

std::uint64_t OrdinalSet::ordinal_of_run(std::size_t i) const {
  const std::size_t sample = i / runs_per_sample;
  std::uint64_t ordinal = sample == 0 ? 0 : samples_[sample - 1];
  for (std::size_t j = sample * runs_per_sample; j < i; ++j) ordinal += set_.run(j).length;
  return ordinal;
}

bool OrdinalSet::Cursor::seek(std::uint64_t offset) {
  constexpr std::size_t steps_before_a_search = 8;
  const RunSet& set = ordinals_.set_;
  if (run_ != 0 && offset < set.run(run_ - 1).end()) {
    run_ = set.find(offset);
    ordinal_ = ordinals_.ordinal_of_run(run_);
    return true;
  }
  for (std::size_t steps = 0; run_ < set.runs() && set.run(run_).end() <= offset; ++steps) {
    if (steps == steps_before_a_search) {
      run_ = find_from(set, run_, offset);
      if (run_ < set.runs()) ordinal_ = ordinals_.ordinal_of_run(run_);
      break;
    }
    ordinal_ += set.run(run_).length;
    ++run_;
  }
  return run_ < set.runs();
}

std::size_t find_from(const RunSet& set, std::size_t from, std::uint64_t offset) {
  // Steps that double find a range, which is then halved.
  std::size_t step = 1, end = from;
  while (end < set.runs() && set.run(end).end() <= offset) {
    from = end + 1;
    end += step;
    step *= 2;
  }
  end = std::min(end, set.runs());
  while (from < end) {
    const std::size_t middle = from + (end - from) / 2;
    if (set.run(middle).end() <= offset) {
      from = middle + 1;
    } else {
      end = middle;
    }
  }
  return from;
}

std::vector<OrdinalSpan> ordinal_spans(const RunSet& part, const RunSet& whole) {
  std::vector<OrdinalSpan> result;
  std::size_t w = 0;
  std::uint64_t whole_ordinal = 0;  // of the run w
  std::uint64_t part_ordinal = 0;
  for (std::size_t p = 0; p < part.runs(); ++p) {
    const Run run = part.run(p);
    for (; whole.run(w).end() <= run.start; ++w) whole_ordinal += whole.run(w).length;
    const std::uint64_t ordinal = whole_ordinal + (run.start - whole.run(w).start);
    if (!result.empty() && result.back().whole_ordinal + result.back().length == ordinal) {
      result.back().length += run.length;
    } else {
      result.push_back({part_ordinal, ordinal, run.length});
    }
    part_ordinal += run.length;
  }
  return result;
}

}  // namespace filigree::chunk
