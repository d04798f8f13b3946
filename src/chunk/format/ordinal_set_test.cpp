// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/ordinal_set.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using ::testing::ElementsAre;

/// With more runs than a sample has.
RunSet some_set() {
  std::vector<Run> runs;
  for (unsigned i = *rc::gen::inRange(0u, 300u); i > 0; --i)
    runs.push_back({*rc::gen::inRange<std::uint64_t>(0, 2000), *rc::gen::inRange<std::uint64_t>(1, 4)});
  return RunSet::of_runs(std::move(runs));
}

RC_GTEST_PROP(OrdinalSet, CountsWhatComesBeforeEveryElement, ()) {
  const OrdinalSet ordinals(some_set());
  const RunSet& set = ordinals.set();
  OrdinalSet::Cursor cursor(ordinals);
  const auto offsets =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 2010));
  for (const std::uint64_t at : offsets) {
    const bool found = cursor.seek(at);
    RC_ASSERT(found == (set.find(at) < set.runs()));
    if (!found) continue;
    RC_ASSERT(cursor.run() == set.run(set.find(at)));
    if (cursor.run().start > at) continue;
    RC_ASSERT(cursor.ordinal(at) == set.within({0, at}).elements());
  }
}

RC_GTEST_PROP(OrdinalSet, FindsTheSameRunFromAnyRunBefore, ()) {
  const RunSet set = some_set();
  const auto at = *rc::gen::inRange<std::uint64_t>(0, 2010);
  const std::size_t found = set.find(at);
  for (std::size_t from = 0; from <= found; ++from) RC_ASSERT(find_from(set, from, at) == found);
}

TEST(OrdinalSet, HasNoMoreToRememberThanOneNumberInSixtyFourRuns) {
  std::vector<std::uint64_t> even;
  for (std::uint64_t i = 0; i < 6400; ++i) even.push_back(2 * i);
  const OrdinalSet ordinals(RunSet::of_offsets(even));
  EXPECT_EQ(ordinals.memory_bytes(), 6400u * 16 + 99 * 8);
  EXPECT_EQ(ordinals.ordinal_of_run(6399), 6399u);
  EXPECT_EQ(OrdinalSet(RunSet({5, 5})).memory_bytes(), 16u);
}

TEST(OrdinalSpans, AreCutOnlyWhereTheWholeHasMore) {
  const RunSet part = RunSet::of_runs({{0, 2}, {10, 2}, {20, 2}, {30, 2}});
  EXPECT_THAT(ordinal_spans(part, part), ElementsAre(OrdinalSpan{0, 0, 8}));
  const RunSet whole = combine(part, space::SetOperator::unite, RunSet::of_runs({{12, 1}, {25, 3}}));
  EXPECT_THAT(ordinal_spans(part, whole),
              ElementsAre(OrdinalSpan{0, 0, 4}, OrdinalSpan{4, 5, 2}, OrdinalSpan{6, 10, 2}));
  EXPECT_THAT(ordinal_spans(RunSet(), whole), ElementsAre());
}

}  // namespace
}  // namespace filigree::chunk
