// SPDX-License-Identifier: Apache-2.0
#include "space/unlimited_slab.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::space {
namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... args) {
  throw Error(ErrorKind::invalid_argument, fmt::format(why, std::forward<Args>(args)...));
}

bool is_unlimited(const SlabDimension& d) { return d.count == unlimited || d.block == unlimited; }

void check(const SlabDimension& d, std::size_t number) {
  if (d.stride == 0) refuse("selection in dimension {}: a stride of zero", number);
  if (d.count == unlimited && d.block == unlimited)
    refuse("selection in dimension {}: both count and block are unlimited", number);
  if (d.block == unlimited && d.count > 1)
    refuse("selection in dimension {}: {} unlimited blocks; there can be one", number, d.count);
  if (d.count > 1 && d.stride < d.block)
    refuse("selection in dimension {}: blocks of {} elements overlap at a stride of {}", number, d.block,
           d.stride);
}

void require_rank(std::size_t rank, const Frame& frame) {
  if (rank != frame.rank()) refuse("the selection has {} dimensions, the extent {}", rank, frame.rank());
}

/// The blocks that lie completely below `end`; for a single unlimited block, its part below `end`.
SlabDimension whole_blocks(SlabDimension d, std::uint64_t end) {
  const std::uint64_t available = d.start < end ? end - d.start : 0;
  if (d.block == unlimited) {
    d.block = available;
  } else {
    d.count = available < d.block ? 0 : (available - d.block) / d.stride + 1;
  }
  return d;
}

/// The truncated block, if there is one.
SlabDimension rest(const SlabDimension& d, const SlabDimension& whole, std::uint64_t end) {
  const auto start = try_multiply(whole.count, d.stride);
  const auto at = start ? try_add(*start, d.start) : start;
  if (d.block == unlimited || !at || *at >= end) return {0, 1, 0, 1};
  return {*at, 1, 1, end - *at};
}

/// The part that can affect `limited`: clipped to its end, in a frame that contains all other dimensions.
Selection clip_to(const UnlimitedSlab& slab, const Selection& limited) {
  require_rank(slab.dims().size(), limited.frame());
  std::vector<std::uint64_t> dims = limited.frame().dims();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const SlabDimension& d = slab.dims()[i];
    if (i == slab.dimension() || d.count == 0 || d.block == 0) continue;
    const std::uint64_t span = checked_multiply(d.count - 1, d.stride, "the end of a selection");
    const std::uint64_t first = checked_add(span, d.start, "the end of a selection");
    dims[i] = std::max(dims[i], checked_add(first, d.block, "the end of a selection"));
  }
  const auto bounds = limited.bounds();
  dims[slab.dimension()] = bounds ? bounds->high[slab.dimension()] + 1 : 0;
  return slab.clip(Frame(std::move(dims)));
}

/// `only` is the bit of the truth table for elements that are only in the unlimited selection.
void require_end(SetOperator op, unsigned only) {
  if ((static_cast<unsigned>(op) >> only & 1) != 0)
    refuse(
        "an unlimited selection can be intersected, or subtracted from a limited one; nothing else has an "
        "end");
}

}  // namespace

UnlimitedSlab::UnlimitedSlab(std::vector<SlabDimension> dims) : dims_(std::move(dims)) {
  for (std::size_t i = 0; i < dims_.size(); ++i) check(dims_[i], i);
  const auto first = std::ranges::find_if(dims_, is_unlimited);
  if (first == dims_.end()) refuse("no dimension of the selection is unlimited");
  dimension_ = static_cast<std::size_t>(first - dims_.begin());
  const auto second = std::find_if(first + 1, dims_.end(), is_unlimited);
  if (second != dims_.end())
    refuse("dimensions {} and {} are both unlimited; one can be", dimension_, second - dims_.begin());
}

bool UnlimitedSlab::needed(std::span<const SlabDimension> dims) {
  return std::ranges::any_of(dims, is_unlimited);
}

Selection UnlimitedSlab::clip(const Frame& frame) const {
  require_rank(dims_.size(), frame);
  const std::uint64_t end = frame.dims()[dimension_];
  std::vector<SlabDimension> whole = dims_;
  whole[dimension_] = whole_blocks(dims_[dimension_], end);
  std::vector<SlabDimension> cut = dims_;
  cut[dimension_] = rest(dims_[dimension_], whole[dimension_], end);
  return combine(Selection::regular(frame, std::move(whole)), SetOperator::unite,
                 Selection::regular(frame, std::move(cut)));
}

Selection combine(const UnlimitedSlab& a, SetOperator op, const Selection& b) {
  require_end(op, 1);
  return combine(clip_to(a, b), op, b).reframed(b.frame());
}

Selection combine(const Selection& a, SetOperator op, const UnlimitedSlab& b) {
  require_end(op, 2);
  return combine(a, op, clip_to(b, a)).reframed(a.frame());
}

}  // namespace filigree::space
