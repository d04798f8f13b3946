// SPDX-License-Identifier: Apache-2.0
#include "space/blocks.hpp"

#include <algorithm>

namespace filigree::space {
namespace {

using Kind = Selection::Kind;

std::uint64_t blocks_of_slab(const Slab& slab) {
  std::uint64_t blocks = 1;
  // There are no more blocks than elements, so the product fits in 64 bits.
  for (const SlabDimension& d : slab.dims()) blocks *= d.count;
  return blocks;
}

/// Counts through the blocks of a slab: one digit for every dimension.
class SlabBlocks {
 public:
  SlabBlocks(const Slab& slab, std::uint64_t first)
      : dims_(slab.dims()), digits_(dims_.size()), low_(dims_.size()), high_(dims_.size()) {
    for (std::size_t d = dims_.size(); d-- > 0;) {
      set_digit(d, first % dims_[d].count);
      first /= dims_[d].count;
    }
  }

  const std::vector<std::uint64_t>& low() const { return low_; }
  const std::vector<std::uint64_t>& high() const { return high_; }

  /// Advances to the next block; returns false after the last one.
  bool next() {
    for (std::size_t d = dims_.size(); d-- > 0;) {
      const bool carry = digits_[d] + 1 == dims_[d].count;
      set_digit(d, carry ? 0 : digits_[d] + 1);
      if (!carry) return true;
    }
    return false;
  }

 private:
  void set_digit(std::size_t d, std::uint64_t digit) {
    digits_[d] = digit;
    low_[d] = dims_[d].start + digit * dims_[d].stride;
    high_[d] = low_[d] + dims_[d].block - 1;
  }

  const std::vector<SlabDimension>& dims_;
  std::vector<std::uint64_t> digits_;
  std::vector<std::uint64_t> low_;
  std::vector<std::uint64_t> high_;
};

void visit_slab(const Slab& slab, SpanTree::BlockVisitor visit, std::uint64_t first) {
  if (slab.elements() == 0 || first >= blocks_of_slab(slab)) return;
  SlabBlocks blocks(slab, first);
  while (visit(blocks.low(), blocks.high()) && blocks.next()) {
  }
}

void visit_points(const Selection& selection, SpanTree::BlockVisitor visit, std::uint64_t first) {
  std::vector<std::uint64_t> at(selection.frame().rank());
  for (std::uint64_t i = first; i < selection.points().size(); ++i) {
    selection.frame().coordinates(selection.points()[i], at.data());
    if (!visit(at, at)) return;
  }
}

void visit_runs(const Selection& selection, SpanTree::BlockVisitor visit, std::uint64_t first) {
  SpanTree(selection.frame(), selection.runs())
      .for_each_block([&](std::span<const std::uint64_t> low, std::span<const std::uint64_t> high) {
        if (first == 0) return visit(low, high);
        --first;
        return true;
      });
}

}  // namespace

std::uint64_t block_count(const Selection& selection) {
  switch (selection.kind()) {
    case Kind::none:
      return 0;
    case Kind::all:
    case Kind::regular:
      return selection.elements() == 0 ? 0 : blocks_of_slab(selection.slab());
    case Kind::runs:
      return SpanTree(selection.frame(), selection.runs()).blocks();
    case Kind::points:
      return selection.points().size();
  }
  return 0;
}

void for_each_block(const Selection& selection, SpanTree::BlockVisitor visit, std::uint64_t first) {
  switch (selection.kind()) {
    case Kind::none:
      return;
    case Kind::all:
    case Kind::regular:
      return visit_slab(selection.slab(), visit, first);
    case Kind::runs:
      return visit_runs(selection, visit, first);
    case Kind::points:
      return visit_points(selection, visit, first);
  }
}

std::vector<std::uint64_t> block_list(const Selection& selection, std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> corners;
  if (count == 0) return corners;
  for_each_block(
      selection,
      [&](std::span<const std::uint64_t> low, std::span<const std::uint64_t> high) {
        corners.insert(corners.end(), low.begin(), low.end());
        corners.insert(corners.end(), high.begin(), high.end());
        return --count != 0;
      },
      first);
  return corners;
}

std::optional<std::vector<SlabDimension>> regular_slab(const Selection& selection) {
  if (selection.elements() == 0) return std::nullopt;
  switch (selection.kind()) {
    case Kind::all:
    case Kind::regular:
      return selection.slab().dims();
    case Kind::runs:
      return SpanTree(selection.frame(), selection.runs()).regular();
    case Kind::none:
    case Kind::points:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace filigree::space
