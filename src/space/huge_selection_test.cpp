// SPDX-License-Identifier: Apache-2.0
//
// Selections of extents with 2^64 elements or more, against selections of a small extent: every coordinate of
// the small extent has a counterpart in the large one, in the same order.
#include "space/huge_selection.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "space/blocks.hpp"
#include "space/bulk.hpp"
#include "space/excerpt.hpp"

namespace filigree::space {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t far = std::uint64_t{1} << 61;
/// The small extent has three groups of this many coordinates in each dimension; in the large one they are
/// far apart. The last coordinate of a group is never selected, so that blocks end with their group.
constexpr std::uint64_t group = 8;

std::uint64_t to_large(std::uint64_t at) { return at / group * far + at % group; }
const Numbers small{3 * group, 3 * group}, large{2 * far + group, 2 * far + group};

Numbers to_large(Numbers list) {
  for (std::uint64_t& at : list) at = to_large(at);
  return list;
}

/// A box within one group in each dimension.
Bounds arbitrary_box() {
  Bounds box;
  for (std::size_t d = 0; d < 2; ++d) {
    const auto start = *rc::gen::inRange<std::uint64_t>(0, 3) * group;
    const auto low = *rc::gen::inRange<std::uint64_t>(0, group - 1);
    box.low.push_back(start + low);
    box.high.push_back(start + *rc::gen::inRange<std::uint64_t>(low, group - 1));
  }
  return box;
}

std::vector<SlabDimension> slab_of(const Bounds& box) {
  std::vector<SlabDimension> slab;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    slab.push_back({box.low[d], 1, 1, box.high[d] - box.low[d] + 1});
  return slab;
}

/// Both forms of one selection.
struct Twin {
  Selection small = Selection::none(Frame(space::small));
  HugeSelection large = HugeSelection::none(2);

  void combine(SetOperator op, const Bounds& box) {
    small = space::combine(small, op, Selection::regular(Frame(space::small), slab_of(box)));
    large =
        space::combine(large, op, HugeSelection::regular(slab_of({to_large(box.low), to_large(box.high)})));
  }
};

Twin arbitrary_set() {
  Twin twin;
  const auto steps = *rc::gen::inRange(1, 6);
  for (int i = 0; i < steps; ++i)
    twin.combine(*rc::gen::element(SetOperator::unite, SetOperator::unite, SetOperator::differ,
                                   SetOperator::subtract, SetOperator::intersect, SetOperator::supplant),
                 arbitrary_box());
  return twin;
}

Numbers arbitrary_points() {
  Numbers points;
  const auto count = *rc::gen::inRange<std::size_t>(1, 12);
  for (std::size_t i = 0; i < 2 * count; ++i)
    points.push_back(*rc::gen::inRange<std::uint64_t>(0, 3) * group +
                     *rc::gen::inRange<std::uint64_t>(0, group - 1));
  return points;
}

RC_GTEST_PROP(HugeSelection, SetsAreThoseOfASmallExtent, ()) {
  const Twin twin = arbitrary_set();
  const Selection set = Selection::of_runs(Frame(small), twin.small.runs());
  RC_ASSERT(twin.large.elements() == set.elements());
  RC_ASSERT(twin.large.coordinates() == to_large(to_coordinates(set)));
  if (set.elements() == 0) return RC_ASSERT(!twin.large.bounds());
  const Bounds bounds = *set.bounds();
  RC_ASSERT(twin.large.bounds()->low == to_large(bounds.low));
  RC_ASSERT(twin.large.bounds()->high == to_large(bounds.high));
  if (twin.large.kind() == HugeSelection::Kind::boxes)
    RC_ASSERT(twin.large.block_list(0, ~std::uint64_t{0}) == to_large(block_list(set, 0, block_count(set))));
  const Bounds box = arbitrary_box();
  RC_ASSERT(
      twin.large.intersects({to_large(box.low), to_large(box.high)}) ==
      (combine(set, SetOperator::intersect, Selection::regular(Frame(small), slab_of(box))).elements() != 0));
}

RC_GTEST_PROP(HugeSelection, TransfersReachTheSameElements, ()) {
  const bool points = *rc::gen::arbitrary<bool>();
  const Numbers list = points ? arbitrary_points() : to_coordinates(arbitrary_set().small);
  if (list.empty()) return;
  Numbers corners;
  for (std::size_t i = 0; i < list.size(); i += 2)
    corners.insert(corners.end(), {list[i], list[i + 1], list[i], list[i + 1]});
  const HugeSelection file =
      points ? HugeSelection::points(2, to_large(list)) : HugeSelection::boxes(2, to_large(corners));
  const std::uint64_t count = list.size() / 2;
  const Numbers chunk{*rc::gen::inRange<std::uint64_t>(1, 12), *rc::gen::inRange<std::uint64_t>(1, 12)};
  // Every second element in memory.
  const Selection memory = Selection::regular(Frame({2 * count}), {{1, 2, count, 1}});
  std::map<std::uint64_t, Numbers> found;  // coordinates by offset in memory
  std::map<Numbers, std::vector<std::uint64_t>> order;
  for (const ExcerptPart& part : divide(file, large, chunk, memory)) {
    const auto offsets = to_offsets(part.memory);
    const auto as_points = Selection::of_points(part.excerpt->frame(), to_offsets(part.file));
    const Numbers in_extent = part.excerpt->in_extent(as_points).coordinates();
    RC_ASSERT(offsets.size() * 2 == in_extent.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const Numbers at{in_extent[2 * i], in_extent[2 * i + 1]};
      RC_ASSERT(found.emplace(offsets[i], at).second);
      order[at].push_back(offsets[i]);
    }
    if (!part.file.is_set()) continue;
    Numbers boxes;
    for (std::size_t i = 0; i < in_extent.size(); i += 2)
      boxes.insert(boxes.end(), {in_extent[i], in_extent[i + 1], in_extent[i], in_extent[i + 1]});
    RC_ASSERT(same_elements(part.excerpt->in_extent(part.file), HugeSelection::boxes(2, boxes)));
  }
  RC_ASSERT(found.size() == count);
  const Numbers expected = to_large(list);
  for (std::size_t i = 0; i < count; ++i)
    RC_ASSERT(found[2 * i + 1] == Numbers({expected[2 * i], expected[2 * i + 1]}));
  // Of an element that is listed several times, the last value counts.
  for (const auto& [at, offsets] : order) RC_ASSERT(std::ranges::is_sorted(offsets));
}

TEST(HugeSelection, BoxesWithinOneWindowAreOnePart) {
  const HugeSelection box = HugeSelection::regular({{far - 3, 1, 1, 7}, {5, 10, 4, 3}});
  const auto parts = divide(box, large, {4, 5}, Selection::all(Frame({84})));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].file.kind(), Selection::Kind::regular);
  EXPECT_EQ(parts[0].excerpt->frame().dims(), Numbers({8, 35}));
}

