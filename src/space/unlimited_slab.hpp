// SPDX-License-Identifier: Apache-2.0
//
// Hyperslabs that go on as far as the extent will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

/// A regular selection that has, in one dimension, an unlimited number of blocks or one unlimited block. It
/// is no Selection before it is clipped.
class UnlimitedSlab {
 public:
  /// Throws Error(invalid_argument), naming the dimension, for a stride of zero, overlapping blocks, no or
  /// two unlimited dimensions, and a count and block of one dimension that are both unlimited.
  explicit UnlimitedSlab(std::vector<SlabDimension> dims);
  /// Whether some count or block is unlimited, so that it takes an UnlimitedSlab to hold them.
  static bool needed(std::span<const SlabDimension> dims);

  const std::vector<SlabDimension>& dims() const { return dims_; }
  /// The unlimited one.
  std::size_t dimension() const { return dimension_; }

  /// What lies inside `frame` in the unlimited dimension; the last block may be cut short. Throws
  /// Error(invalid_argument) for another rank, or elements beyond the frame in another dimension.
  Selection clip(const Frame& frame) const;

  friend bool operator==(const UnlimitedSlab&, const UnlimitedSlab&) = default;

 private:
  std::vector<SlabDimension> dims_;
  std::size_t dimension_ = 0;
};

/// `a op b`, where the result has to end with the limited selection: intersect and supplant for the first
/// form, intersect and subtract for the second. Others throw Error(invalid_argument), as points and different
/// ranks do. The result has the frame of the limited selection.
Selection combine(const UnlimitedSlab& a, SetOperator op, const Selection& b);
Selection combine(const Selection& a, SetOperator op, const UnlimitedSlab& b);

}  // namespace filigree::space
