// SPDX-License-Identifier: Apache-2.0
//
// Cursors that visit the elements of one selection, or of two selections in step.
#pragma once

#include <cstdint>
#include <optional>

#include "space/selection.hpp"

namespace filigree::space {

/// Visits the elements of a selection in its order. *Requires* that the selection outlives the cursor.
class Cursor {
 public:
  explicit Cursor(const Selection& selection);
  bool done() const { return remaining_ == 0; }
  std::uint64_t remaining() const { return remaining_; }  ///< number of elements
  /// The current run and those that follow at a fixed distance: the runs of a row for regular selections, and
  /// one run for others. The first run may be the rest of a run. *Requires* that the cursor is not done().
  RunPattern pattern() const {
    return slab_ ? slab_->pattern() : RunPattern{run_.start, run_.length, run_.length, 1};
  }
  /// Advances by `elements`. *Requires* at most the elements of pattern().
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
  std::size_t next_ = 0;  ///< index of the run or point after run_
  Run run_;               ///< the rest of the current run of a set or list
  RunSet set_;            ///< keeps the runs alive
};

/// *Throws* Error(invalid_argument), naming both numbers, if the selections differ in their number of
/// elements.
void require_equal_counts(const Selection& first, const Selection& second);

/// Elements that are contiguous in both selections.
struct MatchedRun {
  std::uint64_t first = 0;   ///< offset in the frame of the first selection
  std::uint64_t second = 0;  ///< offset in the frame of the second selection
  std::uint64_t length = 0;
  friend bool operator==(const MatchedRun&, const MatchedRun&) = default;
};

/// Visits two selections of equally many elements in step.
class MatchedCursor {
 public:
  /// *Throws* Error(invalid_argument) if the numbers of elements differ.
  MatchedCursor(const Selection& first, const Selection& second);
  /// Returns the next run that is contiguous on both sides; false at the end.
  bool next(MatchedRun& run);

 private:
  Cursor first_;
  Cursor second_;
};

}  // namespace filigree::space
