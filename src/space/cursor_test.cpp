// SPDX-License-Identifier: Apache-2.0
#include "space/cursor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;
using Positions = std::vector<std::uint64_t>;

/// The elements one by one, in the order that sets and lists define.
Positions in_order(const Selection& selection) {
  if (!selection.is_set()) return {selection.points().begin(), selection.points().end()};
  Positions offsets;
  for (std::uint64_t i = 0; i < selection.frame().elements(); ++i)
    if (selection.contains(coordinates_in(selection.frame(), i))) offsets.push_back(i);
  return offsets;
}

RC_GTEST_PROP(Cursor, VisitsTheElementsInOrderHoweverItAdvances, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const auto wishes = *rc::gen::nonEmpty(rc::gen::container<Positions>(gen_number(1, 40)));
  const Positions expected = in_order(selection);
  Positions seen;
  std::size_t turn = 0;
  for (Cursor cursor(selection); !cursor.done();) {
    RC_ASSERT(cursor.remaining() == expected.size() - seen.size());
    const RunPattern p = cursor.pattern();
    RC_ASSERT(p.length > 0u);
    RC_ASSERT(p.count > 0u);
    const std::uint64_t take = std::min(wishes[turn++ % wishes.size()], p.length * p.count);
    for (std::uint64_t i = 0; i < take; ++i) seen.push_back(p.start + i / p.length * p.stride + i % p.length);
    cursor.advance(take);
  }
  RC_ASSERT(seen == expected);
}

/// A selection of `count` elements of its own frame, as a set if that is possible and requested.
Selection counterpart(std::uint64_t count, bool as_set) {
  const Frame frame({count + *gen_number(0, 9), *gen_number(1, 4)});
  auto offsets =
      *rc::gen::unique<Positions>(static_cast<std::size_t>(count), gen_number(0, frame.elements()));
  return as_set ? Selection::of_runs(frame, RunSet::of_offsets(offsets))
                : Selection::of_points(frame, offsets);
}

RC_GTEST_PROP(MatchedCursor, PairsElementIWithElementI, ()) {
  const Selection first = make(*gen_selection(*gen_frame()));
  const Selection second = counterpart(first.elements(), *rc::gen::arbitrary<bool>());
  Positions left;
  Positions right;
  MatchedCursor cursor(first, second);
  for (MatchedRun run; cursor.next(run);) {
    RC_ASSERT(run.length > 0u);
    for (std::uint64_t i = 0; i < run.length; ++i) {
      left.push_back(run.first + i);
      right.push_back(run.second + i);
    }
  }
  RC_ASSERT(left == in_order(first));
  RC_ASSERT(right == in_order(second));
}

TEST(Cursor, ReturnsARowOfARegularSelectionAsOnePattern) {
  const Selection grid = Selection::regular(Frame({3, 20}), {{0, 2, 2, 1}, {1, 5, 4, 2}});
  Cursor cursor(grid);
  const RunPattern row = cursor.pattern();
  EXPECT_EQ(row.start, 1u);
  EXPECT_EQ(row.length, 2u);
  EXPECT_EQ(row.stride, 5u);
  EXPECT_EQ(row.count, 4u);
  cursor.advance(3);
  EXPECT_EQ(cursor.pattern().start, 7u);
  EXPECT_EQ(cursor.pattern().length, 1u);
  EXPECT_EQ(cursor.pattern().count, 1u);
}

TEST(Cursor, JoinsAdjacentPointsToARun) {
  const Selection points = Selection::of_points(Frame({20}), {4, 5, 6, 6, 3});
  Cursor cursor(points);
  EXPECT_EQ(cursor.pattern().length, 3u);
  cursor.advance(3);
  EXPECT_EQ(cursor.pattern().start, 6u);
  EXPECT_EQ(cursor.pattern().length, 1u);
}

TEST(Cursor, OfAnEmptySelectionIsDone) {
  EXPECT_TRUE(Cursor(Selection::none(Frame({5}))).done());
  EXPECT_TRUE(Cursor(Selection::all(Frame({5, 0}))).done());
}

TEST(MatchedCursor, RejectsDifferentNumbersOfElements) {
  const Selection five = Selection::all(Frame({5}));
  const Selection six = Selection::all(Frame({6}));
  EXPECT_THROW(MatchedCursor(five, six), Error);
}

}  // namespace
}  // namespace filigree::space
