// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/join.hpp"

#include <gmock/gmock.h>

#include "space/bulk.hpp"

namespace filigree::model {
namespace {

using space::Frame;
using space::Selection;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Selection box(const Frame& frame, std::vector<std::uint64_t> start, std::vector<std::uint64_t> count) {
  std::vector<space::SlabDimension> dims;
  for (std::size_t d = 0; d < start.size(); ++d) dims.push_back({start[d], 1, 1, count[d]});
  return Selection::regular(frame, dims);
}

const Frame extent({4, 6});

TEST(VirtualJoin, FindsTheCounterpartsOfWhatIsWanted) {
  // Columns 2 and 3, which are consecutive in memory.
  const VirtualJoin join(box(extent, {0, 2}, {4, 2}), Selection::all(Frame({8})));
  const JoinedPart part = join.part(box(extent, {1, 3}, {2, 3}), box(Frame({9}), {2}, {6}));
  EXPECT_THAT(space::to_offsets(part.source), ElementsAre(2, 5));
  EXPECT_THAT(space::to_offsets(part.memory), ElementsAre(3, 5));
  EXPECT_THAT(part.covered, ElementsAre(space::Run{9, 1}, space::Run{15, 1}));
}

TEST(VirtualJoin, FindsNothingWhereNothingIsWanted) {
  const VirtualJoin join(box(extent, {0, 2}, {4, 2}), Selection::all(Frame({8})));
  const Selection left = box(extent, {0, 0}, {4, 2});
  EXPECT_FALSE(join.meets(left));
  EXPECT_EQ(join.part(left, left).source.elements(), 0u);
  EXPECT_THAT(join.part(left, left).covered, IsEmpty());
  EXPECT_TRUE(join.meets(box(extent, {3, 0}, {1, 3})));
}

TEST(VirtualJoin, SeesGapsInsideBounds) {
  const VirtualJoin join(Selection::regular(extent, {{0, 2, 2, 1}, {0, 1, 1, 6}}),
                         Selection::all(Frame({12})));
  EXPECT_FALSE(join.meets(box(extent, {1, 0}, {1, 6})));
  EXPECT_TRUE(join.meets(box(extent, {1, 5}, {2, 1})));
}

TEST(VirtualJoin, RepeatsElementsThatAListNamesTwice) {
  const Selection wanted = Selection::of_points(extent, {1, 7, 7, 20});
  const VirtualJoin join(wanted, Selection::of_points(Frame({4}), {2, 0, 3, 1}));
  const JoinedPart part = join.part(box(extent, {1, 0}, {3, 6}), box(Frame({18}), {0}, {18}));
  EXPECT_THAT(space::to_offsets(part.source), ElementsAre(1, 1, 14));
  EXPECT_THAT(space::to_offsets(part.memory), ElementsAre(0, 3, 1));
}

TEST(VirtualJoin, MapsTheElementOfAScalar) {
  const VirtualJoin join(Selection::all(Frame()), Selection::all(Frame({1})));
  EXPECT_TRUE(join.meets(Selection::all(Frame())));
  EXPECT_EQ(join.part(Selection::all(Frame()), Selection::all(Frame({1}))).memory.elements(), 1u);
}

}  // namespace
}  // namespace filigree::model
