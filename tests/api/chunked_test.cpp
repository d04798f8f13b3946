// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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
  // 2^32 elements, and fewer of too many bytes.
  const std::uint64_t many = std::uint64_t{1} << 32;
  EXPECT_NE(refusal(make(Dataspace::simple({0}, {unlimited}), chunks({many}))), "");
  EXPECT_NE(refusal(make(Dataspace::simple({0, 0}, {unlimited, unlimited}), chunks({1u << 16, 1u << 16}))),
            "");
  EXPECT_THAT(refusal(make(Dataspace::simple({0}, {unlimited}), chunks({many / 4}))), HasSubstr("2^32 - 1"));
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

TEST_F(Chunked, OverwrittenTextsDoNotMakeTheFileGrow) {
  for (const bool filled : {false, true}) {
    DatasetOptions options = chunks({64}, {filters::deflate()});
    const std::string unwritten = "unwritten";
    if (filled) options.fill = Fill::of(Datatype::memory<std::string>(), &unwritten);
    auto data =
        root_.create_dataset<std::string>(filled ? "filled" : "plain", Dataspace::simple({1000}), options);
    const auto overwrite = [&](std::uint64_t times) {
      for (std::uint64_t i = 0; i < times; ++i) {
        // All of them, in parts that share chunks.
        for (std::uint64_t first = 0; first < 1000; first += 200)
          data.write(words(200, 25 + i % 10), Selection::box({first}, {200}));
        if (i % 7 == 0) file_.flush();
      }
      file_.flush();
      return std::filesystem::file_size(scratch_ / "f.h5");
    };
    const auto size = overwrite(20);
    EXPECT_LE(overwrite(filled ? 30 : 100), size + size / 4);
  }
}

TEST_F(Chunked, StringsOutsideOfTheExtentAreFreed) {
  for (const Dims& chunk : {Dims{7, 5}, Dims{200, 30}}) {
    auto data = root_.create_dataset<std::string>(
        "d" + std::to_string(chunk[0]), Dataspace::simple({40, 20}, {unlimited, unlimited}), chunks(chunk));
    std::uintmax_t size = 0;
    for (int i = 0; i < 20; ++i) {
      data.resize({40, 20});
      data.write(words(800, 500));
      data.resize({3, 20});
      data.resize({3, 4});
      EXPECT_EQ(data.read<std::string>(Selection::box({2, 3}, {1, 1})), words(800, 500)[43]);
      file_.flush();
      if (i == 3) size = std::filesystem::file_size(scratch_ / "f.h5");
    }
    EXPECT_LE(std::filesystem::file_size(scratch_ / "f.h5"), size + size / 4);
    data.resize({4, 4});
    EXPECT_EQ(data.read<std::vector<std::string>>(Selection::box({3, 0}, {1, 4})),
              std::vector<std::string>(4));
  }
}

TEST_F(Chunked, UnwrittenTextsHaveTheFillValueAsTheirOwn) {
  DatasetOptions options = chunks({8});
  const std::string fill = "not yet";
  options.fill = Fill::of(Datatype::memory<std::string>(), &fill);
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({20}, {unlimited}), options);
  data.write("x", Selection::box({3}, {1}));
  file_.flush();
  const auto references = [&] {
    const RawChunk raw = data.read_chunk({0});
    std::vector<std::vector<std::byte>> all;
    for (std::size_t at = 0; at < raw.bytes.size(); at += 16)
      all.emplace_back(raw.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       raw.bytes.begin() + static_cast<std::ptrdiff_t>(at + 16));
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto seen = references();
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "two elements refer to one value";
  // So each may go without the others.
  data.write("y", Selection::box({4}, {1}));
  data.resize({6});
  data.resize({20});
  file_.flush();
  std::vector<std::string> expected(20, fill);
  expected[3] = "x";
  expected[4] = "y";
  EXPECT_EQ(data.read<std::vector<std::string>>(), expected);
  file_.close();
  EXPECT_EQ(File::open(scratch_ / "f.h5").root().read_dataset<std::vector<std::string>>("d"), expected);
}

TEST_F(Chunked, LateAllocationComesWithTheFirstWrite) {
  for (const bool filtered : {false, true}) {
    for (const bool direct : {false, true}) {
      DatasetOptions options = chunks({4});
      if (filtered) options.filters = {filters::fletcher32()};
      options.allocation = AllocationTime::late;
      options.fill = Fill::of(9);
      const std::string name = std::string(filtered ? "f" : "p") + (direct ? "d" : "e");
      auto data = root_.create_dataset<int>(name, Dataspace::simple({10}, {unlimited}), options);
      EXPECT_EQ(data.stored_bytes(), 0u);
      data.resize({6});
      EXPECT_EQ(data.stored_bytes(), 0u);
      data.resize({10});
      const std::uint64_t each = filtered ? 20 : 16;
      if (direct) {
        data.write_chunk({4}, std::vector<std::byte>(16), filtered ? 1 : 0);
        EXPECT_EQ(data.chunk_count(), 3u);
      } else {
        data.write(5, Selection::box({4}, {1}));
        EXPECT_EQ(data.stored_bytes(), 3 * each);
      }
      // From then on, chunks come one by one, as in HDF5.
      data.resize({14});
      EXPECT_EQ(data.chunk_count(), 3u);
      data.resize({3});
      data.resize({10});
      EXPECT_EQ(data.chunk_count(), 1u);
      EXPECT_EQ(data.read<std::vector<int>>(), std::vector<int>(10, 9));
    }
  }
}

TEST_F(Chunked, WithAnIndexSlotForEveryChunkGrowsAndShrinksAtOnce) {
  AccessOptions access;
  access.versions = {Version::latest, Version::latest};
  File file = File::create(scratch_ / "new.h5", CreateMode::truncate, {}, access);
  DatasetOptions options = chunks({2, 2});
  options.allocation = AllocationTime::early;
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({5, 6}, {8, 8}), options);
  data.write(counted(30, 1));
  data.resize({7, 3});
  EXPECT_THAT(data.read<std::vector<int>>(Selection::box({3, 0}, {3, 3})),
              ElementsAre(19, 20, 21, 25, 26, 27, 0, 0, 0));
  data.resize({8, 8});
  EXPECT_THAT(data.read<std::vector<int>>(Selection::box({4, 1}, {2, 4})),
              ElementsAre(26, 27, 0, 0, 0, 0, 0, 0));
}

TEST_F(Chunked, EarlyAllocationFollowsTheExtent) {
  for (const bool filtered : {false, true}) {
    DatasetOptions options = chunks({4});
    if (filtered) options.filters = {filters::fletcher32()};
    options.allocation = AllocationTime::early;
    auto data =
        root_.create_dataset<int>(filtered ? "f" : "p", Dataspace::simple({10}, {unlimited}), options);
    const std::uint64_t each = filtered ? 20 : 16;
    EXPECT_EQ(data.stored_bytes(), 3 * each);
    data.resize({14});
    EXPECT_EQ(data.stored_bytes(), 4 * each);
    data.resize({3});
    EXPECT_EQ(data.stored_bytes(), each);
    data.resize({10});
    EXPECT_EQ(data.stored_bytes(), 3 * each);
  }
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
