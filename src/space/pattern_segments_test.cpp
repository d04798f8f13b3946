// SPDX-License-Identifier: Apache-2.0
#include "space/pattern_segments.hpp"

#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "space/span_tree.hpp"
#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using testing::gen_frame;
using testing::gen_selection;
using testing::offsets_of;

/// start, stride, count, block, sub_pattern_size
using Numbers = std::array<std::uint64_t, 5>;

Numbers numbers(const PatternSegment& segment) {
  return {segment.start, segment.stride, segment.count, segment.block, segment.sub_pattern_size};
}

/// The offsets of all bytes below `iterator`, whose level begins at `base`.
void append_bytes(std::vector<std::uint64_t>& bytes, PatternIterator iterator, std::uint64_t base) {
  while (!iterator.complete()) {
    const PatternSegment segment = iterator.next();
    for (std::uint64_t i = 0; i < segment.count * segment.block; ++i) {
      const std::uint64_t unit = segment.start + i / segment.block * segment.stride + i % segment.block;
      const std::uint64_t begin = base + unit * segment.sub_pattern_size;
      if (segment.sub_pattern_iter) {
        append_bytes(bytes, *segment.sub_pattern_iter, begin);
      } else {
        for (std::uint64_t at = 0; at < segment.sub_pattern_size; ++at) bytes.push_back(begin + at);
      }
    }
  }
}

RC_GTEST_PROP(PatternSegments, ExpandToTheBytesOfTheSelectionInItsOrder, ()) {
  constexpr std::uint64_t element_bytes = 3;
  const Selection selection = make(*gen_selection(*gen_frame()));
  std::vector<std::uint64_t> expected;
  for (const std::uint64_t at : offsets_of(selection))
    for (std::uint64_t i = 0; i < element_bytes; ++i) expected.push_back(at * element_bytes + i);
  std::vector<std::uint64_t> bytes;
  append_bytes(bytes, PatternIterator(selection, element_bytes), 0);
  RC_ASSERT(bytes == expected);
}

RC_GTEST_PROP(PatternSegments, RegularSelectionHasOneSegmentOnEveryLevel, ()) {
  const Frame frame = *gen_frame();
  Selection selection = Selection::regular(frame, *testing::gen_slab(frame));
  RC_PRE(selection.elements() != 0u);
  const bool as_runs = *rc::gen::arbitrary<bool>();
  if (as_runs) selection = Selection::of_runs(frame, selection.runs());
  std::optional<PatternIterator> level(PatternIterator(selection, 1));
  std::uint64_t elements = 1;
  while (level) {
    PatternSegment segment = level->next();
    RC_ASSERT(level->complete());
    elements *= segment.count * segment.block;
    if (!segment.sub_pattern_iter) elements *= segment.sub_pattern_size;
    level = segment.sub_pattern_iter;
  }
  RC_ASSERT(elements == selection.elements());
}

void require_single_blocks(PatternIterator iterator) {
  while (!iterator.complete()) {
    const PatternSegment segment = iterator.next();
    RC_ASSERT(segment.stride == 1u);
    RC_ASSERT(segment.count == 1u);
    if (segment.sub_pattern_iter) require_single_blocks(*segment.sub_pattern_iter);
  }
}

RC_GTEST_PROP(PatternSegments, IrregularSegmentsAreSingleBlocks, ()) {
  const Frame frame = *gen_frame();
  const Selection selection = Selection::of_runs(frame, RunSet::of_offsets(*testing::gen_positions(frame)));
  RC_PRE(!SpanTree(frame, selection.runs()).regular());
  require_single_blocks(PatternIterator(selection, 1));
}

/// Row 1 whole; of row 2 the first six; of rows 4 and 5 the columns 0-2 and 5-7.
Selection example_of_the_rfc() {
  const Frame frame({6, 10});
  const auto box = [&](std::uint64_t row, std::uint64_t rows, std::uint64_t column, std::uint64_t columns) {
    return Selection::regular(frame, {{row, 1, 1, rows}, {column, 1, 1, columns}});
  };
  Selection selection = box(1, 1, 0, 10);
  for (const Selection& more : {box(2, 1, 0, 6), box(4, 2, 0, 3), box(4, 2, 5, 3)})
    selection = combine(selection, SetOperator::unite, more);
  return selection;
}

TEST(PatternSegments, ExampleOfTheSelectionIoRfcGivesItsNumbers) {
  const Selection selection = example_of_the_rfc();
  PatternIterator rows(selection, 4);

  PatternSegment segment = rows.next();
  EXPECT_EQ(numbers(segment), (Numbers{1, 1, 1, 1, 40}));
  EXPECT_FALSE(segment.sub_pattern_iter);
  EXPECT_EQ(segment.udata, nullptr);
  EXPECT_FALSE(rows.complete());

  segment = rows.next();
  EXPECT_EQ(numbers(segment), (Numbers{2, 1, 1, 1, 40}));
  ASSERT_TRUE(segment.sub_pattern_iter);
  EXPECT_FALSE(rows.complete());
  PatternSegment below = segment.sub_pattern_iter->next();
  EXPECT_EQ(numbers(below), (Numbers{0, 1, 1, 6, 4}));
  EXPECT_FALSE(below.sub_pattern_iter);
  EXPECT_EQ(below.udata, nullptr);
  EXPECT_TRUE(segment.sub_pattern_iter->complete());

  segment = rows.next();
  EXPECT_EQ(numbers(segment), (Numbers{4, 1, 1, 2, 40}));
  ASSERT_TRUE(segment.sub_pattern_iter);
  EXPECT_EQ(segment.udata, nullptr);
  EXPECT_TRUE(rows.complete());
  below = segment.sub_pattern_iter->next();
  EXPECT_EQ(numbers(below), (Numbers{0, 1, 1, 3, 4}));
  EXPECT_FALSE(below.sub_pattern_iter);
  EXPECT_EQ(below.udata, nullptr);
  EXPECT_FALSE(segment.sub_pattern_iter->complete());
  int data = 0;
  segment.sub_pattern_iter->cache_udata(&data);
  below = segment.sub_pattern_iter->next();
  EXPECT_EQ(numbers(below), (Numbers{5, 1, 1, 3, 4}));
  EXPECT_FALSE(below.sub_pattern_iter);
  // "If a call to H5Ssel_iter_pattern_cache_udata was made after the previous call [...] the udata field will
  // be the same": only the start differs.
  EXPECT_EQ(below.udata, &data);
  EXPECT_TRUE(segment.sub_pattern_iter->complete());
}

