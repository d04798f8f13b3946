// SPDX-License-Identifier: Apache-2.0
#include "space/selection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;
using Kind = Selection::Kind;

/// Compares every query of a set with a bitmap.
void require_same(const Selection& set, const Bitmap& twin) {
  RC_ASSERT(set.frame() == twin.frame());
  const auto selected = twin.offsets();
  RC_ASSERT(set.elements() == selected.size());
  RC_ASSERT(set.runs() == RunSet::of_offsets(selected));
  RC_ASSERT(set.run_count() >= set.runs().runs());
  RC_ASSERT(set.bounds() == twin.bounds());
  RC_ASSERT(offsets_of(set) == selected);
  for (std::uint64_t i = 0; i < twin.frame().elements(); ++i)
    RC_ASSERT(set.contains(coordinates_in(twin.frame(), i)) == twin.contains(i));
}

RC_GTEST_PROP(Selection, SequencesOfOperatorsMatchABitmap, ()) {
  const Frame frame = *gen_frame();
  const bool all = *rc::gen::arbitrary<bool>();
  Selection set = all ? Selection::all(frame) : Selection::none(frame);
  Bitmap twin(frame, all);
  for (const Step& step : *gen_steps(frame)) {
    set = apply(set, step);
    twin = apply(twin, step);
    require_same(set, twin);
  }
}

RC_GTEST_PROP(Selection, SelectionsCombineLikeBitmaps, ()) {
  const Frame frame = *gen_frame();
  const Selection a = make(*gen_set(frame));
  const Selection b = make(*gen_set(frame));
  for (const SetOperator op : set_operators)
    require_same(combine(a, op, b), bitmap_of(a).combined(op, bitmap_of(b)));
}

/// The same elements one by one.
Bitmap in_frame(const Bitmap& twin, const Frame& frame) {
  std::vector<std::uint64_t> offsets;
  for (const std::uint64_t at : twin.offsets())
    offsets.push_back(frame.offset(coordinates_in(twin.frame(), at)));
  return Bitmap::of_offsets(frame, offsets);
}

RC_GTEST_PROP(Selection, FramesOfOneRankAreJoinedToCombine, ()) {
  const auto rank = *gen_number(1, 6);
  const Selection a = make(*gen_set(*gen_frame(rank)));
  const Selection b = make(*gen_set(*gen_frame(rank)));
  const Frame both = a.frame().joined(b.frame());
  for (const SetOperator op : set_operators)
    require_same(combine(a, op, b), in_frame(bitmap_of(a), both).combined(op, in_frame(bitmap_of(b), both)));
}

