// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <numeric>
#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = Selection::Dims;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Dims extent{6, 10};

/// A 6 x 10 dataset whose elements are their own numbers.
class SelectedElements : public ::testing::Test {
 protected:
  SelectedElements() : file_(File::create(scratch_ / "selected.h5")) {
    std::vector<int> values(60);
    std::iota(values.begin(), values.end(), 0);
    data_ = file_.root().create_dataset<int>("data", Dataspace::simple(extent));
    data_->write(values);
  }
  std::vector<int> read(const Selection& selection) { return data_->read<std::vector<int>>(selection); }

  Scratch scratch_;
  File file_;
  std::optional<Dataset> data_;
};

TEST_F(SelectedElements, OfSetsAreReadInRowMajorOrder) {
  const std::vector<std::uint64_t> coordinates{5, 9, 0, 3, 2, 2, 0, 3, 2, 3};
  EXPECT_THAT(read(Selection::of_coordinates(extent, coordinates)), ElementsAre(3, 22, 23, 59));
  EXPECT_THAT(read(Selection::of_offsets(extent, std::vector<std::uint64_t>{7, 1, 1, 0})),
              ElementsAre(0, 1, 7));
  std::vector<std::uint8_t> mask(60);
  mask[12] = 1;
  mask[47] = 9;
  EXPECT_THAT(read(Selection::of_mask(extent, mask)), ElementsAre(12, 47));
  EXPECT_THAT(read(Selection::of_bitmap(extent, std::vector<std::uint8_t>{5, 0, 0, 0, 0, 0, 0, 8})),
              ElementsAre(0, 2, 59));
  const std::vector<Selection::Box> boxes{{{4, 8}, {5, 9}}, {{4, 9}, {4, 9}}};
  EXPECT_THAT(read(Selection::of_boxes(extent, boxes)), ElementsAre(48, 49, 58, 59));
  EXPECT_THAT(read(Selection::of_runs(extent, std::vector<Selection::Run>{{9, 2}, {10, 1}})),
              ElementsAre(9, 10));
  const std::vector<std::uint64_t> rows{1, 0};
  const std::vector<std::uint64_t> columns{2, 3};
  const std::vector<std::span<const std::uint64_t>> both{rows, columns};
  EXPECT_THAT(read(Selection::of_columns(extent, both)), ElementsAre(3, 12));
}

TEST_F(SelectedElements, OfPointsAreReadInTheirOrderAndAsOftenAsListed) {
  const std::vector<std::uint64_t> coordinates{5, 9, 0, 3, 2, 2, 0, 3, 5, 8};
  EXPECT_THAT(read(Selection::points(extent, coordinates)), ElementsAre(59, 3, 22, 3, 58));
}

TEST_F(SelectedElements, ListedTwiceGetTheLastValueWritten) {
  const std::vector<std::uint64_t> coordinates{5, 9, 0, 3, 5, 9, 0, 0};
  data_->write(std::vector<int>{-1, -2, -3, -4}, Selection::points(extent, coordinates));
  EXPECT_THAT(read(Selection::box({0, 0}, {1, 4})), ElementsAre(-4, 1, 2, -2));
  EXPECT_THAT(read(Selection::box({5, 8}, {1, 2})), ElementsAre(58, -3));
}

TEST_F(SelectedElements, MayBeListedInMemoryToo) {
  const std::vector<std::uint64_t> in_memory{3, 0, 3};
  std::vector<int> values{9, 9, 9, 9};
  TransferOptions options;
  options.memory = MemoryShape{{4}, Selection::points({4}, in_memory)};
  const std::vector<std::uint64_t> in_file{5, 9, 0, 3, 2, 2};
  data_->read_into(std::span(values), Selection::points(extent, in_file), options);
  EXPECT_THAT(values, ElementsAre(3, 9, 9, 22));
}

TEST_F(SelectedElements, OfSetsAreWrittenInRowMajorOrder) {
  const Selection set = Selection::box({1, 1}, {3, 3}) - Selection::box({2, 2}, {1, 1});
  data_->write(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}, set);
  EXPECT_THAT(read(Selection::box({1, 0}, {3, 5})),
              ElementsAre(10, 1, 2, 3, 14, 20, 4, 22, 5, 24, 30, 6, 7, 8, 34));
}

TEST_F(SelectedElements, ByRandomSetsEqualThoseOfAnArray) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> mask(60);
    std::vector<int> expected;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      mask[i] = random() % 3 == 0;
      if (mask[i] != 0) expected.push_back(static_cast<int>(i));
    }
    ASSERT_EQ(read(Selection::of_mask(extent, mask)), expected);
  }
}

