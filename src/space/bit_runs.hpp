// SPDX-License-Identifier: Apache-2.0
//
// Sets read off bitmaps.
#pragma once

#include <bit>
#include <cstdint>

#include "space/run_set.hpp"

namespace filigree::space {

/// Takes 64 positions at a time. Stretches without a change cost next to nothing.
class BitRuns {
 public:
  /// The first position stands in the lowest bit.
  void add(std::uint64_t word) {
    std::uint64_t changes = word ^ (word << 1 | inside_);
    inside_ = word >> 63;
    for (; changes != 0; changes &= changes - 1)
      writer_.add_edge(at_ + static_cast<unsigned>(std::countr_zero(changes)));
    at_ += 64;
  }
  RunSet finish() {
    if (inside_ != 0) writer_.add_edge(at_);
    return writer_.finish();
  }

 private:
  RunSetWriter writer_{0};
  std::uint64_t at_ = 0;
  std::uint64_t inside_ = 0;  ///< whether the position before at_ is in the set
};

}  // namespace filigree::space
