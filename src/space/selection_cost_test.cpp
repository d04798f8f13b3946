// SPDX-License-Identifier: Apache-2.0
//
// The memory that selections take, as bytes that the allocator has returned.
#include <malloc.h>

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "space/bulk.hpp"
#include "space/pattern_segments.hpp"
#include "space/selection_builder.hpp"
#include "space/sequences.hpp"

namespace filigree::space {
namespace {

std::size_t bytes_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// The allocators of sanitizers do not count these bytes.
bool account_is_kept() {
  const std::size_t before = bytes_in_use();
  const auto probe = std::make_unique<char[]>(std::size_t{1} << 20);
  return bytes_in_use() >= before + (std::size_t{1} << 20);
}

class SelectionCost : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!account_is_kept()) GTEST_SKIP() << "this allocator does not say what is in use";
    // Threads and their memory exist before the counting begins.
    from_offsets(Frame({runs_ * 64}), every_64th());
  }
  static std::vector<std::uint64_t> every_64th() {
    std::vector<std::uint64_t> offsets(runs_);
    for (std::uint64_t i = 0; i < runs_; ++i) offsets[i] = (i * 7919) % runs_ * 64;
    return offsets;
  }

  static constexpr std::uint64_t runs_ = 1'000'000;
  /// Tolerance for the constant size of a set and for rounding to pages.
  static constexpr std::size_t slack_ = 16'384;
};

TEST_F(SelectionCost, SetsTakeSixteenBytesARunHoweverTheyCameToBe) {
  const Frame frame({runs_ / 1000, 64'000});
  const auto offsets = every_64th();
  const std::size_t before = bytes_in_use();
  {
    const Selection set = from_offsets(frame, offsets);
    ASSERT_EQ(set.run_count(), runs_);
    EXPECT_LE(bytes_in_use() - before, 16 * runs_ + slack_);
    EXPECT_EQ(set.runs().memory_bytes(), 16 * runs_);
  }
  {
    SelectionBuilder builder(Selection::none(frame));
    for (std::uint64_t i = 0; i < runs_; ++i) {
      const SlabDimension point[] = {{i % 1000, 1, 1, 1}, {i / 1000 * 64, 1, 1, 1}};
      builder.combine(SetOperator::unite, point);
    }
    const Selection set = builder.selection();
    builder = SelectionBuilder(Selection::none(frame));
    ASSERT_EQ(set.run_count(), runs_);
    EXPECT_LE(bytes_in_use() - before, 16 * runs_ + slack_);
  }
  EXPECT_LE(bytes_in_use(), before + slack_);
}

TEST_F(SelectionCost, ResultOfAnOperationTakesNoMoreThanItsRuns) {
  const Frame frame({64 * runs_});
  const Selection set = from_offsets(frame, every_64th());
  const Selection half = Selection::regular(frame, {{0, 1, 1, 32 * runs_}});
  const std::size_t before = bytes_in_use();
  const Selection part = combine(set, SetOperator::intersect, half);
  ASSERT_EQ(part.run_count(), runs_ / 2);
  EXPECT_LE(bytes_in_use() - before, 16 * part.run_count() + slack_);
}

TEST_F(SelectionCost, CopiesShareTheirRuns) {
  const Selection set = from_offsets(Frame({64 * runs_}), every_64th());
  const std::size_t before = bytes_in_use();
  const std::vector<Selection> copies(10, set);
  EXPECT_LE(bytes_in_use() - before, slack_);
}

TEST_F(SelectionCost, RegularSelectionsTakeNothingForTheirElements) {
  const std::size_t before = bytes_in_use();
  const std::uint64_t side = std::uint64_t{1} << 20;
  const Selection selection = Selection::regular(Frame({side, side, side}),
                                                 {{0, 2, side / 2, 1}, {1, 4, side / 4, 2}, {3, 8, 100, 3}});
  EXPECT_LE(bytes_in_use() - before, 2048u);
  Cursor cursor(selection);
  SequenceIterator sequences(selection, 8);
  PatternIterator patterns(selection, 8);
  for (int i = 0; i < 100'000; ++i) {
    const RunPattern p = cursor.pattern();
    cursor.advance(p.length * p.count);
    ByteRun run;
    sequences.next(run);
  }
  EXPECT_TRUE(patterns.next().sub_pattern_iter);
  EXPECT_LE(bytes_in_use() - before, 4096u);
}

TEST_F(SelectionCost, RegularOperationsStayRegularAndSmall) {
  const std::uint64_t side = std::uint64_t{1} << 20;
  const Frame frame({side, side});
  const Selection strided = Selection::regular(frame, {{0, 2, side / 2, 1}, {0, 4, side / 4, 2}});
  const Selection box = Selection::regular(frame, {{100, 1, 1, side / 2}, {8, 1, 1, side / 2}});
  const std::size_t before = bytes_in_use();
  const Selection both = combine(strided, SetOperator::intersect, box);
  EXPECT_EQ(both.elements(), side / 4 * (side / 4));
  EXPECT_LE(bytes_in_use() - before, 2048u);
}

}  // namespace
}  // namespace filigree::space
