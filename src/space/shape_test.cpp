// SPDX-License-Identifier: Apache-2.0
#include "space/shape.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;

/// All elements in order, each relative to the low corner, without the leading dimensions that are constant.
std::vector<Coordinates> outline(const Selection& selection) {
  std::vector<Coordinates> elements;
  const auto box = bitmap_of(selection).bounds();
  if (!box) return elements;
  std::size_t skip = 0;
  while (skip < box->low.size() && box->low[skip] == box->high[skip]) ++skip;
  for (const std::uint64_t element : offsets_of(selection)) {
    Coordinates at = coordinates_in(selection.frame(), element);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] -= box->low[d];
    at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(skip));
    elements.push_back(at);
  }
  return elements;
}

RC_GTEST_PROP(SameShape, OfSetsIsEqualUpToTranslation, ()) {
  const Selection a = make(*gen_set(*gen_frame()));
  const Selection b = make(*gen_set(*gen_frame()));
  RC_ASSERT(same_shape(a, b) == (outline(a) == outline(b)));
}

RC_GTEST_PROP(SameShape, OfPointsIncludesTheirOrder, ()) {
  const auto few = gen_number(1, 4);
  const auto list = [&] {
    const Frame frame = *gen_frame();
    return Selection::of_points(
        frame, *rc::gen::container<std::vector<std::uint64_t>>(*few, gen_number(0, frame.elements())));
  };
  const Selection a = list();
  const Selection b = list();
  RC_ASSERT(same_shape(a, b) == (outline(a) == outline(b)));
}

RC_GTEST_PROP(SameShape, IgnoresTranslationAndExtraDimensions, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  // Moved within a larger frame with additional leading dimensions.
  Coordinates dims{3, 2};
  for (const std::uint64_t n : selection.frame().dims()) dims.push_back(n + 3);
  const Frame frame(dims);
  const auto offset =
      *rc::gen::container<std::vector<std::uint64_t>>(selection.frame().rank(), gen_number(0, 4));
  std::vector<std::uint64_t> offsets;
  for (const std::uint64_t element : offsets_of(selection)) {
    Coordinates at = coordinates_in(selection.frame(), element);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += offset[d];
    at.insert(at.begin(), {2, 1});
    offsets.push_back(frame.offset(at));
  }
  const Selection other = selection.is_set() ? Selection::of_runs(frame, RunSet::of_offsets(offsets))
                                             : Selection::of_points(frame, offsets);
  RC_ASSERT(same_shape(selection, other));
  RC_ASSERT(same_shape(other, selection));
}

TEST(SameShape, IgnoresHowASetIsDescribed) {
  const Frame frame({10, 10});
  const Selection blocks = Selection::regular(frame, {{0, 2, 2, 2}, {0, 1, 6, 1}});
  const Selection box = Selection::regular(frame, {{3, 1, 1, 4}, {2, 1, 1, 6}});
  EXPECT_TRUE(same_shape(blocks, box));
  EXPECT_TRUE(same_shape(Selection::of_runs(frame, blocks.runs()), box));
  EXPECT_TRUE(same_shape(Selection::all(Frame({4, 6})), box));
  EXPECT_FALSE(same_shape(Selection::all(Frame({6, 4})), box));
}

TEST(SameShape, DistinguishesHyperslabsWithOneBoundingBox) {
  const Frame frame({5, 5});
  const Selection wide = Selection::regular(frame, {{0, 4, 2, 1}, {0, 2, 3, 1}});
  const Selection tall = Selection::regular(frame, {{0, 2, 3, 1}, {0, 4, 2, 1}});
  EXPECT_FALSE(same_shape(wide, tall));
  EXPECT_FALSE(same_shape(Selection::of_runs(frame, wide.runs()), tall));
}

TEST(SameShape, OfExtentsOfDifferentRank) {
  EXPECT_TRUE(same_shape(Selection::all(Frame({10, 10})), Selection::all(Frame({1, 10, 10}))));
  EXPECT_FALSE(same_shape(Selection::all(Frame({10, 10})), Selection::all(Frame({100}))));
  EXPECT_FALSE(same_shape(Selection::all(Frame({10, 10})), Selection::all(Frame({10, 1, 10}))));
  EXPECT_TRUE(same_shape(Selection(), Selection::of_points(Frame({5, 5}), {7})));
  EXPECT_FALSE(same_shape(Selection(), Selection::all(Frame({2}))));
  EXPECT_TRUE(same_shape(Selection::none(Frame({5})), Selection::none(Frame({5, 5}))));
}

TEST(SameShape, PointsMatchASetOfSingleElements) {
  const Frame frame({9});
  EXPECT_TRUE(same_shape(Selection::of_points(frame, {4, 6, 8}), Selection::regular(frame, {{0, 2, 3, 1}})));
  EXPECT_FALSE(same_shape(Selection::of_points(frame, {4, 8, 6}), Selection::regular(frame, {{0, 2, 3, 1}})));
  EXPECT_FALSE(same_shape(Selection::of_points(frame, {4, 5, 6}), Selection::regular(frame, {{0, 1, 1, 3}})));
}

