// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using ::testing::HasSubstr;

Ints counted(std::size_t count, std::int32_t first = 0) {
  Ints values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class Appending : public ::testing::Test {
 protected:
  Dataset make(const Dims& dims, const Dims& most, const Dims& chunk) {
    DatasetOptions options;
    options.chunk = chunk;
    return file_.root().create_dataset<std::int32_t>("d", Dataspace::simple(dims, most), options);
  }
  File file_ = File::create_in_memory();
};

TEST_F(Appending, ValueByValueGivesAllOfThem) {
  for (const std::size_t buffer : {1u, 100u, 1u << 20}) {
    Dataset data = make({0}, {unlimited}, {7});
    Appender<std::int32_t> log(data, {{}, buffer});
    for (int i = 0; i < 1000; ++i) log.append(i);
    EXPECT_EQ(log.length(), 1000u);
    log.close();
    EXPECT_EQ(data.space().dims(), Dims{1000});
    EXPECT_EQ(data.read<Ints>(), counted(1000));
    file_.root().remove("d");
  }
}

TEST_F(Appending, FlushWritesWhatIsBuffered) {
  Dataset data = make({3}, {unlimited}, {10});
  data.write(Ints{-1, -2, -3});
  Appender<double> log(data, {{}, 80});
  log.append(std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(data.space().dims(), Dims{3});
  log.flush();
  EXPECT_EQ(data.space().dims(), Dims{7});
  const auto more = std::vector<double>(100, 5);
  log.append(more);
  EXPECT_EQ(data.space().dims(), Dims{100});
  log.flush();
  EXPECT_EQ(data.space().dims(), Dims{107});
  EXPECT_EQ(data.read<Ints>(Selection::box({0}, {8})), (Ints{-1, -2, -3, 1, 2, 3, 4, 5}));
}

TEST_F(Appending, AFlushedFileHasNoMoreThanTheValues) {
  Dataset data = make({0}, {unlimited}, {8});
  Appender<std::int32_t> log(data, {{}, 32});
  std::uint64_t before = 0;
  for (int i = 1; i < 300; ++i) {
    log.append(i);
    const auto stored = reopened(file_).root().open_dataset("d").read<Ints>();
    EXPECT_EQ(stored, counted(stored.size(), 1));
    EXPECT_GE(stored.size(), before);
    before = stored.size();
  }
  EXPECT_EQ(before, 296u);
}

TEST_F(Appending, LargeBlocksAreSeveralChanges) {
  Dataset data = make({0}, {unlimited}, {1 << 20});
  Appender<std::int32_t> log(data);
  const Ints values = counted((100u << 20) / sizeof(int) + 5);  // 100 MiB
  log.append(values);
  EXPECT_EQ(data.space().dims()[0], values.size() - 5);
  log.close();
  EXPECT_EQ(data.read<Ints>(), values);
}

TEST_F(Appending, ExtendingAndWritingAreOneChange) {
  Dataset data = make({2}, {10}, {4});
  data.write(Ints{7, 8});
  data.extend({6}, [&] { data.write(Ints{1, 2, 3, 4}, Selection::box({2}, {4})); });
  EXPECT_EQ(data.read<Ints>(), (Ints{7, 8, 1, 2, 3, 4}));
  const auto failing = [&] {
    data.write(Ints{-1}, Selection::box({6}, {1}));
    throw std::runtime_error("the detector is gone");
  };
  EXPECT_THROW(data.extend({9}, failing), std::runtime_error);
  EXPECT_EQ(data.space().dims(), Dims{6});
  EXPECT_THAT(message_of([&] { data.extend({5}, [] {}); }), HasSubstr("would shrink from 6 to 5"));
  EXPECT_EQ(error_of([&] { data.extend({11}, [] {}); }), ErrorKind::invalid_argument);
  data.resize({9});
  EXPECT_EQ(data.read<Ints>(), (Ints{7, 8, 1, 2, 3, 4, 0, 0, 0})) << "nothing is left of the failed write";
}

TEST_F(Appending, FullChunksBypassTheCache) {
  Dataset data = make({0}, {unlimited}, {1000});
  const std::uint64_t before = chunk_cache_counters().misses;
  Appender<std::int32_t> log(data, {{}, 3000 * sizeof(int)});
  for (int i = 0; i < 30000; ++i) log.append(i);
  EXPECT_EQ(chunk_cache_counters().misses, before);
}

TEST_F(Appending, SlicesOfAnyDimension) {
  for (const std::size_t along : {0u, 1u, 2u}) {
    Dims dims{2, 3, 4};
    Dims most = dims;
    const std::uint64_t in_slice = 24 / dims[along];
    dims[along] = 0;
    most[along] = unlimited;
    Dataset data = make(dims, most, {2, 2, 2});
    Appender<std::int32_t> log(data, {{}, 100});
    const std::size_t slice = log.slice_elements();
    ASSERT_EQ(slice, in_slice);
    const Ints values = counted(slice * 11);
    for (std::size_t i = 0; i < values.size(); i += 5)
      log.append(std::span(values).subspan(i, std::min<std::size_t>(5, values.size() - i)));
    log.close();
    for (std::uint64_t i = 0; i < 11; ++i) {
      Dims start(3, 0);
      Dims count = data.space().dims();
      start[along] = i;
      count[along] = 1;
      EXPECT_EQ(data.read<Ints>(Selection::box(start, count)), counted(slice, static_cast<int>(i * slice)));
    }
    file_.root().remove("d");
  }
}

TEST_F(Appending, IncompleteSlicesAreReportedAndCanBeCompleted) {
  Dataset data = make({0, 3}, {unlimited, 3}, {2, 3});
  Appender<std::int32_t> log(data);
  log.append(counted(7));
  EXPECT_THAT(message_of([&] { log.close(); }), HasSubstr("the last 1 values make no slice: it has 3"));
  EXPECT_EQ(data.space().dims(), (Dims{2, 3}));
  log.append(counted(2, 7));
  log.close();
  log.close();
  EXPECT_EQ(data.read<Ints>(), counted(9));
  EXPECT_EQ(error_of([&] { log.append(1); }), ErrorKind::closed);
}

TEST_F(Appending, TheEndOfItsLifeCloses) {
  Dataset data = make({0}, {unlimited}, {5});
  {
    Appender<std::int32_t> log(data);
    log.append(counted(6));
    Appender<std::int32_t> moved = std::move(log);
    moved.append(6);
    moved = Appender<std::int32_t>(data, {{}, 4});  // starts after what was there
  }
  EXPECT_EQ(data.space().dims(), Dims{7});
  EXPECT_EQ(data.read<Ints>(), counted(7));
}

TEST_F(Appending, FailuresAreReportedAndNothingIsLost) {
  Dataset data = make({0}, {10}, {5});
  Appender<std::int32_t> log(data, {{}, 20});
  log.append(counted(12));  // two of them wait
  EXPECT_EQ(data.space().dims(), Dims{10});
  EXPECT_EQ(error_of([&] { log.append(counted(4, 12)); }), ErrorKind::invalid_argument);
  EXPECT_EQ(log.length(), 16u) << "they were taken all the same";
  EXPECT_THAT(message_of([&] { log.close(); }), HasSubstr("its maximum is 10"));
  EXPECT_EQ(log.length(), 16u);
  EXPECT_EQ(data.read<Ints>(), counted(10));
  Dataset fixed = file_.root().write_dataset("fixed", Ints{1});
  EXPECT_THAT(message_of([&] { Appender<std::int32_t> none(fixed); }), HasSubstr("may grow"));
  EXPECT_EQ(error_of([&] { Appender<std::int32_t> none(data, {3, 20}); }), ErrorKind::invalid_argument);
}

TEST_F(Appending, AClosedFileIsReported) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  DatasetOptions options;
  Dataset data = file.root().create_dataset<int>("d", Dataspace::simple({0}, {unlimited}), options);
  Appender<int> log(data);
  log.append(1);
  file.close();
  EXPECT_EQ(error_of([&] { log.close(); }), ErrorKind::closed);
}

}  // namespace
}  // namespace filigree
