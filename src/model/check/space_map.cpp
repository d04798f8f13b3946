// SPDX-License-Identifier: Apache-2.0
#include "model/check/space_map.hpp"

#include <algorithm>
#include <tuple>

namespace filigree::model {

void SpaceMap::add(const UsedRange& range) {
  if (range.bytes == 0) return;
  if (!ranges_.empty()) {
    UsedRange& last = ranges_.back();
    if (ranges_.size() > sorted_ && last.end() == range.at && last.owner == range.owner &&
        last.structure == range.structure) {
      last.bytes += range.bytes;
      return;
    }
  }
  if (ranges_.size() >= most_) {
    compact();
    if (ranges_.size() > most_ / 2) {
      complete_ = false;
      return;
    }
  }
  ranges_.push_back(range);
}

void SpaceMap::compact() {
  std::ranges::sort(ranges_, [](const UsedRange& a, const UsedRange& b) {
    return std::tie(a.at, a.bytes, a.owner, a.structure) < std::tie(b.at, b.bytes, b.owner, b.structure);
  });
  std::size_t kept = 0;
  for (const UsedRange& range : ranges_) {
    if (kept > 0) {
      UsedRange& last = ranges_[kept - 1];
      if (last.end() == range.at && last.owner == range.owner && last.structure == range.structure) {
        last.bytes += range.bytes;
        continue;
      }
    }
    ranges_[kept++] = range;
  }
  ranges_.resize(kept);
  sorted_ = kept;
}

void SpaceMap::for_each_overlap(FunctionRef<void(const UsedRange&, const UsedRange&)> overlap) const {
  const UsedRange* furthest = nullptr;
  for (const UsedRange& range : ranges_) {
    if (furthest != nullptr && range.at < furthest->end()) overlap(*furthest, range);
    if (furthest == nullptr || range.end() > furthest->end()) furthest = &range;
  }
}

void SpaceMap::for_each_gap(std::uint64_t begin, std::uint64_t end,
                            FunctionRef<void(std::uint64_t, std::uint64_t)> gap) const {
  std::uint64_t covered = begin;
  for (const UsedRange& range : ranges_) {
    if (range.at >= end) break;
    if (range.at > covered) gap(covered, range.at - covered);
    covered = std::max(covered, range.end());
  }
  if (covered < end) gap(covered, end - covered);
}

}  // namespace filigree::model
