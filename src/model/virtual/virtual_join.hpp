// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a source a transfer wants, and where in memory they belong.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/cursor.hpp"
#include "space/selection.hpp"

namespace filigree::model {

/// What a transfer wants of one source. Both selections have equally many elements.
struct JoinedPart {
  space::Selection source;
  space::Selection memory;
  std::vector<space::Run> covered;  ///< the same elements of the virtual dataset
};

/// A transfer of a virtual dataset, held as runs, so that the wish for each of many sources is found by
/// search.
class VirtualJoin {
 public:
  /// Elements of the virtual dataset, ascending, and their places in memory.
  VirtualJoin(const space::Selection& wanted, const space::Selection& memory);

  const space::Frame& frame() const { return wanted_.frame(); }
  /// None when nothing is wanted.
  const std::optional<space::Bounds>& bounds() const { return bounds_; }
  /// False when nothing in the box is wanted for sure.
  bool may_meet(const space::Bounds& box) const;
  bool meets(const space::Selection& elements) const;
  /// `elements` of the virtual dataset, in this frame, are the counterparts of `source`.
  JoinedPart part(const space::Selection& elements, const space::Selection& source) const;

 private:
  /// The first run that ends behind `position`.
  std::vector<space::MatchedRun>::const_iterator from(std::uint64_t position) const;

  space::Selection wanted_;
  space::Selection memory_;
  std::optional<space::Bounds> bounds_;
  std::vector<space::MatchedRun> runs_;
};

}  // namespace filigree::model
