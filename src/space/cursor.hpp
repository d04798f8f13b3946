// SPDX-License-Identifier: Apache-2.0
//
// Walking selections of any kind, alone or two in step.
#pragma once

#include <cstdint>
#include <optional>

#include "space/selection.hpp"

namespace filigree::space {

/// Walks the elements of a selection in its order. The selection outlives the cursor.
class Cursor {
 public:
  explicit Cursor(const Selection& selection);
  bool done() const { return remaining_ == 0; }
  std::uint64_t remaining() const { return remaining_; }  ///< elements
  /// The current run, and those that follow it at a fixed distance: all of a row for regular selections, the
  /// run alone for others. The first run may be the rest of one that was begun. Not when done().
  RunPattern pattern() const {
    return slab_ ? slab_->pattern() : RunPattern{run_.start, run_.length, run_.length, 1};
  }
  /// Moves on by `elements`, at most those of pattern().
  void advance(std::uint64_t elements) {
    remaining_ -= elements;
    if (slab_) return slab_->advance(elements);
    run_.start += elements;
    run_.length -= elements;
    if (run_.length == 0 && remaining_ != 0) next_run();
  }

 private:
  void next_run();

  const Selection* selection_;
  std::uint64_t remaining_;
  std::optional<SlabCursor> slab_;
  std::size_t next_ = 0;  ///< run or point that comes after run_
  Run run_;               ///< what is left of the current run of a set or list
  RunSet set_;            ///< keeps the runs alive
};

/// Throws Error(invalid_argument), naming both numbers, when the selections differ in their number of
/// elements.
void require_equal_counts(const Selection& first, const Selection& second);

/// Elements that are neighbours on both sides.
struct MatchedRun {
  std::uint64_t first = 0;   ///< position in the first selection's frame
  std::uint64_t second = 0;  ///< position in the second's
  std::uint64_t length = 0;
  friend bool operator==(const MatchedRun&, const MatchedRun&) = default;
};

/// Walks two selections of equally many elements in step.
class MatchedCursor {
 public:
  /// Throws Error(invalid_argument) when the numbers of elements differ.
  MatchedCursor(const Selection& first, const Selection& second);
  /// The next run, as long as both sides allow; false at the end.
  bool next(MatchedRun& run);

 private:
  Cursor first_;
  Cursor second_;
};

}  // namespace filigree::space
