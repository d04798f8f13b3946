// SPDX-License-Identifier: Apache-2.0
//
// The intersection of a transfer with a mapping: elements of a source, and the matching elements in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/cursor.hpp"
#include "space/selection.hpp"

namespace filigree::model {

/// The part of a transfer that one source provides. Both selections have the same number of elements.
struct JoinedPart {
  space::Selection source;
  space::Selection memory;
  std::vector<space::Run> covered;  ///< the same elements of the virtual dataset
};

/// The selections of a transfer as runs, so that the part of each of many sources is found by binary search.
/// Thread safety: const calls may run on any number of threads.
class VirtualJoin {
 public:
  /// `wanted` are elements of the virtual dataset in ascending order; `memory` are their offsets in memory.
  VirtualJoin(const space::Selection& wanted, const space::Selection& memory);

  const space::Frame& frame() const { return wanted_.frame(); }
  /// Returns the bounding box of the transfer; empty if nothing is selected.
  const std::optional<space::Bounds>& bounds() const { return bounds_; }
  /// Returns false only if no element of the box is selected.
  bool may_meet(const space::Bounds& box) const;
  bool meets(const space::Selection& elements) const;
  /// Returns the part of the transfer in `elements` of the virtual dataset, which correspond to `source`.
  JoinedPart part(const space::Selection& elements, const space::Selection& source) const;

 private:
  /// Returns the first run that ends after `position`.
  std::vector<space::MatchedRun>::const_iterator from(std::uint64_t position) const;

  space::Selection wanted_;
  space::Selection memory_;
  std::optional<space::Bounds> bounds_;
  std::vector<space::MatchedRun> runs_;
};

}  // namespace filigree::model
