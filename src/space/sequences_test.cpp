// SPDX-License-Identifier: Apache-2.0
#include "space/sequences.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using testing::gen_frame;
using testing::gen_number;
using testing::gen_selection;
using testing::offsets_of;

constexpr std::uint64_t element_bytes = 3;

Selection some_selection() { return make(*gen_selection(*gen_frame())); }

std::vector<ByteRun> filled(SequenceIterator& iterator, std::size_t sequences, std::uint64_t elements) {
  std::vector<ByteRun> list(sequences);
  const SequenceCount count = iterator.fill(list, elements);
  list.resize(count.sequences);
  std::uint64_t bytes = 0;
  for (const ByteRun& run : list) bytes += run.length;
  EXPECT_EQ(bytes, count.elements * element_bytes);
  return list;
}

std::vector<ByteRun> all_of(const Selection& selection) {
  std::vector<ByteRun> runs;
  SequenceIterator iterator(selection, element_bytes);
  for (ByteRun run; iterator.next(run);) runs.push_back(run);
  return runs;
}

/// The offsets of the elements that have these bytes.
void append_positions(std::vector<std::uint64_t>& offsets, const std::vector<ByteRun>& list) {
  for (const ByteRun& run : list)
    for (std::uint64_t at = run.offset; at < run.end(); at += element_bytes)
      offsets.push_back(at / element_bytes);
}

/// Visits all elements with lists of varying limits.
void require_lists(SequenceOrder order) {
  const Selection selection = some_selection();
  SequenceIterator iterator(selection, element_bytes, order);
  std::vector<std::uint64_t> visited;
  while (!iterator.done()) {
    const auto sequences = *gen_number(1, 6);
    const auto elements = *gen_number(1, 20);
    const std::uint64_t before = iterator.remaining();
    const auto list = filled(iterator, sequences, elements);
    RC_ASSERT(!list.empty());
    RC_ASSERT(before - iterator.remaining() <= elements);
    const bool stopped_early =
        list.size() < sequences && before - iterator.remaining() < elements && !iterator.done();
    RC_ASSERT(!stopped_early || (order == SequenceOrder::ascending && !selection.is_set()));
    for (std::size_t i = 1; i < list.size(); ++i) {
      RC_ASSERT(list[i].offset != list[i - 1].end());
      if (order == SequenceOrder::ascending) RC_ASSERT(list[i].offset >= list[i - 1].offset);
    }
    append_positions(visited, list);
  }
  RC_ASSERT(visited == offsets_of(selection));
}

RC_GTEST_PROP(Sequences, ListsOfAnyLimitsVisitEveryElementInOrder, ()) {
  require_lists(SequenceOrder::as_selected);
}

RC_GTEST_PROP(Sequences, AscendingListsVisitEveryElementInOrder, ()) {
  require_lists(SequenceOrder::ascending);
}

RC_GTEST_PROP(Sequences, RunsOfASetAreThoseOfItsRunSet, ()) {
  const Selection selection = make(*testing::gen_set(*gen_frame()));
  const RunSet set = selection.runs();
  const auto runs = all_of(selection);
  RC_ASSERT(runs.size() == set.runs());
  for (std::size_t i = 0; i < runs.size(); ++i)
    RC_ASSERT(runs[i] == (ByteRun{set.run(i).start * element_bytes, set.run(i).length * element_bytes}));
}

TEST(Sequences, DividesARunAtTheElementLimit) {
  const Selection row = Selection::regular(Frame({10}), {{2, 1, 1, 7}});
  SequenceIterator iterator(row, element_bytes);
  EXPECT_EQ(filled(iterator, 5, 3), (std::vector<ByteRun>{{6, 9}}));
  EXPECT_EQ(filled(iterator, 5, 2), (std::vector<ByteRun>{{15, 6}}));
  EXPECT_EQ(iterator.remaining(), 2u);
  EXPECT_EQ(filled(iterator, 5, 100), (std::vector<ByteRun>{{21, 6}}));
  EXPECT_TRUE(iterator.done());
  EXPECT_TRUE(filled(iterator, 5, 100).empty());
}

TEST(Sequences, JoinsRunsAcrossTheEndsOfRows) {
  const Selection every_third = Selection::regular(Frame({2, 10}), {{0, 1, 1, 2}, {0, 3, 4, 1}});
  SequenceIterator iterator(every_third, element_bytes);
  EXPECT_EQ(filled(iterator, 10, 100),
            (std::vector<ByteRun>{{0, 3}, {9, 3}, {18, 3}, {27, 6}, {39, 3}, {48, 3}, {57, 3}}));
}

TEST(Sequences, AnEmptyListTakesNoElements) {
  const Selection all = Selection::all(Frame({4}));
  SequenceIterator iterator(all, element_bytes);
  EXPECT_EQ(iterator.fill({}, 100), SequenceCount{});
  std::vector<ByteRun> list(2);
  EXPECT_EQ(iterator.fill(list, 0), SequenceCount{});
  EXPECT_EQ(iterator.remaining(), 4u);
}

TEST(Sequences, JoinsAdjacentPointsInListOrder) {
  const Selection points = Selection::of_points(Frame({20}), {5, 6, 7, 3, 3, 4, 9});
  EXPECT_EQ(all_of(points), (std::vector<ByteRun>{{15, 9}, {9, 3}, {9, 6}, {27, 3}}));
}

TEST(Sequences, AscendingListStopsBeforeAPointThatGoesBack) {
  const Selection points = Selection::of_points(Frame({20}), {5, 6, 7, 6, 3, 3, 9, 1});
  SequenceIterator iterator(points, element_bytes, SequenceOrder::ascending);
  // The second 6 lies in the previous run but does not start before it.
  EXPECT_EQ(filled(iterator, 10, 100), (std::vector<ByteRun>{{15, 9}, {18, 3}}));
  EXPECT_EQ(filled(iterator, 10, 100), (std::vector<ByteRun>{{9, 3}, {9, 3}, {27, 3}}));
  EXPECT_EQ(filled(iterator, 10, 100), (std::vector<ByteRun>{{3, 3}}));
  EXPECT_TRUE(iterator.done());
}

TEST(Sequences, ScalarIsOneRun) {
  EXPECT_EQ(all_of(Selection()), (std::vector<ByteRun>{{0, element_bytes}}));
}

TEST(Sequences, RejectsElementsOfInvalidSize) {
  const Selection huge = Selection::regular(Frame({std::uint64_t{1} << 62}), {{0, 1, 1, 1}});
  EXPECT_THROW(SequenceIterator(huge, 0), Error);
  EXPECT_NO_THROW(SequenceIterator(huge, 3));
  EXPECT_THROW(SequenceIterator(huge, 4), Error);
}

}  // namespace
}  // namespace filigree::space