TEST(HugeSelection, TheLastChunkOfAnExcerptStaysPartial) {
  const HugeSelection points = HugeSelection::points(2, {0, 0, large[0] - 1, large[1] - 1});
  const auto parts = divide(points, large, {5, 3}, Selection::all(Frame({2})));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].excerpt->frame().dims(),
            Numbers({5 + (large[0] - 1) % 5 + 1, 3 + (large[1] - 1) % 3 + 1}));
}

TEST(HugeSelection, RegularSetsAreRecognised) {
  const auto a = HugeSelection::regular({{far, 1, 1, 2}, {0, 1, 1, 3}});
  const auto b = HugeSelection::regular({{far + 5, 1, 1, 2}, {0, 1, 1, 3}});
  const auto both = combine(a, SetOperator::unite, b);
  ASSERT_TRUE(both.regular_slab());
  EXPECT_EQ(*both.regular_slab(), (std::vector<SlabDimension>{{far, 5, 2, 2}, {0, 1, 1, 3}}));
  EXPECT_FALSE(combine(both, SetOperator::differ, HugeSelection::regular({{0, 1, 1, 1}, {0, 1, 1, 1}}))
                   .regular_slab());
}

TEST(HugeSelection, LimitsAreNamed) {
  const auto expect = [](ErrorKind kind, auto work) {
    try {
      work();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
  };
  expect(ErrorKind::limit, [] { HugeSelection::regular({{0, 1, 1, far}, {0, 1, 1, far}}); });
  expect(ErrorKind::invalid_argument, [] { HugeSelection::regular({{~std::uint64_t{0} - 1, 1, 1, 5}}); });
  expect(ErrorKind::invalid_argument, [] { HugeSelection::regular({{0, 0, 1, 5}}); });
  expect(ErrorKind::invalid_argument, [] { HugeSelection::regular({{0, 1, unlimited, 1}}); });
  // A grid of many elements that are too far apart for one window.
  expect(ErrorKind::limit, [] {
    const auto grid = HugeSelection::regular({{0, far / 8192, 16384, 1}, {0, far / 8192, 16384, 1}});
    divide(grid, large, {4, 4}, Selection::all(Frame({grid.elements()})));
  });
  expect(ErrorKind::invalid_argument, [] {
    divide(HugeSelection::points(2, {large[0], 0}), large, {4, 4}, Selection::all(Frame({1})));
  });
}

}  // namespace
}  // namespace filigree::space