TEST(PatternSegments, HaveNoUserDataUnlessItIsCached) {
  PatternIterator rows(example_of_the_rfc(), 4);
  rows.next();
  rows.next();
  PatternIterator columns = *rows.next().sub_pattern_iter;
  columns.next();
  EXPECT_EQ(columns.next().udata, nullptr);
}

TEST(PatternSegments, EqualSubPatternsShareTheirUserData) {
  // Rows alternate between two shapes.
  const Frame frame({6, 10});
  Selection selection = Selection::regular(frame, {{0, 2, 3, 1}, {1, 5, 2, 2}});
  selection = combine(selection, SetOperator::unite, Selection::regular(frame, {{1, 2, 3, 1}, {4, 1, 1, 3}}));
  PatternIterator rows(selection, 8);
  std::array<int, 2> data{};
  std::array<int, 2> below_data{};
  for (std::size_t row = 0; row < 6; ++row) {
    PatternSegment segment = rows.next();
    ASSERT_TRUE(segment.sub_pattern_iter);
    PatternSegment below = segment.sub_pattern_iter->next();
    EXPECT_EQ(segment.udata, row < 2 ? nullptr : &data[row % 2]);
    EXPECT_EQ(below.udata, row < 2 ? nullptr : &below_data[row % 2]);
    rows.cache_udata(&data[row % 2]);
    segment.sub_pattern_iter->cache_udata(&below_data[row % 2]);
  }
  EXPECT_TRUE(rows.complete());
}

TEST(PatternSegments, StridedBoxEndsAtTheSolidDimensions) {
  const Selection selection =
      Selection::regular(Frame({20, 12, 5}), {{1, 6, 3, 2}, {2, 4, 2, 3}, {0, 1, 1, 5}});
  PatternIterator top(selection, 2);
  PatternSegment segment = top.next();
  EXPECT_EQ(numbers(segment), (Numbers{1, 6, 3, 2, 120}));
  ASSERT_TRUE(segment.sub_pattern_iter);
  segment = segment.sub_pattern_iter->next();
  EXPECT_EQ(numbers(segment), (Numbers{2, 4, 2, 3, 10}));
  EXPECT_FALSE(segment.sub_pattern_iter);
}

TEST(PatternSegments, EverythingIsOneSolidSegment) {
  PatternIterator top(Selection::all(Frame({3, 4})), 8);
  const PatternSegment segment = top.next();
  EXPECT_EQ(numbers(segment), (Numbers{0, 1, 1, 3, 32}));
  EXPECT_FALSE(segment.sub_pattern_iter);
  EXPECT_TRUE(top.complete());
  EXPECT_EQ(numbers(PatternIterator(Selection(), 8).next()), (Numbers{0, 1, 1, 1, 8}));
}

TEST(PatternSegments, AnEmptySelectionIsComplete) {
  PatternIterator top(Selection::none(Frame({3, 4})), 8);
  EXPECT_TRUE(top.complete());
  EXPECT_EQ(top.next().count, 0u);
  EXPECT_THROW(top.cache_udata(nullptr), Error);
}

TEST(PatternSegments, PointsHaveOneLevelInListOrder) {
  PatternIterator top(Selection::of_points(Frame({4, 10}), {13, 14, 2, 2}), 8);
  EXPECT_EQ(numbers(top.next()), (Numbers{13, 1, 1, 2, 8}));
  EXPECT_EQ(numbers(top.next()), (Numbers{2, 1, 1, 1, 8}));
  EXPECT_FALSE(top.complete());
  EXPECT_EQ(numbers(top.next()), (Numbers{2, 1, 1, 1, 8}));
  EXPECT_TRUE(top.complete());
}

TEST(PatternSegments, OutlivesTheSelectionAndTheLevelAbove) {
  std::optional<PatternIterator> below;
  {
    PatternIterator rows(example_of_the_rfc(), 4);
    rows.next();
    below = rows.next().sub_pattern_iter;
  }
  EXPECT_EQ(numbers(below->next()), (Numbers{0, 1, 1, 6, 4}));
}

TEST(PatternSegments, RejectElementsOfInvalidSize) {
  const Selection huge = Selection::regular(Frame({std::uint64_t{1} << 62}), {{0, 1, 1, 1}});
  EXPECT_THROW(PatternIterator(huge, 0), Error);
  EXPECT_THROW(PatternIterator(huge, 4), Error);
}

}  // namespace
}  // namespace filigree::space