TEST(SameShape, OfVastSelectionsFollowsFromTheirDescriptions) {
  constexpr std::uint64_t side = std::uint64_t{1} << 31;
  const Frame frame({side, side});
  const Selection a = Selection::regular(frame, {{0, 2, side / 4, 1}, {0, 3, side / 4, 1}});
  EXPECT_TRUE(same_shape(a, a.moved(std::vector<std::int64_t>{5, 7})));
  EXPECT_FALSE(same_shape(a, Selection::regular(frame, {{0, 2, side / 4, 1}, {0, 2, side / 4, 1}})));
  const Frame far({~std::uint64_t{0}});
  const Selection pair =
      Selection::of_runs(far, RunSet::of_offsets({~std::uint64_t{0} - 5, ~std::uint64_t{0} - 2}));
  EXPECT_TRUE(same_shape(pair, Selection::of_runs(Frame({4}), RunSet::of_offsets({0, 3}))));
}

bool meets_naively(const Bitmap& twin, const Bounds& block) {
  for (const std::uint64_t offset : twin.offsets()) {
    const Coordinates at = coordinates_in(twin.frame(), offset);
    bool inside = true;
    for (std::size_t d = 0; d < at.size(); ++d)
      inside = inside && at[d] >= block.low[d] && at[d] <= block.high[d];
    if (inside) return true;
  }
  return false;
}

RC_GTEST_PROP(IntersectsBlock, IffTheBoxContainsASelectedElement, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const Bounds block = *gen_block(selection.frame());
  RC_ASSERT(intersects_block(selection, block.low, block.high) == meets_naively(bitmap_of(selection), block));
}

/// All blocks with a corner in the frame.
std::vector<Bounds> every_block(const Frame& frame) {
  std::vector<Bounds> blocks;
  for (std::uint64_t i = 0; i < frame.elements(); ++i) {
    for (std::uint64_t j = i; j < frame.elements(); ++j) {
      const Bounds block{coordinates_in(frame, i), coordinates_in(frame, j)};
      if (std::ranges::equal(block.low, block.high, std::ranges::less_equal())) blocks.push_back(block);
    }
  }
  return blocks;
}

TEST(IntersectsBlock, IsFalseForEveryGap) {
  const Frame line({30});
  const Frame cube({3, 4, 3});
  std::vector<Selection> selections{Selection::regular(line, {{4, 6, 3, 2}}),
                                    Selection::regular(cube, {{0, 2, 2, 1}, {1, 2, 2, 1}, {0, 2, 2, 1}})};
  for (const std::uint64_t step : {2u, 5u, 7u, 11u}) {
    std::vector<std::uint64_t> some;
    for (std::uint64_t at = step; at < cube.elements(); at += step) some.push_back(at);
    selections.push_back(Selection::of_runs(cube, RunSet::of_offsets(some)));
    selections.push_back(Selection::of_points(cube, some));
  }
  for (const Selection& selection : selections) {
    const Bitmap twin = bitmap_of(selection);
    for (const Bounds& block : every_block(selection.frame()))
      ASSERT_EQ(intersects_block(selection, block.low, block.high), meets_naively(twin, block))
          << rc::toString(block);
  }
}

TEST(IntersectsBlock, RejectsInvalidBlocks) {
  const Selection all = Selection::all(Frame({4, 4}));
  const Coordinates one{1, 1};
  const Coordinates two{1, 2};
  EXPECT_TRUE(intersects_block(all, one, two));
  EXPECT_THROW(intersects_block(all, two, one), Error);
  EXPECT_THROW(intersects_block(all, Coordinates{1}, Coordinates{1}), Error);
}

RC_GTEST_PROP(ProjectIntersection, SelectsTheCounterpartsOfThePart, ()) {
  const Frame source_frame = *gen_frame();
  const Selection from = make(*gen_selection(source_frame));
  const Selection part = make(*gen_selection(source_frame));
  RC_PRE(from.elements() > 0u);
  // Any selection of as many elements.
  const Frame target_frame({from.elements() + 7, 3});
  auto target = *rc::gen::unique<std::vector<std::uint64_t>>(static_cast<std::size_t>(from.elements()),
                                                             gen_number(0, target_frame.elements()));
  const bool as_points = *rc::gen::arbitrary<bool>();
  if (!as_points) std::ranges::sort(target);
  const Selection onto = as_points ? Selection::of_points(target_frame, target)
                                   : Selection::of_runs(target_frame, RunSet::of_offsets(target));
  const Bitmap requested = bitmap_of(part);
  const auto source = offsets_of(from);
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (requested.contains(source[i])) expected.push_back(target[i]);
  RC_ASSERT(offsets_of(project_intersection(from, onto, part)) == expected);
}

TEST(ProjectIntersection, JoinsTheFramesOfItsSource) {
  const Selection from = Selection::regular(Frame({4, 4}), {{1, 1, 1, 3}, {0, 1, 1, 2}});
  const Selection part = Selection::regular(Frame({9, 9}), {{2, 1, 1, 5}, {1, 1, 1, 5}});
  const Selection onto = Selection::regular(Frame({20}), {{3, 2, 6, 1}});
  EXPECT_EQ(offsets_of(project_intersection(from, onto, part)), (std::vector<std::uint64_t>{9, 13}));
}

TEST(ProjectIntersection, RejectsArgumentsThatDoNotMatch) {
  const Selection ten = Selection::all(Frame({10}));
  EXPECT_THROW(project_intersection(ten, Selection::all(Frame({9})), ten), Error);
  EXPECT_THROW(project_intersection(ten, ten, Selection::all(Frame({10, 1}))), Error);
}

}  // namespace
}  // namespace filigree::space
