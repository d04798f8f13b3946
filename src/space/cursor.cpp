// SPDX-License-Identifier: Apache-2.0
#include "space/cursor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::space {

Cursor::Cursor(const Selection& selection) : selection_(&selection), remaining_(selection.elements()) {
  using Kind = Selection::Kind;
  if (remaining_ == 0) return;
  if (selection.kind() == Kind::all || selection.kind() == Kind::regular) {
    slab_.emplace(selection.slab());
    return;
  }
  if (selection.kind() == Kind::runs) set_ = selection.runs();
  next_run();
}

void Cursor::next_run() {
  if (selection_->kind() == Selection::Kind::runs) {
    run_ = set_.run(next_++);
    return;
  }
  // Adjacent points form a run.
  const auto points = selection_->points();
  run_ = {points[next_++], 1};
  while (next_ < points.size() && points[next_] == run_.end()) {
    ++run_.length;
    ++next_;
  }
}

void require_equal_counts(const Selection& first, const Selection& second) {
  if (first.elements() == second.elements()) return;
  throw Error(ErrorKind::invalid_argument, fmt::format("one selection has {} elements, the other {}",
                                                       first.elements(), second.elements()));
}

MatchedCursor::MatchedCursor(const Selection& first, const Selection& second)
    : first_(first), second_(second) {
  require_equal_counts(first, second);
}

bool MatchedCursor::next(MatchedRun& run) {
  if (first_.done()) return false;
  const RunPattern a = first_.pattern();
  const RunPattern b = second_.pattern();
  run = {a.start, b.start, std::min(a.length, b.length)};
  first_.advance(run.length);
  second_.advance(run.length);
  return true;
}

}  // namespace filigree::space
