// SPDX-License-Identifier: Apache-2.0
//
// Selections that grow by many small steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

/// Combines a selection with one hyperslab after the other. Small ones are collected and merged together when
/// the result is wanted, so that a million calls cost one sort and not a million merges.
class SelectionBuilder {
 public:
  /// Starts from a set. Throws Error(invalid_argument) for points.
  explicit SelectionBuilder(Selection from);

  /// The checks of Selection::regular; what is refused changes nothing.
  void combine(SetOperator op, std::span<const SlabDimension> slab);
  void combine(SetOperator op, const Selection& other);

  const Frame& frame() const { return selection_.frame(); }
  /// Merges what is still collected.
  const Selection& selection();

 private:
  bool collect(SetOperator op, std::span<const SlabDimension> slab);
  void settle();

  Selection selection_;
  SetOperator op_ = SetOperator::unite;  ///< what pending_ waits for
  std::vector<Run> pending_;
  std::size_t settle_at_ = 0;
};

}  // namespace filigree::space
