// SPDX-License-Identifier: Apache-2.0
#include "chunk/cache/prefetcher.hpp"

#include <gtest/gtest.h>

#include <set>

namespace filigree::chunk {
namespace {

using Chunks = std::vector<std::uint64_t>;

Chunks miss(Prefetcher& ahead, std::uint64_t chunk, std::size_t most = 1) {
  return ahead.choose(Chunks{chunk}, most);
}

/// Misses chunks from the last one downwards, as long as nothing is chosen.
std::uint64_t misses_until_it_begins(Prefetcher& ahead, std::uint64_t chunks) {
  for (std::uint64_t i = 1; i <= chunks; ++i)
    if (!miss(ahead, chunks - i).empty()) return i;
  return 0;
}

TEST(Prefetcher, BeginsWhenSomeReadsHaveMissed) {
  Prefetcher ahead(1000);
  const std::uint64_t misses = misses_until_it_begins(ahead, 1000);
  EXPECT_GE(misses, 4u);
  EXPECT_LE(misses, 16u);
}

TEST(Prefetcher, BringsWhatFollowsAndNothingTwice) {
  Prefetcher ahead(40);
  for (std::uint64_t chunk = 0; chunk < 8; ++chunk) miss(ahead, chunk);
  EXPECT_EQ(miss(ahead, 30), (Chunks{31}));
  EXPECT_EQ(miss(ahead, 30), (Chunks{32}));
  EXPECT_EQ(miss(ahead, 38), (Chunks{39}));
  // From the beginning again, behind the chunks that were missed there.
  EXPECT_GE(miss(ahead, 38).at(0), 8u);
  std::set<std::uint64_t> seen;
  for (Chunks more; !(more = miss(ahead, 20, 3)).empty();)
    for (const std::uint64_t chunk : more) EXPECT_TRUE(seen.insert(chunk).second);
  EXPECT_FALSE(seen.contains(20));
  EXPECT_FALSE(seen.contains(31));
  EXPECT_EQ(*seen.rbegin(), 37u);
}

TEST(Prefetcher, PausesWhenNothingOfItIsUsed) {
  Prefetcher ahead(100'000);
  std::uint64_t prefetched = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) prefetched += miss(ahead, i * 97, 8).size();
  EXPECT_GE(prefetched, 1u);
  EXPECT_LE(prefetched, 72u);
}

TEST(Prefetcher, BringsMoreAtATimeWhenItIsUsed) {
  Prefetcher ahead(100'000);
  std::size_t most = 0;
  std::uint64_t prefetched = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Chunks more = miss(ahead, i * 97, 8);
    if (i < 10) {
      EXPECT_LE(more.size(), 1u);
    }
    most = std::max(most, more.size());
    prefetched += more.size();
    ahead.note_hits(more);
  }
  EXPECT_EQ(most, 8u);
  EXPECT_GE(prefetched, 5000u);
}

TEST(Prefetcher, PausesWhenReadersWaitForIt) {
  using namespace std::chrono_literals;
  Prefetcher ahead(100'000);
  std::uint64_t prefetched = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Chunks more = miss(ahead, i * 97);
    if (more.empty()) continue;
    ahead.note_hits(more);
    ahead.note_wait(1ms, 5ms);
    ++prefetched;
  }
  EXPECT_GE(prefetched, 8u);
  EXPECT_LE(prefetched, 32u);
  // And begins again later, in case that others have left.
  for (std::uint64_t i = 100; i < 1000; ++i) {
    const Chunks more = miss(ahead, i * 97);
    ahead.note_hits(more);
    if (!more.empty()) ahead.note_wait(1ms, 0ms);
    prefetched += more.size();
  }
  EXPECT_GE(prefetched, 500u);
}

TEST(Prefetcher, MayChooseAgainWhatWasNotBrought) {
  Prefetcher ahead(40);
  for (std::uint64_t chunk = 0; chunk < 8; ++chunk) miss(ahead, chunk);
  ASSERT_EQ(miss(ahead, 30), (Chunks{31}));
  ahead.cancel(31, true);
  ASSERT_EQ(miss(ahead, 30), (Chunks{31}));
  ahead.cancel(31, false);
  EXPECT_EQ(miss(ahead, 30), (Chunks{32}));
}

TEST(Prefetcher, ForgetsWithTheExtentAndLeavesVeryManyChunksAlone) {
  Prefetcher ahead(40);
  for (std::uint64_t chunk = 0; chunk < 9; ++chunk) miss(ahead, chunk);
  ahead.reset(5);
  EXPECT_TRUE(miss(ahead, 4).empty());
  ahead.note_hits(Chunks{39});
  ahead.cancel(39, true);
  ahead.reset(std::uint64_t{1} << 40);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(miss(ahead, i << 33).empty());
}

}  // namespace
}  // namespace filigree::chunk
