// SPDX-License-Identifier: Apache-2.0
//
// Division of runs into rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "space/run_set.hpp"

namespace filigree::space {

/// Calls `visit(row, column, length)` for the part of every run in each row of `row_elements`. The row is
/// computed once for all runs in it.
template <class Visit>
void for_each_row_run(const RunSet& runs, std::uint64_t row_elements, Visit visit) {
  std::uint64_t row = 0;
  std::uint64_t row_start = 0;
  for (std::size_t i = 0; i < runs.runs(); ++i) {
    Run run = runs.run(i);
    while (run.length != 0) {
      if (run.start - row_start >= row_elements) {
        row = run.start / row_elements;
        row_start = row * row_elements;
      }
      const std::uint64_t column = run.start - row_start;
      const std::uint64_t length = std::min(run.length, row_elements - column);
      visit(row, column, length);
      run.start += length;
      run.length -= length;
    }
  }
}

}  // namespace filigree::space
