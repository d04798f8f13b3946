// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/join.hpp"

#include <algorithm>

namespace filigree::model {
namespace {

/// Returns the runs of a set, or of a list of points that cannot be a set.
class Collector {
 public:
  explicit Collector(bool set) : set_(set) {}
  void add(space::Run run) {
    if (set_) return runs_.add(run);
    for (std::uint64_t at = run.start; at < run.end(); ++at) points_.push_back(at);
  }
  space::Selection finish(const space::Frame& frame) {
    return set_ ? space::Selection::of_runs(frame, runs_.finish())
                : space::Selection::of_points(frame, std::move(points_));
  }

 private:
  bool set_;
  space::RunSetWriter runs_{0};
  std::vector<std::uint64_t> points_;
};

}  // namespace

VirtualJoin::VirtualJoin(const space::Selection& wanted, const space::Selection& memory)
    : wanted_(wanted), memory_(memory), bounds_(wanted.bounds()) {
  space::MatchedCursor cursor(wanted_, memory_);
  for (space::MatchedRun run; cursor.next(run);) runs_.push_back(run);
}

std::vector<space::MatchedRun>::const_iterator VirtualJoin::from(std::uint64_t position) const {
  return std::ranges::partition_point(
      runs_, [&](const space::MatchedRun& run) { return run.first + run.length <= position; });
}

bool VirtualJoin::may_meet(const space::Bounds& box) const {
  if (!bounds_) return false;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    if (box.high[d] < bounds_->low[d] || bounds_->high[d] < box.low[d]) return false;
  return true;
}

bool VirtualJoin::meets(const space::Selection& elements) const {
  const auto bounds = elements.bounds();
  if (!bounds || !may_meet(*bounds)) return false;
  for (space::Cursor cursor(elements); !cursor.done();) {
    const space::RunPattern p = cursor.pattern();
    const auto next = from(p.start);
    if (next == runs_.end()) return false;
    if (next->first < p.start + p.length) return true;
    cursor.advance(p.length);
  }
  return false;
}

JoinedPart VirtualJoin::part(const space::Selection& elements, const space::Selection& source) const {
  JoinedPart found;
  Collector in_source(wanted_.is_set());
  Collector in_memory(memory_.is_set());
  space::MatchedCursor cursor(elements, source);
  for (space::MatchedRun run; cursor.next(run);) {
    const std::uint64_t end = run.first + run.length;
    for (auto it = from(run.first); it != runs_.end() && it->first < end; ++it) {
      const std::uint64_t start = std::max(run.first, it->first);
      const std::uint64_t length = std::min(end, it->first + it->length) - start;
      in_source.add({run.second + (start - run.first), length});
      in_memory.add({it->second + (start - it->first), length});
      if (found.covered.empty() || found.covered.back().end() != start) {
        found.covered.push_back({start, length});
      } else {
        found.covered.back().length += length;
      }
    }
  }
  found.source = in_source.finish(source.frame());
  found.memory = in_memory.finish(memory_.frame());
  return found;
}

}  // namespace filigree::model
