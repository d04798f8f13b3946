// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <functional>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DatasetOptions chunks(Dims chunk, std::vector<FilterChoice> chosen = {}) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.filters = std::move(chosen);
  return options;
}

std::vector<int> counted(std::size_t count, int first = 0) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class Chunked : public ::testing::Test {
 protected:
  std::string refusal(const std::function<void()>& attempt, ErrorKind kind = ErrorKind::invalid_argument) {
    try {
      attempt();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "";
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  Group root_ = file_.root();
};

TEST_F(Chunked, HoldsWhatWasWrittenAfterItIsOpenedAgain) {
  auto data = root_.create_dataset<int>("d", Dataspace::simple({50, 30}),
                                        chunks({8, 7}, {filters::shuffle(), filters::deflate()}));
  data.write(counted(1500));
  data.write(std::vector<int>{-1, -2}, Selection::box({49, 28}, {1, 2}));
  EXPECT_EQ(data.read<std::vector<int>>(Selection::box({49, 27}, {1, 3})), (std::vector<int>{1497, -1, -2}));
  file_.close();
  File again = File::open(scratch_ / "f.h5");
  auto expected = counted(1500);
  expected[1498] = -1;
  expected[1499] = -2;
  EXPECT_EQ(again.root().read_dataset<std::vector<int>>("d"), expected);
}

TEST_F(Chunked, GrowsAndShrinksWithFillValues) {
  auto options = chunks({4, 4});
  options.fill = Fill::of(9);
  auto data = root_.create_dataset<int>("d", Dataspace::simple({3, 3}, {unlimited, unlimited}), options);
  data.write(counted(9));
  data.resize({2, 5});
  EXPECT_THAT(data.read<std::vector<int>>(), ElementsAre(0, 1, 2, 9, 9, 3, 4, 5, 9, 9));
  data.resize({3, 3});
  EXPECT_THAT(data.read<std::vector<int>>(), ElementsAre(0, 1, 2, 3, 4, 5, 9, 9, 9));
  data.resize({0, 3});
  EXPECT_TRUE(data.read<std::vector<int>>().empty());
  data.resize({1, 2});
  EXPECT_THAT(data.read<std::vector<int>>(), ElementsAre(9, 9));
}

TEST_F(Chunked, TakesSetsAndPoints) {
  auto data =
      root_.create_dataset<int>("d", Dataspace::simple({20, 20}), chunks({6, 6}, {filters::deflate()}));
  const Dims coordinates{19, 19, 0, 0, 7, 13, 19, 19};
  data.write(std::vector<int>{1, 2, 3, 4}, Selection::points({20, 20}, coordinates));
  EXPECT_THAT(data.read<std::vector<int>>(Selection::points({20, 20}, coordinates)), ElementsAre(4, 2, 3, 4));
  EXPECT_THAT(data.read<std::vector<int>>(Selection::of_coordinates({20, 20}, coordinates)),
              ElementsAre(2, 3, 4));
}

TEST_F(Chunked, ConvertsOnTheWay) {
  auto data = root_.create_dataset("d", Datatype::integer(2, true, ByteOrder::big), Dataspace::simple({100}),
                                   chunks({33}));
  data.write(counted(100));
  EXPECT_EQ(data.read<std::vector<double>>()[99], 99.0);
}

TEST_F(Chunked, SaysHowItIsStored) {
  auto data = root_.create_dataset<int>("d", Dataspace::simple({50}),
                                        chunks({10}, {filters::fletcher32(), filters::deflate(2)}));
  const DatasetInfo info = data.dataset_info();
  EXPECT_EQ(info.layout, Layout::chunked);
  EXPECT_EQ(info.allocation, AllocationTime::incremental);
  EXPECT_THAT(info.chunk, ElementsAre(10));
  ASSERT_EQ(info.filters.size(), 2u);
  EXPECT_EQ(info.filters[0].id, 3);
  EXPECT_EQ(info.filters[1].parameters, (std::vector<std::uint32_t>{2}));
}

TEST_F(Chunked, RefusesWhatCannotBe) {
  const auto make = [&](Dataspace space, const DatasetOptions& options) {
    return [this, space = std::move(space), options] { root_.create_dataset<int>("bad", space, options); };
  };
  EXPECT_NE(refusal(make(Dataspace::simple({10}), chunks({0}))), "");
  EXPECT_NE(refusal(make(Dataspace::simple({10}), chunks({11}))), "");
  EXPECT_NE(refusal(make(Dataspace::simple({10}), chunks({2, 2}))), "");
  EXPECT_NE(refusal(make(Dataspace::scalar(), chunks({1}))), "");
  EXPECT_THAT(refusal(make(Dataspace::scalar(), chunks({}, {filters::deflate()}))),
              HasSubstr("chunk dimensions"));
  EXPECT_THAT(
      refusal(make(Dataspace::simple({10}), chunks({5}, {{4711, {}, false}})), ErrorKind::unsupported),
      HasSubstr("4711"));
  EXPECT_FALSE(root_.has_link("bad"));
  auto fixed = root_.create_dataset<int>("fixed", Dataspace::simple({10}), chunks({5}));
  EXPECT_THAT(refusal([&] { fixed.resize({11}); }), HasSubstr("maximum is 10"));
}

TEST_F(Chunked, MovesPastTheCacheWhenLarge) {
  // Far more than any default budget would hold dirty at once, in chunks that are written in part.
  auto data =
      root_.create_dataset<std::uint8_t>("d", Dataspace::simple({64, 1u << 20}), chunks({2, 1u << 18}));
  std::vector<std::uint8_t> row(1u << 20);
  for (std::uint64_t i = 0; i < 64; ++i) {
    std::ranges::fill(row, static_cast<std::uint8_t>(i));
    data.write(row, Selection::box({i, 0}, {1, 1u << 20}));
  }
  file_.flush();
  for (std::uint64_t i = 0; i < 64; i += 9)
    EXPECT_EQ(data.read<std::uint8_t>(Selection::box({i, 12345}, {1, 1})), i);
}

std::vector<std::string> words(std::size_t count, std::size_t length) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::string(length, static_cast<char>('a' + i % 26)));
  return values;
}