RC_GTEST_PROP(Selection, ReframedKeepsElementsAndOrder, ()) {
  const auto rank = *gen_number(1, 6);
  const Selection selection = make(*gen_selection(*gen_frame(rank)));
  const Frame frame = *gen_frame(rank);
  const auto bounds = selection.bounds();
  if (bounds && !frame.contains(bounds->high)) {
    RC_ASSERT_THROWS_AS(selection.reframed(frame), Error);
    return;
  }
  const Selection moved = selection.reframed(frame);
  RC_ASSERT(moved.frame() == frame);
  RC_ASSERT(moved.elements() == selection.elements());
  const auto before = offsets_of(selection);
  const auto after = offsets_of(moved);
  RC_ASSERT(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    RC_ASSERT(coordinates_in(selection.frame(), before[i]) == coordinates_in(frame, after[i]));
  RC_ASSERT(same_elements(moved, selection));
  if (moved.is_set()) require_same(moved, in_frame(bitmap_of(selection), frame));
}

RC_GTEST_PROP(Selection, MovedShiftsEveryElement, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const Frame& frame = selection.frame();
  const auto offset =
      *rc::gen::container<std::vector<std::int64_t>>(frame.rank(), rc::gen::inRange<std::int64_t>(-4, 5));
  const auto shifted = [&](std::uint64_t element) {
    Coordinates at = coordinates_in(frame, element);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += static_cast<std::uint64_t>(offset[d]);
    return at;
  };
  const auto before = offsets_of(selection);
  if (!std::ranges::all_of(before, [&](std::uint64_t at) { return frame.contains(shifted(at)); })) {
    RC_ASSERT_THROWS_AS(selection.moved(offset), Error);
    return;
  }
  const auto after = offsets_of(selection.moved(offset));
  RC_ASSERT(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) RC_ASSERT(after[i] == frame.offset(shifted(before[i])));
}

RC_GTEST_PROP(Selection, PointsKeepTheirOrderAndDuplicates, ()) {
  const Frame frame = *gen_frame();
  const auto list = *gen_positions(frame);
  const auto more = *gen_positions(frame);
  const Selection points = Selection::of_points(frame, list);
  RC_ASSERT(points.elements() == list.size());
  RC_ASSERT(offsets_of(points) == list);
  const Bitmap twin = Bitmap::of_offsets(frame, list);
  RC_ASSERT(points.bounds() == twin.bounds());
  RC_ASSERT(points.runs() == RunSet::of_offsets(list));
  RC_ASSERT(points.run_count() >= points.runs().runs());
  for (std::uint64_t i = 0; i < frame.elements(); ++i)
    RC_ASSERT(points.contains(coordinates_in(frame, i)) == twin.contains(i));
  auto joined = list;
  joined.insert(joined.end(), more.begin(), more.end());
  RC_ASSERT(offsets_of(append_points(points, more)) == joined);
  RC_ASSERT(offsets_of(prepend_points(Selection::of_points(frame, more), list)) == joined);
}

RC_GTEST_PROP(Selection, SameElementsIgnoresTheDescription, ()) {
  const Frame frame = *gen_frame();
  const Selection a = make(*gen_set(frame));
  const Selection b = make(*gen_set(frame));
  RC_ASSERT(same_elements(a, b) == (bitmap_of(a) == bitmap_of(b)));
  RC_ASSERT(same_elements(a, Selection::of_runs(frame, a.runs())));
}

TEST(Selection, AppendingPointsToAnotherKindStartsANewList) {
  const Selection box = Selection::regular(Frame({9}), {{2, 1, 3, 1}});
  EXPECT_EQ(offsets_of(append_points(box, std::vector<std::uint64_t>{7, 1})),
            (std::vector<std::uint64_t>{7, 1}));
  EXPECT_EQ(offsets_of(prepend_points(box, std::vector<std::uint64_t>{4})), std::vector<std::uint64_t>{4});
}

TEST(Selection, ARegularSelectionStaysRegularInABox) {
  const Frame frame({20, 20});
  const Selection grid = Selection::regular(frame, {{1, 4, 5, 2}, {0, 3, 6, 1}});
  const Selection box = Selection::regular(frame, {{4, 1, 1, 12}, {3, 1, 10, 1}});
  const Selection both = combine(grid, SetOperator::intersect, box);
  ASSERT_EQ(both.kind(), Kind::regular);
  EXPECT_EQ(both.slab().dims(), (SlabDimensions{{5, 4, 3, 2}, {3, 3, 4, 1}}));
  EXPECT_EQ(combine(grid, SetOperator::unite, Selection::all(frame)).kind(), Kind::all);
  EXPECT_EQ(combine(grid, SetOperator::intersect, Selection::all(frame)).kind(), Kind::regular);
  EXPECT_EQ(combine(grid, SetOperator::subtract, Selection::all(frame)).kind(), Kind::none);
}

TEST(Selection, AUnionThatAddsNothingKeepsTheDescription) {
  const Frame frame({20});
  const Selection touching = Selection::regular(frame, {{4, 4, 3, 4}});
  const Selection inside = Selection::regular(frame, {{5, 1, 1, 9}});
  const Selection same = combine(touching, SetOperator::unite, inside);
  ASSERT_EQ(same.kind(), Kind::regular);
  EXPECT_EQ(same.slab().dims(), touching.slab().dims());
  EXPECT_EQ(combine(inside, SetOperator::unite, touching).kind(), Kind::runs);
}

TEST(Selection, AScalarHasOneElement) {
  const Selection scalar;
  EXPECT_EQ(scalar.elements(), 1u);
  EXPECT_EQ(offsets_of(scalar), std::vector<std::uint64_t>{0});
  EXPECT_TRUE(scalar.contains(Coordinates{}));
  EXPECT_EQ(scalar.bounds(), (Bounds{{}, {}}));
}

TEST(Selection, EmptyExtentsHaveNoElements) {
  for (const Frame& frame : {Frame({0}), Frame({3, 0}), Frame({0, 3})}) {
    for (const Selection& selection : {Selection::all(frame), Selection::none(frame)}) {
      EXPECT_EQ(selection.elements(), 0u);
      EXPECT_EQ(selection.bounds(), std::nullopt);
      EXPECT_TRUE(selection.runs().empty());
      EXPECT_FALSE(selection.contains(Coordinates(frame.rank(), 0)));
    }
  }
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

TEST(Selection, RejectsInvalidArguments) {
  const Frame frame({6, 8});
  const auto regular = [&](SlabDimensions dims) {
    return refusal([&] { Selection::regular(frame, std::move(dims)); });
  };
  EXPECT_EQ(regular({{0, 0, 1, 1}, {0, 1, 1, 1}}), "selection in dimension 0: a stride of zero");
  EXPECT_EQ(regular({{0, 1, 1, 1}, {0, 2, 2, 3}}),
            "selection in dimension 1: blocks of 3 elements overlap at a stride of 2");
  EXPECT_EQ(regular({{0, 1, 1, 1}, {5, 1, 4, 1}}),
            "selection in dimension 1: it ends at 9, the extent has 8 elements");
  EXPECT_EQ(regular({{0, 1, 1, 1}}), "the selection has 1 dimensions, the extent 2");
  EXPECT_EQ(refusal([&] {
              Selection::of_points(frame, {3, 48});
            }),
            "point 1 is at offset 48, outside of an extent of 48 elements");
  EXPECT_EQ(refusal([&] {
              Selection::of_runs(frame, RunSet::of_runs({{40, 9}}));
            }),
            "offset 48 is outside of an extent of 48 elements");
}

TEST(Selection, RejectsPointsAndOtherRanksInSetOperations) {
  const Selection set = Selection::all(Frame({6}));
  const Selection points = Selection::of_points(Frame({6}), {1});
  for (const SetOperator op : set_operators) {
    EXPECT_EQ(refusal([&] { combine(set, op, points); }),
              "a list of points is not a set; convert it to one before combining it");
    EXPECT_EQ(refusal([&] { combine(points, op, set); }),
              "a list of points is not a set; convert it to one before combining it");
    EXPECT_EQ(refusal([&] {
                combine(set, op, Selection::all(Frame({6, 1})));
              }),
              "selections of 1 and 2 dimensions cannot be combined");
  }
}

TEST(Selection, NamesTheDimensionThatAMoveWouldLeave) {
  const Selection box = Selection::regular(Frame({6, 8}), {{1, 1, 2, 1}, {2, 1, 4, 1}});
  EXPECT_EQ(
      refusal([&] {
        box.moved(std::vector<std::int64_t>{-2, 0});
      }),
      "moved by -2 the selection would leave the extent in dimension 0: it goes from 1 to 2, the extent "
      "has 6 elements");
  EXPECT_EQ(refusal([&] {
              box.moved(std::vector<std::int64_t>{0, 3});
            }),
            "moved by 3 the selection would leave the extent in dimension 1: it goes from 2 to 5, the extent "
            "has 8 elements");
  EXPECT_EQ(refusal([&] { box.moved(std::vector<std::int64_t>{0}); }), "1 dimensions where the extent has 2");
}

}  // namespace
}  // namespace filigree::space