TEST(SelectionAlgebra, CombinesDescriptionsAndSets) {
  const Selection a = Selection::box({0, 0}, {2, 3});
  const Selection b = Selection::box({1, 1}, {2, 4});
  EXPECT_EQ((a | b).elements(), 12u);
  EXPECT_EQ((a & b).elements(), 2u);
  EXPECT_EQ((a ^ b).elements(), 10u);
  EXPECT_EQ((a - b).elements(), 4u);
  EXPECT_EQ(a & b, Selection::box({1, 1}, {1, 2}));
  EXPECT_EQ((a | b) - b, a - b);
  EXPECT_EQ((Selection::all() & a), a);
  EXPECT_EQ((Selection::none() | a), a);
  EXPECT_EQ((Selection::all().within({4, 5}) - b).elements(), 12u);
  EXPECT_EQ((a | b).kind(), Selection::Kind::set);
  EXPECT_EQ((a & b).kind(), Selection::Kind::regular);
  EXPECT_EQ((a - a).kind(), Selection::Kind::none);
}

TEST(SelectionAlgebra, FindsRegularityAgain) {
  const Selection joined = Selection::box({0, 0}, {2, 3}) | Selection::box({0, 3}, {2, 3});
  ASSERT_TRUE(joined.regular());
  EXPECT_THAT(*joined.regular(), ElementsAre(Selection::Range{0, 1, 1, 2}, Selection::Range{0, 1, 1, 6}));
  EXPECT_FALSE((joined - Selection::box({1, 1}, {1, 1})).regular());
}

TEST(SelectionForms, GoThereAndBack) {
  const Selection set = Selection::box({1, 1}, {3, 3}).within({5, 6}) - Selection::box({2, 2}, {1, 1});
  const Dims dims{5, 6};
  EXPECT_EQ(Selection::of_coordinates(dims, set.coordinates()), set);
  EXPECT_EQ(Selection::of_offsets(dims, set.offsets()), set);
  EXPECT_EQ(Selection::of_mask(dims, set.mask()), set);
  EXPECT_EQ(Selection::of_bitmap(dims, set.bitmap()), set);
  EXPECT_EQ(Selection::of_boxes(dims, set.boxes()), set);
  EXPECT_EQ(Selection::of_runs(dims, set.runs()), set);
  EXPECT_EQ(set.columns()[1], (Dims{1, 2, 3, 1, 3, 1, 2, 3}));
  EXPECT_EQ(*set.bounds(), (Selection::Box{{1, 1}, {3, 3}}));
  EXPECT_TRUE(set.contains(Dims{1, 2}));
  EXPECT_FALSE(set.contains(Dims{2, 2}));
  const std::vector<std::int64_t> offset{1, -1};
  EXPECT_EQ(*set.moved(offset).bounds(), (Selection::Box{{2, 0}, {4, 2}}));
}

TEST(SelectionBuilder, CollectsManySmallSteps) {
  SelectionBuilder builder({100, 100});
  for (std::uint64_t i = 0; i < 100; ++i) builder.add(Dims{i, i});
  builder.add(Dims{0, 0}, Dims{1, 100});
  builder.remove(Dims{0, 50});
  builder.remove(Selection::box({90, 0}, {10, 100}));
  EXPECT_EQ(builder.selection().elements(), 99u + 89u);
  EXPECT_THROW(builder.add(Dims{100, 0}), Error);
  EXPECT_THROW(builder.add(Dims{0}), Error);
  EXPECT_EQ(builder.selection().elements(), 99u + 89u);
}

std::string refusal(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    return error.what();
  }
  return "";
}

TEST(SelectionErrors, SayWhatIsWrong) {
  EXPECT_THAT(refusal([] {
                Selection::of_coordinates({4, 4}, Dims{0, 0, 1, 4});
              }),
              HasSubstr("element 1 reaches 4 in dimension 1, the extent has 4 elements there"));
  EXPECT_THAT(refusal([] { static_cast<void>(Selection::box({3}, {2}).elements({4})); }),
              HasSubstr("it ends at 5, the extent has 4 elements"));
  EXPECT_THAT(refusal([] { static_cast<void>(Selection::strided({0}, {0}, {2}).elements({4})); }),
              HasSubstr("stride of zero"));
  EXPECT_THAT(refusal([] { Selection::all() | Selection::none(); }), HasSubstr("without extent"));
  EXPECT_THAT(refusal([] {
                Selection::box({0}, {1}) | Selection::box({0, 0}, {1, 1});
              }),
              HasSubstr("1 and 2 dimensions"));
  EXPECT_THAT(refusal([] { Selection::points({4}, Dims{1}) | Selection::box({0}, {1}); }),
              HasSubstr("list of points"));
  EXPECT_THAT(refusal([] { static_cast<void>(Selection::all().elements()); }), HasSubstr("within()"));
  EXPECT_THAT(refusal([] { Selection::of_mask({4}, std::vector<std::uint8_t>(5)); }), HasSubstr("5"));
}

}  // namespace
}  // namespace filigree
