// SPDX-License-Identifier: Apache-2.0
#include "model/check/space_map.hpp"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filigree::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Ranges gaps(const SpaceMap& map, std::uint64_t begin, std::uint64_t end) {
  Ranges found;
  map.for_each_gap(begin, end, [&](std::uint64_t at, std::uint64_t bytes) { found.emplace_back(at, bytes); });
  return found;
}

Ranges overlaps(const SpaceMap& map) {
  Ranges found;
  map.for_each_overlap([&](const UsedRange& a, const UsedRange& b) { found.emplace_back(a.at, b.at); });
  return found;
}

TEST(SpaceMap, MergesAdjacentRangesOfOneUse) {
  SpaceMap map;
  for (const std::uint64_t at : {30u, 0u, 20u, 10u}) map.add({at, 10, 1, 1});
  map.add({40, 10, 2, 1});
  map.add({50, 10, 2, 2});
  map.finish();
  ASSERT_EQ(map.ranges().size(), 3u);
  EXPECT_EQ(map.ranges()[0].bytes, 40u);
  EXPECT_THAT(overlaps(map), IsEmpty());
}

TEST(SpaceMap, FindsGaps) {
  SpaceMap map;
  map.add({10, 10, 1, 1});
  map.add({40, 5, 1, 1});
  map.add({12, 2, 2, 1});
  map.finish();
  EXPECT_THAT(gaps(map, 0, 100), ElementsAre(Pair(0, 10), Pair(20, 20), Pair(45, 55)));
  EXPECT_THAT(gaps(map, 12, 42), ElementsAre(Pair(20, 20)));
  EXPECT_THAT(gaps(map, 50, 50), IsEmpty());
}

TEST(SpaceMap, FindsOverlapsWithTheRangeThatReachesFurthest) {
  SpaceMap map;
  map.add({0, 100, 1, 1});
  map.add({10, 5, 2, 1});
  map.add({90, 20, 3, 1});
  map.add({105, 10, 4, 1});
  map.add({200, 1, 5, 1});
  map.add({200, 1, 6, 1});
  map.finish();
  EXPECT_THAT(overlaps(map), ElementsAre(Pair(0, 10), Pair(0, 90), Pair(90, 105), Pair(200, 200)));
}

TEST(SpaceMap, IgnoresEmptyRanges) {
  SpaceMap map;
  map.add({10, 0, 1, 1});
  map.finish();
  EXPECT_THAT(map.ranges(), IsEmpty());
}

TEST(SpaceMap, SaysThatItIsFull) {
  SpaceMap map(100);
  for (std::uint64_t at = 0; at < 1000; ++at) map.add({at * 10, 10, 1, 1});
  EXPECT_TRUE(map.is_complete());
  for (std::uint64_t at = 0; at < 1000; ++at) map.add({100'000 + at * 10, 9, 1, 1});
  EXPECT_FALSE(map.is_complete());
  map.finish();
  EXPECT_LE(map.ranges().size(), 100u);
}

}  // namespace
}  // namespace filigree::model
