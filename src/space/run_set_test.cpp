// SPDX-License-Identifier: Apache-2.0
#include "space/run_set.hpp"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

namespace filigree::space {
namespace {

constexpr std::uint64_t line = 200;

std::vector<Run> some_runs() {
  const auto pieces = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
      rc::gen::pair(rc::gen::inRange(0u, 150u), rc::gen::inRange(0u, 12u)));
  std::vector<Run> runs;
  for (const auto& [start, length] : pieces) runs.push_back({start, length});
  return runs;
}

std::vector<bool> bitmap(const std::vector<Run>& runs) {
  std::vector<bool> bits(line);
  for (const Run& run : runs)
    for (std::uint64_t i = run.start; i < run.end(); ++i) bits[i] = true;
  return bits;
}

std::vector<bool> bitmap(const RunSet& set) {
  std::vector<bool> bits(line);
  for (std::size_t i = 0; i < set.runs(); ++i)
    for (std::uint64_t at = set.run(i).start; at < set.run(i).end(); ++at) bits[at] = true;
  return bits;
}

void require_canonical(const RunSet& set) {
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < set.runs(); ++i) {
    RC_ASSERT(set.run(i).length > 0u);
    if (i > 0) RC_ASSERT(set.run(i).start > set.run(i - 1).end());
    elements += set.run(i).length;
  }
  RC_ASSERT(elements == set.elements());
}

RC_GTEST_PROP(RunSet, ContainsTheOffsetsOfItsRuns, ()) {
  const auto runs = some_runs();
  const RunSet set = RunSet::of_runs(runs);
  require_canonical(set);
  const auto bits = bitmap(runs);
  RC_ASSERT(bitmap(set) == bits);
  for (std::uint64_t at = 0; at < line; ++at) RC_ASSERT(set.contains(at) == bits[at]);
}

RC_GTEST_PROP(RunSet, OfOffsetsIgnoresDuplicates, ()) {
  const auto drawn =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, line));
  const RunSet set = RunSet::of_offsets(drawn);
  require_canonical(set);
  RC_ASSERT(set.elements() == std::set<std::uint64_t>(drawn.begin(), drawn.end()).size());
  for (const auto at : drawn) RC_ASSERT(set.contains(at));
}

RC_GTEST_PROP(RunSet, CombinesLikeBitmaps, ()) {
  const RunSet a = RunSet::of_runs(some_runs());
  const RunSet b = RunSet::of_runs(some_runs());
  const auto x = bitmap(a);
  const auto y = bitmap(b);
  for (const SetOperator op : {SetOperator::unite, SetOperator::intersect, SetOperator::differ,
                               SetOperator::subtract, SetOperator::supplant}) {
    const RunSet both = combine(a, op, b);
    require_canonical(both);
    for (std::uint64_t at = 0; at < line; ++at) {
      const unsigned index = (x[at] ? 1u : 0u) | (y[at] ? 2u : 0u);
      RC_ASSERT(both.contains(at) == ((static_cast<unsigned>(op) >> index & 1) != 0));
    }
  }
}

RC_GTEST_PROP(RunSet, WithinClipsAndMoves, ()) {
  const RunSet set = RunSet::of_runs(some_runs());
  const Run window{*rc::gen::inRange<std::uint64_t>(0, 100), *rc::gen::inRange<std::uint64_t>(0, 100)};
  const RunSet part = set.within(window);
  require_canonical(part);
  for (std::uint64_t i = 0; i < line; ++i)
    RC_ASSERT(part.contains(i) == (i < window.length && set.contains(window.start + i)));
}

TEST(RunSetWriter, AppendsSets) {
  RunSetWriter writer(1);
  writer.add(RunSet());
  writer.add(RunSet::of_runs({{1, 2}, {5, 1}}));
  writer.add(RunSet::of_runs({{6, 2}, {10, 3}, {20, 1}}));
  writer.add({30, 1});
  EXPECT_EQ(writer.finish(), RunSet::of_runs({{1, 2}, {5, 3}, {10, 3}, {20, 1}, {30, 1}}));
}

TEST(RunSet, CombinesLargeSetsOnSeveralThreads) {
  // Far more edges than one thread is given, with runs of the one across the runs of the other.
  constexpr std::uint64_t runs = 1'500'000;
  RunSetWriter even(runs);
  RunSetWriter odd(runs);
  for (std::uint64_t i = 0; i < runs; ++i) {
    even.add({10 * i, 6});
    odd.add({10 * i + 3 + i % 3, 5});
  }
  const RunSet a = even.finish();
  const RunSet b = odd.finish();
  // In every ten: a has 0-5, b has 3-7, 4-8 or 5-9.
  const std::uint64_t common = combine(a, SetOperator::intersect, b).elements();
  EXPECT_EQ(common, (3 + 2 + 1) * runs / 3);
  EXPECT_EQ(combine(a, SetOperator::unite, b).elements(), 11 * runs - common);
  EXPECT_EQ(combine(a, SetOperator::subtract, b).elements(), 6 * runs - common);
  EXPECT_EQ(combine(a, SetOperator::differ, b).elements(), 11 * runs - 2 * common);
}

TEST(RunSet, RejectsARunBeyondTheLargestOffset) {
  EXPECT_THROW(RunSet::of_runs({{~std::uint64_t{0}, 2}}), Error);
  EXPECT_THROW(RunSet::of_offsets({~std::uint64_t{0}}), Error);
}

}  // namespace
}  // namespace filigree::space