TEST_F(Chunked, HoldsValuesOfVariableLength) {
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({10}, {unlimited}),
                                                chunks({4}, {filters::deflate()}));
  auto expected = words(10, 20);
  data.write(expected);
  data.write(std::vector<std::string>{"x", ""}, Selection::box({3}, {2}));
  expected[3] = "x";
  expected[4] = "";
  EXPECT_EQ(data.read<std::vector<std::string>>(), expected);
  data.resize({13});
  expected.resize(13);
  file_.close();
  EXPECT_EQ(File::open(scratch_ / "f.h5").root().read_dataset<std::vector<std::string>>("d"), expected);
}

TEST_F(Chunked, FreesValuesOfVariableLengthThatAreWrittenOver) {
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({200}), chunks({50}));
  data.write(words(200, 1000));
  file_.flush();
  const auto size = std::filesystem::file_size(scratch_ / "f.h5");
  for (int i = 0; i < 10; ++i) {
    data.write(words(200, 990));
    file_.flush();
  }
  EXPECT_LT(std::filesystem::file_size(scratch_ / "f.h5"), size * 3);
}

TEST_F(Chunked, LeavesNothingBehindWhenItIsDeleted) {
  const auto make = [&](const std::string& name) {
    auto data = root_.create_dataset<int>(name, Dataspace::simple({100, 100}, {unlimited, unlimited}),
                                          chunks({10, 10}));
    data.write(counted(10'000));
    auto text = root_.create_dataset<std::string>(name + "t", Dataspace::simple({100}), chunks({10}));
    text.write(words(100, 300));
    file_.flush();
  };
  make("a");
  make("b");
  const auto size = std::filesystem::file_size(scratch_ / "f.h5");
  for (int i = 0; i < 5; ++i) {
    root_.remove("b");
    root_.remove("bt");
    make("b");
  }
  EXPECT_LT(std::filesystem::file_size(scratch_ / "f.h5"), size + size / 4);
  EXPECT_EQ(root_.read_dataset<std::vector<int>>("b"), counted(10'000));
  EXPECT_EQ(root_.read_dataset<std::vector<std::string>>("at"), words(100, 300));
}

TEST_F(Chunked, IsCopiedWithinAndBetweenFiles) {
  auto numbers = root_.create_dataset<int>("n", Dataspace::simple({33, 21}, {unlimited, 40}),
                                           chunks({8, 7}, {filters::shuffle(), filters::deflate()}));
  numbers.write(counted(33 * 21));
  root_.create_dataset<std::string>("t", Dataspace::simple({10}), chunks({4})).write(words(10, 50));
  root_.create_dataset<int>("empty", Dataspace::simple({10}), chunks({4}));
  AccessOptions latest;
  latest.versions.low = Version::v1_10;
  File other = File::create(scratch_ / "other.h5", CreateMode::truncate, {}, latest);
  for (const Group& target : {root_.create_group("here"), other.root()}) {
    for (const char* name : {"n", "t", "empty"}) root_.copy(name, target, name);
  }
  // The copies are others: what happens to one does not happen to the next.
  numbers.write(std::vector<int>(33 * 21, 7));
  root_.remove("t");
  file_.close();
  other.close();
  for (const Group& copies :
       {File::open(scratch_ / "f.h5").root().open_group("here"), File::open(scratch_ / "other.h5").root()}) {
    EXPECT_EQ(copies.read_dataset<std::vector<int>>("n"), counted(33 * 21));
    EXPECT_EQ(copies.read_dataset<std::vector<std::string>>("t"), words(10, 50));
    EXPECT_EQ(copies.read_dataset<std::vector<int>>("empty"), std::vector<int>(10));
  }
}

}  // namespace
}  // namespace filigree
