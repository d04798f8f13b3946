// SPDX-License-Identifier: Apache-2.0
//
// Selections that are built by many small steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

/// Combines a selection with one hyperslab after the other. Small hyperslabs are collected and merged when
/// the result is needed, so that a million calls cost one sort instead of a million merges.
class SelectionBuilder {
 public:
  /// Starts from a set. *Throws* Error(invalid_argument) for points.
  explicit SelectionBuilder(Selection from);

  /// *Throws* like Selection::regular(); the selection is then unchanged.
  void combine(SetOperator op, std::span<const SlabDimension> slab);
  void combine(SetOperator op, const Selection& other);
  /// Collects a hyperslab of one element, or of one run in a row, without merging it. Returns false, without
  /// an effect, for other hyperslabs, for those outside of the frame, and for operators that need the result
  /// of the one before.
  bool collect(SetOperator op, std::span<const SlabDimension> slab);

  const Frame& frame() const { return selection_.frame(); }
  /// Merges the pending hyperslabs and returns the result.
  const Selection& selection();

 private:
  void settle();

  Selection selection_;
  SetOperator op_ = SetOperator::unite;  ///< the operator of pending_
  std::vector<Run> pending_;
  std::size_t settle_at_ = 0;
};

}  // namespace filigree::space
