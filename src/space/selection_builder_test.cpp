// SPDX-License-Identifier: Apache-2.0
#include "space/selection_builder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;

/// One element or a piece of a row, which the builder collects, more often than other slabs.
rc::Gen<Step> gen_small_step(const Frame& frame) {
  return rc::gen::weightedOneOf<Step>(
      {{1, gen_step(frame)},
       {3, rc::gen::map(gen_step(frame), [frame](Step step) {
          for (std::size_t d = 0; d < step.slab.size(); ++d) {
            SlabDimension& s = step.slab[d];
            const bool last = d + 1 == step.slab.size();
            s = {s.start, 1, 1, last ? std::min(s.block, frame.dims()[d] - s.start) : 1};
          }
          return step;
        })}});
}

RC_GTEST_PROP(SelectionBuilder, BuildsTheSameSetAsABitmap, ()) {
  const Frame frame = *gen_frame();
  const Recipe from = *gen_set(frame);
  SelectionBuilder builder(make(from));
  Bitmap twin = bitmap_of(make(from));
  const auto steps = *rc::gen::container<std::vector<Step>>(gen_small_step(frame));
  const auto look_every = *gen_number(1, 12);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const SetOperator op = steps[i].op.value_or(SetOperator::unite);
    builder.combine(op, steps[i].slab);
    twin = twin.combined(op, Bitmap(frame, steps[i].slab));
    if (i % look_every == 0) RC_ASSERT(bitmap_of(builder.selection()) == twin);
  }
  RC_ASSERT(bitmap_of(builder.selection()) == twin);
  RC_ASSERT(builder.selection().elements() == twin.offsets().size());
}

RC_GTEST_PROP(SelectionBuilder, CombinesSlabsAndSelections, ()) {
  const Frame frame = *gen_frame();
  SelectionBuilder builder(Selection::none(frame));
  Bitmap twin(frame);
  const auto turns = *gen_number(0, 6);
  for (std::uint64_t i = 0; i < turns; ++i) {
    const Step small = *gen_small_step(frame);
    const SetOperator op = small.op.value_or(SetOperator::differ);
    builder.combine(op, small.slab);
    twin = twin.combined(op, Bitmap(frame, small.slab));
    const Selection whole = make(*gen_set(frame));
    const SetOperator next = *gen_set_operator();
    builder.combine(next, whole);
    twin = twin.combined(next, bitmap_of(whole));
  }
  RC_ASSERT(bitmap_of(builder.selection()) == twin);
}

TEST(SelectionBuilder, MergesPendingSlabsInBatches) {
  constexpr std::uint64_t side = 300;
  const Frame frame({side, side});
  SelectionBuilder builder(Selection::none(frame));
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t offset = i * 7919 % frame.elements();
    const Coordinates at = coordinates_in(frame, offset);
    builder.combine(SetOperator::unite, SlabDimensions{{at[0], 1, 1, 1}, {at[1], 1, 1, 1}});
    chosen.push_back(offset);
  }
  EXPECT_EQ(builder.selection().runs(), RunSet::of_offsets(chosen));
}

TEST(SelectionBuilder, IsUnchangedAfterARejectedSlab) {
  SelectionBuilder builder(Selection::none(Frame({8})));
  builder.combine(SetOperator::unite, SlabDimensions{{2, 1, 1, 3}});
  const std::vector<SlabDimensions> bad{
      {{0, 0, 1, 1}}, {{0, 2, 2, 3}}, {{7, 1, 2, 1}}, {{0, 1, 1, 1}, {0, 1, 1, 1}}, {}};
  for (const SlabDimensions& slab : bad) {
    for (const SetOperator op : set_operators) EXPECT_THROW(builder.combine(op, slab), Error);
  }
  EXPECT_EQ(offsets_of(builder.selection()), (std::vector<std::uint64_t>{2, 3, 4}));
}

TEST(SelectionBuilder, RejectsPoints) {
  const Selection points = Selection::of_points(Frame({8}), {1});
  EXPECT_THROW(SelectionBuilder{points}, Error);
  SelectionBuilder builder(Selection::none(Frame({8})));
  EXPECT_THROW(builder.combine(SetOperator::unite, points), Error);
}

TEST(SelectionBuilder, AnEmptySlabEmptiesAnIntersection) {
  const SlabDimensions empty{{3, 1, 0, 1}};
  const Selection box = Selection::regular(Frame({8}), {{2, 1, 1, 3}});
  for (const SetOperator op : set_operators) {
    SelectionBuilder builder(box);
    builder.combine(op, empty);
    const bool kept = op != SetOperator::intersect && op != SetOperator::supplant;
    EXPECT_EQ(builder.selection().elements(), kept ? 3u : 0u);
  }
}

}  // namespace
}  // namespace filigree::space
