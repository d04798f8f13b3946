// SPDX-License-Identifier: Apache-2.0
//
// Regular hyperslabs of an extent, and the runs that they consist of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace filigree::space {

/// A hyperslab in one dimension: `count` blocks of `block` elements, `stride` apart, from `start` on.
struct SlabDimension {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  std::uint64_t block = 1;
  friend bool operator==(const SlabDimension&, const SlabDimension&) = default;

  /// The last coordinate. *Requires* a count and a block that are not zero.
  std::uint64_t last() const { return start + (count - 1) * stride + block - 1; }
  /// The same elements with the fewest blocks: one block with a stride of 1 if the blocks are adjacent.
  SlabDimension normalised() const {
    return count == 1 || stride == block ? SlabDimension{start, 1, 1, count * block} : *this;
  }
};

/// `count` runs of `length` contiguous elements, `stride` apart.
struct RunPattern {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 0;
};

/// A regular hyperslab of an extent. With rank 0 it selects the element of a scalar.
class Slab {
 public:
  /// Selects all elements.
  explicit Slab(std::vector<std::uint64_t> extent);
  /// *Throws* Error(invalid_argument), naming the dimension, for a wrong rank, a stride of zero, overlapping
  /// blocks, or elements outside of the extent.
  Slab(std::vector<std::uint64_t> extent, std::vector<SlabDimension> dims);

  const std::vector<std::uint64_t>& extent() const { return extent_; }
  const std::vector<SlabDimension>& dims() const { return dims_; }
  std::uint64_t elements() const { return elements_; }
  std::uint64_t runs() const { return elements_ == 0 ? 0 : elements_ / run_elements_; }
  bool contains(std::span<const std::uint64_t> coordinates) const;
  /// Whether the selection is one run.
  bool one_run() const { return axes_.size() == 1 && axes_[0].count == 1; }

 private:
  friend class SlabCursor;
  /// `count` steps of `step` elements. The steps of the innermost axis are runs of run_elements_.
  struct Axis {
    std::uint64_t count;
    std::uint64_t step;
  };
  void make_axes();

  std::vector<std::uint64_t> extent_;
  std::vector<SlabDimension> dims_;
  std::uint64_t elements_ = 0;
  std::uint64_t first_ = 0;  ///< offset of the first selected element
  std::uint64_t run_elements_ = 0;
  std::vector<Axis> axes_;  ///< at least one; outermost first
};

/// Visits the runs of a slab in row-major order. *Requires* that the slab outlives the cursor.
class SlabCursor {
 public:
  explicit SlabCursor(const Slab& slab);
  bool done() const { return remaining_ == 0; }
  /// The rest of the current row of runs. The first run may be the rest of a run.
  RunPattern pattern() const;
  /// Advances by `elements`. *Requires* at most the elements of pattern().
  void advance(std::uint64_t elements);

 private:
  void next_row();
  const Slab* slab_;
  std::uint64_t remaining_;           ///< elements
  std::vector<std::uint64_t> index_;  ///< index on every axis except the innermost
  std::uint64_t row_start_;           ///< offset of the current row
  std::uint64_t run_ = 0;             ///< index of the run within the row
  std::uint64_t inside_ = 0;          ///< offset within the run
};

}  // namespace filigree::space
