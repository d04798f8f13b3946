// SPDX-License-Identifier: Apache-2.0
#include "space/bulk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/function_ref.hpp"
#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using testing::Bitmap;
using testing::bitmap_of;
using testing::gen_frame;
using testing::gen_number;
using testing::gen_positions;
using testing::gen_selection;
using ::testing::HasSubstr;
using testing::offsets_of;

void expect_refused(FunctionRef<void()> call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

struct Positions {
  Frame frame = *gen_frame();
  std::vector<std::uint64_t> list = *gen_positions(frame);
  Bitmap twin = Bitmap::of_offsets(frame, list);
};

RC_GTEST_PROP(Bulk, SetsFromCoordinatesColumnsAndOffsetsAreTheSame, ()) {
  const Positions drawn;
  std::vector<std::uint64_t> rows;
  std::vector<std::vector<std::uint64_t>> columns(drawn.frame.rank());
  for (const std::uint64_t offset : drawn.list) {
    const auto at = testing::coordinates_in(drawn.frame, offset);
    rows.insert(rows.end(), at.begin(), at.end());
    for (std::size_t d = 0; d < at.size(); ++d) columns[d].push_back(at[d]);
  }
  const std::vector<std::span<const std::uint64_t>> views(columns.begin(), columns.end());
  RC_ASSERT(bitmap_of(from_coordinates(drawn.frame, rows)) == drawn.twin);
  RC_ASSERT(bitmap_of(from_columns(drawn.frame, views)) == drawn.twin);
  RC_ASSERT(bitmap_of(from_offsets(drawn.frame, drawn.list)) == drawn.twin);
}

RC_GTEST_PROP(Bulk, SetsFromMasksAndBitmapsContainTheMarkedElements, ()) {
  const Positions drawn;
  const auto mark = static_cast<std::uint8_t>(*gen_number(1, 256));
  const std::uint64_t elements = drawn.frame.elements();
  std::vector<std::uint8_t> mask(elements, 0);
  std::vector<std::uint8_t> bits((elements + 7) / 8, 0);
  for (const std::uint64_t at : drawn.list) {
    mask[at] = mark;
    bits[at / 8] = static_cast<std::uint8_t>(bits[at / 8] | 1u << at % 8);
  }
  RC_ASSERT(bitmap_of(from_mask(drawn.frame, mask)) == drawn.twin);
  RC_ASSERT(bitmap_of(from_bitmap(drawn.frame, bits)) == drawn.twin);
  // Bits after the last element are ignored.
  if (elements % 8 != 0) bits.back() = static_cast<std::uint8_t>(bits.back() | 0xFFu << elements % 8);
  RC_ASSERT(bitmap_of(from_bitmap(drawn.frame, bits)) == drawn.twin);
}

RC_GTEST_PROP(Bulk, SetsFromBoxesContainEveryBox, ()) {
  const Frame frame = *gen_frame();
  const auto corners = *gen_positions(frame);
  std::vector<Bounds> boxes;
  Bitmap twin(frame);
  for (std::size_t i = 1; i < corners.size(); i += 2) {
    Bounds box{testing::coordinates_in(frame, corners[i - 1]), testing::coordinates_in(frame, corners[i])};
    std::vector<SlabDimension> slab;
    for (std::size_t d = 0; d < frame.rank(); ++d) {
      if (box.low[d] > box.high[d]) std::swap(box.low[d], box.high[d]);
      slab.push_back({box.low[d], 1, 1, box.high[d] - box.low[d] + 1});
    }
    boxes.push_back(box);
    twin = twin.combined(SetOperator::unite, Bitmap(frame, slab));
  }
  RC_ASSERT(bitmap_of(from_boxes(frame, boxes)) == twin);
}

RC_GTEST_PROP(Bulk, RestoresEverySetFromEveryRepresentation, ()) {
  const Selection set = make(*testing::gen_set(*gen_frame()));
  const Frame& frame = set.frame();
  RC_ASSERT(same_elements(from_coordinates(frame, to_coordinates(set)), set));
  const auto columns = to_columns(set);
  const std::vector<std::span<const std::uint64_t>> views(columns.begin(), columns.end());
  RC_ASSERT(same_elements(from_columns(frame, views), set));
  RC_ASSERT(same_elements(from_offsets(frame, to_offsets(set)), set));
  RC_ASSERT(same_elements(from_mask(frame, to_mask(set)), set));
  RC_ASSERT(same_elements(from_bitmap(frame, to_bitmap(set)), set));
  RC_ASSERT(same_elements(from_boxes(frame, to_boxes(set)), set));
  std::vector<std::uint64_t> starts;
  std::vector<std::uint64_t> lengths;
  for (const Run& run : to_runs(set)) {
    starts.push_back(run.start);
    lengths.push_back(run.length);
  }
  RC_ASSERT(starts.size() == set.runs().runs());
  RC_ASSERT(same_elements(from_runs(frame, starts, lengths), set));
}

RC_GTEST_PROP(Bulk, ListsTheElementsOfEveryKind, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const Frame& frame = selection.frame();
  const auto expected = offsets_of(selection);
  RC_ASSERT(to_offsets(selection) == expected);
  std::vector<std::uint64_t> coordinates;
  for (const std::uint64_t offset : expected) {
    const auto at = testing::coordinates_in(frame, offset);
    coordinates.insert(coordinates.end(), at.begin(), at.end());
  }
  RC_ASSERT(to_coordinates(selection) == coordinates);
  const auto columns = to_columns(selection);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    RC_ASSERT(columns[i % frame.rank()][i / frame.rank()] == coordinates[i]);
  const auto mask = to_mask(selection);
  const auto bits = to_bitmap(selection);
  const Bitmap twin = bitmap_of(selection);
  for (std::uint64_t at = 0; at < frame.elements(); ++at) {
    RC_ASSERT(mask[at] == (twin.contains(at) ? 1 : 0));
    RC_ASSERT((bits[at / 8] >> at % 8 & 1) == (twin.contains(at) ? 1 : 0));
  }
}

TEST(Bulk, RejectsBlocksOfMoreRowsThanAllowed) {
  const Frame frame({9, 9});
  const std::vector<std::uint64_t> blocks{0, 0, 4, 1, 3, 3, 4, 4};
  EXPECT_EQ(from_blocks(frame, blocks, 7).elements(), 14u);
  EXPECT_THROW(from_blocks(frame, blocks, 6), Error);
  EXPECT_THROW(from_blocks(frame, std::span(blocks).first(6)), Error);
  EXPECT_THROW(from_blocks(Frame(), blocks), Error);
}

RC_GTEST_PROP(Bulk, BoxesAreDisjointAndThoseOfTheRuns, ()) {
  const Selection set = make(*testing::gen_set(*gen_frame()));
  const auto boxes = to_boxes(set);
  std::uint64_t elements = 0;
  for (const Bounds& box : boxes) {
    std::uint64_t inside = 1;
    for (std::size_t d = 0; d < box.low.size(); ++d) inside *= box.high[d] - box.low[d] + 1;
    elements += inside;
  }
  RC_ASSERT(elements == set.elements());
  RC_ASSERT(boxes == to_boxes(Selection::of_runs(set.frame(), set.runs())));
}

/// Reproducible pseudo-random numbers.
std::vector<std::uint64_t> scrambled(std::size_t count, std::uint64_t below) {
  std::vector<std::uint64_t> numbers(count);
  std::uint64_t state = 1;
  for (std::uint64_t& number : numbers) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    number = (state >> 20) % below;
  }
  return numbers;
}

