// SPDX-License-Identifier: Apache-2.0
#include "space/unlimited_slab.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;

/// A slab of `frame` whose count, or whose only block, is unlimited in one dimension.
UnlimitedSlab some_slab(const Frame& frame) {
  SlabDimensions dims = *gen_slab(frame);
  SlabDimension& d = dims[*gen_number(0, dims.size())];
  const bool endless_block = *rc::gen::arbitrary<bool>();
  d.count = endless_block ? 1 : unlimited;
  if (endless_block) d.block = unlimited;
  return UnlimitedSlab(dims);
}

/// The same slab with so many blocks, or one block so long, that it exceeds the frame.
Bitmap twin_of(const UnlimitedSlab& slab, const Frame& frame) {
  SlabDimensions dims = slab.dims();
  SlabDimension& d = dims[slab.dimension()];
  const std::uint64_t end = frame.dims()[slab.dimension()];
  if (d.count == unlimited) d.count = end + 1;
  if (d.block == unlimited) d.block = end + 1;
  return Bitmap(frame, dims);
}

RC_GTEST_PROP(UnlimitedSlab, ClipsToTheFrame, ()) {
  const Frame frame = *gen_frame();
  const UnlimitedSlab slab = some_slab(frame);
  // Grows and shrinks in the unlimited dimension only.
  Coordinates dims = frame.dims();
  dims[slab.dimension()] = *gen_number(0, 20);
  const Frame extent(dims);
  const Selection clipped = slab.clip(extent);
  RC_ASSERT(clipped.frame() == extent);
  RC_ASSERT(bitmap_of(clipped) == twin_of(slab, extent));
  RC_ASSERT(clipped.elements() == twin_of(slab, extent).offsets().size());
}

RC_GTEST_PROP(UnlimitedSlab, CombinesWithASetIfTheResultIsLimited, ()) {
  const auto rank = *gen_number(1, 6);
  const Selection set = make(*gen_set(*gen_frame(rank)));
  const UnlimitedSlab slab = some_slab(*gen_frame(rank));
  const Bitmap bits = bitmap_of(set);
  const Bitmap twin = twin_of(slab, set.frame());
  const auto bits_of = [&](const Selection& result) {
    RC_ASSERT(result.frame() == set.frame());
    return bitmap_of(result);
  };
  RC_ASSERT(bits_of(combine(slab, SetOperator::intersect, set)) ==
            twin.combined(SetOperator::intersect, bits));
  RC_ASSERT(bits_of(combine(slab, SetOperator::supplant, set)) == twin.combined(SetOperator::supplant, bits));
  RC_ASSERT(bits_of(combine(set, SetOperator::intersect, slab)) ==
            bits.combined(SetOperator::intersect, twin));
  RC_ASSERT(bits_of(combine(set, SetOperator::subtract, slab)) == bits.combined(SetOperator::subtract, twin));
}

TEST(UnlimitedSlab, IsRegularUnlessABlockIsTruncated) {
  const UnlimitedSlab slab({{1, 4, unlimited, 2}, {0, 1, 3, 1}});
  EXPECT_EQ(slab.dimension(), 0u);
  const Selection whole = slab.clip(Frame({9, 3}));
  ASSERT_EQ(whole.kind(), Selection::Kind::regular);
  EXPECT_EQ(whole.slab().dims(), (SlabDimensions{{1, 4, 2, 2}, {0, 1, 3, 1}}));
  EXPECT_EQ(slab.clip(Frame({10, 3})).elements(), 15u);
  EXPECT_EQ(slab.clip(Frame({1, 3})).kind(), Selection::Kind::none);
}

TEST(UnlimitedSlab, OfEmptyBlocksIsEmpty) {
  EXPECT_EQ(UnlimitedSlab({{1, 4, unlimited, 0}}).clip(Frame({9})).elements(), 0u);
  EXPECT_EQ(UnlimitedSlab({{1, 4, 1, unlimited}, {0, 1, 0, 1}}).clip(Frame({9, 9})).elements(), 0u);
}

std::string refusal(const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::invalid_argument);
    return e.what();
  }
  return "not refused";
}

TEST(UnlimitedSlab, RejectsInvalidArguments) {
  const auto make_slab = [](SlabDimensions dims) { return refusal([&] { UnlimitedSlab{dims}; }); };
  EXPECT_EQ(make_slab({{0, 1, 5, 1}}), "no dimension of the selection is unlimited");
  EXPECT_EQ(make_slab({{0, 1, unlimited, 1}, {0, 1, 2, 1}, {0, 1, 1, unlimited}}),
            "dimensions 0 and 2 are both unlimited; one can be");
  EXPECT_EQ(make_slab({{0, 1, 2, 1}, {0, 1, unlimited, unlimited}}),
            "selection in dimension 1: both count and block are unlimited");
  EXPECT_EQ(make_slab({{0, 9, 2, unlimited}}),
            "selection in dimension 0: 2 unlimited blocks; there can be one");
  EXPECT_EQ(make_slab({{0, 0, unlimited, 1}}), "selection in dimension 0: a stride of zero");
  EXPECT_EQ(make_slab({{0, 2, unlimited, 3}}),
            "selection in dimension 0: blocks of 3 elements overlap at a stride of 2");
}

TEST(UnlimitedSlab, RejectsOperatorsWithUnlimitedResults) {
  const UnlimitedSlab slab({{0, 2, unlimited, 1}});
  const Selection box = Selection::regular(Frame({9}), {{2, 1, 4, 1}});
  const std::string endless =
      "an unlimited selection can be intersected, or subtracted from a limited one; nothing else has an end";
  for (const SetOperator op : {SetOperator::unite, SetOperator::differ, SetOperator::subtract})
    EXPECT_EQ(refusal([&] { combine(slab, op, box); }), endless);
  for (const SetOperator op : {SetOperator::unite, SetOperator::differ, SetOperator::supplant})
    EXPECT_EQ(refusal([&] { combine(box, op, slab); }), endless);
  EXPECT_EQ(refusal([&] { combine(slab, SetOperator::intersect, Selection::of_points(Frame({9}), {1})); }),
            "a list of points is not a set; convert it to one before combining it");
  EXPECT_EQ(refusal([&] {
              combine(slab, SetOperator::intersect, Selection::all(Frame({3, 3})));
            }),
            "the selection has 1 dimensions, the extent 2");
  EXPECT_EQ(refusal([&] { slab.clip(Frame({3, 3})); }), "the selection has 1 dimensions, the extent 2");
}

TEST(UnlimitedSlab, RejectsFramesSmallerThanLimitedDimensions) {
  const UnlimitedSlab slab({{0, 2, unlimited, 1}, {0, 1, 5, 1}});
  EXPECT_EQ(refusal([&] {
              slab.clip(Frame({8, 4}));
            }),
            "selection in dimension 1: it ends at 5, the extent has 4 elements");
}

TEST(UnlimitedSlab, IsNeededForUnlimitedCountsAndBlocks) {
  EXPECT_FALSE(UnlimitedSlab::needed(SlabDimensions{{0, 1, 3, 1}}));
  EXPECT_TRUE(UnlimitedSlab::needed(SlabDimensions{{0, 1, 3, 1}, {0, 1, unlimited, 1}}));
  EXPECT_TRUE(UnlimitedSlab::needed(SlabDimensions{{0, 1, 1, unlimited}}));
}

}  // namespace
}  // namespace filigree::space
