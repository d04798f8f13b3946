// SPDX-License-Identifier: Apache-2.0
//
// Unlimited hyperslabs, which grow with their extent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

/// A regular hyperslab with an unlimited number of blocks, or one unlimited block, in one dimension. clip()
/// makes it a Selection.
class UnlimitedSlab {
 public:
  /// *Throws* Error(invalid_argument), naming the dimension, for a stride of zero, overlapping blocks, none
  /// or several unlimited dimensions, and a dimension whose count and block are both unlimited.
  explicit UnlimitedSlab(std::vector<SlabDimension> dims);
  /// Whether a count or block is unlimited.
  static bool needed(std::span<const SlabDimension> dims);

  const std::vector<SlabDimension>& dims() const { return dims_; }
  /// The unlimited dimension.
  std::size_t dimension() const { return dimension_; }

  /// The elements within `frame`; the last block may be truncated. *Throws* Error(invalid_argument) for
  /// another rank, or elements outside of the frame in a limited dimension.
  Selection clip(const Frame& frame) const;

  friend bool operator==(const UnlimitedSlab&, const UnlimitedSlab&) = default;

 private:
  std::vector<SlabDimension> dims_;
  std::size_t dimension_ = 0;
};

/// `a op b`, if the result is limited: intersect and supplant for the first function, intersect and subtract
/// for the second. The result has the frame of the limited selection. *Throws* Error(invalid_argument) for
/// other operators, points and different ranks.
Selection combine(const UnlimitedSlab& a, SetOperator op, const Selection& b);
Selection combine(const Selection& a, SetOperator op, const UnlimitedSlab& b);

}  // namespace filigree::space
