// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of a file are used, and by what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/function_ref.hpp"

namespace filigree::model {

/// Bytes that a structure, a chunk or a free section takes.
struct UsedRange {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint32_t owner = 0;      ///< see FileWalk
  std::uint16_t structure = 0;  ///< see FileWalk

  std::uint64_t end() const { return at + bytes; }
};

/// Collects used ranges in any order. Adjacent ranges of the same use are merged, so that the chunks of a
/// dataset, which are mostly contiguous, take little memory.
class SpaceMap {
 public:
  /// Of more ranges than this that cannot be merged, no overlaps are found. They take about 100 MiB.
  static constexpr std::size_t most_ranges = 3'000'000;

  explicit SpaceMap(std::size_t most = most_ranges) : most_(most) {}

  /// *Requires*: the end of the range is below 2^64.
  void add(const UsedRange& range);
  /// Whether all ranges fitted.
  bool is_complete() const { return complete_; }

  /// Sorts the ranges, which is necessary before the functions below.
  void finish() { compact(); }
  /// Calls `overlap` for each range that begins within an earlier one.
  void for_each_overlap(FunctionRef<void(const UsedRange& first, const UsedRange& second)> overlap) const;
  /// Calls `gap` for each part of [begin, end) that no range covers.
  void for_each_gap(std::uint64_t begin, std::uint64_t end,
                    FunctionRef<void(std::uint64_t at, std::uint64_t bytes)> gap) const;
  const std::vector<UsedRange>& ranges() const { return ranges_; }

 private:
  void compact();

  std::vector<UsedRange> ranges_;
  std::size_t sorted_ = 0;  ///< the number of ranges after the last merge
  std::size_t most_;
  bool complete_ = true;
};

}  // namespace filigree::model