TEST(Bulk, SortsLargeListsOnSeveralThreads) {
  constexpr std::size_t elements = 1'500'000;
  for (const std::uint64_t extent : {std::uint64_t{1} << 22, std::uint64_t{1} << 40}) {
    const auto offsets = scrambled(elements, extent);
    auto sorted = offsets;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    EXPECT_EQ(to_offsets(from_offsets(Frame({extent}), offsets)), sorted);
    const Frame square({extent >> 10, 1 << 10});
    std::vector<std::uint64_t> coordinates(2 * elements);
    for (std::size_t i = 0; i < elements; ++i) square.coordinates(offsets[i], &coordinates[2 * i]);
    EXPECT_EQ(to_offsets(from_coordinates(square, coordinates)), sorted);
  }
}

TEST(Bulk, NamesTheFirstOfManyElementsOutside) {
  constexpr std::size_t elements = 1'500'000;
  std::vector<std::uint64_t> coordinates(2 * elements, 7);
  coordinates[2 * 600'001 + 1] = 8;
  coordinates[2 * 1'400'000] = 9;
  expect_refused(
      [&] {
        from_coordinates(Frame({8, 8}), coordinates);
      },
      "element 600001 reaches 8 in dimension 1");
}

TEST(Bulk, NamesElementsOutside) {
  const Frame frame({4, 6});
  const std::vector<std::uint64_t> coordinates{1, 5, 3, 6};
  const std::vector<std::uint64_t> wide{~std::uint64_t{0}, 0};
  expect_refused([&] { from_coordinates(frame, coordinates); },
                 "element 1 reaches 6 in dimension 1, the extent has 6");
  expect_refused([&] { from_coordinates(frame, wide); },
                 "element 0 reaches 18446744073709551615 in dimension 0");
  const std::vector<std::span<const std::uint64_t>> columns{coordinates, coordinates};
  expect_refused([&] { from_columns(frame, columns); }, "element 1 reaches 5 in dimension 0");
  const std::vector<std::uint64_t> offsets{23, 24};
  expect_refused([&] { from_offsets(frame, offsets); }, "element 1 is at offset 24 of an extent of 24");
  const std::vector<Bounds> boxes{{{0, 0}, {3, 5}}, {{0, 2}, {4, 2}}};
  expect_refused([&] { from_boxes(frame, boxes); }, "box 1 reaches 4 in dimension 0");
  const std::vector<std::uint64_t> starts{0, 20};
  const std::vector<std::uint64_t> lengths{24, 5};
  expect_refused([&] { from_runs(frame, starts, lengths); }, "run 1 of 5 elements from offset 20");
  const std::vector<std::uint64_t> endless{1, ~std::uint64_t{0}};
  expect_refused([&] { from_runs(frame, starts, endless); }, "run 1");
}

TEST(Bulk, RejectsListsOfTheWrongLength) {
  const Frame frame({4, 6});
  const std::vector<std::uint64_t> three{1, 2, 3};
  const std::vector<std::uint64_t> two{1, 2};
  const std::vector<std::span<const std::uint64_t>> uneven{three, two};
  const std::vector<std::uint8_t> bytes(23);
  expect_refused([&] { from_coordinates(frame, three); }, "3 coordinates");
  expect_refused([&] { from_coordinates(Frame(), three); }, "scalar");
  expect_refused([&] { from_columns(frame, uneven); }, "column 1 has 2 coordinates");
  expect_refused([&] { from_columns(Frame({4}), uneven); }, "2 columns of coordinates");
  expect_refused([&] { from_runs(frame, three, two); }, "3 starts of runs and 2 lengths");
  expect_refused([&] { from_mask(frame, bytes); }, "23 bytes of mask where the extent needs 24");
  expect_refused([&] { from_bitmap(frame, bytes); }, "23 bytes of bitmap where the extent needs 3");
  const std::vector<Bounds> flat{{{1}, {2}}};
  expect_refused([&] { from_boxes(frame, flat); }, "box 0 has 1 and 1 coordinates");
  const std::vector<Bounds> backwards{{{1, 3}, {2, 2}}};
  expect_refused([&] { from_boxes(frame, backwards); }, "box 0 goes from 3 back to 2 in dimension 1");
}

TEST(Bulk, OneBoxStaysRegular) {
  const std::vector<Bounds> box{{{1, 2}, {3, 4}}};
  const Selection selection = from_boxes(Frame({4, 6}), box);
  EXPECT_EQ(selection.kind(), Selection::Kind::regular);
  EXPECT_EQ(to_boxes(selection), box);
}

TEST(Bulk, RejectsBoxesOfMoreRowsThanMemoryHolds) {
  const std::uint64_t side = std::uint64_t{1} << 20;
  const std::vector<Bounds> boxes(2, Bounds{{0, 0, 0}, {side - 1, side - 1, 3}});
  EXPECT_THROW(from_boxes(Frame({side, side, 9}), boxes), Error);
}

TEST(Bulk, RejectsToListMoreElementsThanAListHolds) {
  EXPECT_THROW(to_offsets(Selection::all(Frame({std::uint64_t{1} << 62}))), Error);
  EXPECT_THROW(to_coordinates(Selection::all(Frame({std::uint64_t{1} << 31, std::uint64_t{1} << 31}))),
               Error);
}

TEST(Bulk, ScalarHasOneElementAndNoCoordinates) {
  EXPECT_EQ(to_offsets(Selection()), (std::vector<std::uint64_t>{0}));
  EXPECT_TRUE(to_coordinates(Selection()).empty());
  EXPECT_EQ(to_boxes(Selection()).size(), 1u);
  const std::vector<std::uint8_t> chosen{1};
  EXPECT_EQ(from_mask(Frame(), chosen).elements(), 1u);
}

}  // namespace
}  // namespace filigree::space
