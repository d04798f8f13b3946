// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t side = 16, pixels = side * side;

class Frames : public InBothForms {
 protected:
  Dataset make(const DatasetOptions& options, const std::string& name = "frames") {
    return file_.root().create_dataset<std::int32_t>(
        name, Dataspace::simple({0, side, side}, {unlimited, side, side}), options);
  }
  Dataset make_sparse(const std::string& name = "frames") { return make(sparse_chunks({2, 8, 8}), name); }
  Dataset make_dense(const std::string& name = "frames") {
    DatasetOptions options;
    options.chunk = {4, 8, 16};
    return make(options, name);
  }
  File file_ = File::create_in_memory();
};

Selection frame(std::uint64_t number) { return Selection::box({number, 0, 0}, {1, side, side}); }

/// A frame of `key` % 50 + 1 pixels, all of which have the value `key`.
struct Sample {
  explicit Sample(std::int32_t number) : key(number) {
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(key % 50 + 1); ++i) offsets.push_back(i * 5);
    values.assign(offsets.size(), key);
  }
  std::int32_t key;
  Dims offsets;
  Ints values;
};

void expect_whole(const Dataset& data, std::uint64_t number) {
  const Ints all = data.read<Ints>(frame(number));
  ASSERT_NE(all[0], 0) << "frame " << number << " is not there";
  const Sample sample(all[0]);
  Ints expected(pixels, 0);
  for (const std::uint64_t offset : sample.offsets) expected[offset] = sample.key;
  EXPECT_EQ(all, expected) << "frame " << number;
}

TEST_P(Frames, AFlushOfTheFileStoresWholeFramesOnly) {
  for (auto data : {make_sparse("sparse"), make_dense("dense")}) {
    FrameAppender stream(data, {.buffer_bytes = 1000});
    std::uint64_t before = 0;
    for (std::int32_t key = 1; key < 60; ++key) {
      const Sample sample(key);
      stream.append_offsets<std::int32_t>(sample.offsets, sample.values);
      const File stored = reopened(file_);
      const Dataset seen = stored.root().open_dataset(data.path());
      const std::uint64_t extent = seen.space().dims()[0];
      EXPECT_GE(extent, before) << "the extent has shrunk";
      for (std::uint64_t n = before; n < extent; ++n) expect_whole(seen, n);
      before = extent;
    }
    EXPECT_GT(before, 40u);
    stream.close();
    EXPECT_EQ(data.space().dims()[0], 59u);
  }
}

TEST_P(Frames, FlushesOfOtherThreadsStoreWholeFramesOnly) {
  auto data = make_sparse();
  FrameAppender stream(data, {.buffer_bytes = 3000});
  std::atomic<std::int32_t> key = 1;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (std::int32_t mine = key++; mine < 400; mine = key++) {
        const Sample sample(mine);
        stream.append_offsets<std::int32_t>(sample.offsets, sample.values);
        if (mine % 50 == 0) stream.flush();
      }
    });
  }
  std::thread flusher([&] {
    std::uint64_t before = 0;
    while (!done) {
      const File stored = reopened(file_);
      const Dataset seen = stored.root().open_dataset("frames");
      const std::uint64_t extent = seen.space().dims()[0];
      EXPECT_GE(extent, before);
      for (std::uint64_t n = before; n < extent; ++n) expect_whole(seen, n);
      before = extent;
    }
  });
  for (auto& thread : threads) thread.join();
  done = true;
  flusher.join();
  stream.close();
  ASSERT_EQ(data.space().dims()[0], 399u);
  for (std::uint64_t n = 0; n < 399; ++n) expect_whole(data, n);
}

TEST_P(Frames, NumbersMayArriveInAnyOrder) {
  for (auto data : {make_sparse("sparse"), make_dense("dense")}) {
    FrameAppender stream(data, {.buffer_bytes = 0});
    const auto append_at = [&](std::uint64_t number) {
      const Sample sample(static_cast<std::int32_t>(number) + 1);
      stream.append_at<std::int32_t>(number, sample.offsets, sample.values);
    };
    const auto extent = [&] { return data.space().dims()[0]; };
    append_at(2);
    append_at(1);
    EXPECT_EQ(extent(), 0u) << "frame 0 is missing";
    EXPECT_EQ(stream.frames(), 3u);
    EXPECT_EQ(stream.complete_frames(), 0u);
    append_at(0);
    EXPECT_EQ(extent(), 3u);
    EXPECT_EQ(stream.append_empty(), 3u);
    append_at(6);
    stream.append_at<std::int32_t>(4, Dims{2, 3}, Dims{2, 2}, Ints{1, 2, 3, 4});
    stream.flush();
    EXPECT_EQ(extent(), 5u);
    EXPECT_EQ(stream.append_offsets<std::int32_t>(Dims{9}, Ints{9}), 7u);
    EXPECT_EQ(extent(), 5u);
    stream.append_at(5);
    EXPECT_EQ(extent(), 8u);
    for (const std::uint64_t n : {0u, 1u, 2u, 6u}) expect_whole(data, n);
    EXPECT_THAT(data.read<Ints>(Selection::box({4, 2, 3}, {1, 2, 2})), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(data.read<Ints>(frame(5)), Ints(pixels, 0));
    EXPECT_EQ(data.read<std::int32_t>(Selection::box({7, 0, 9}, {1, 1, 1})), 9);
  }
}

TEST_P(Frames, ANumberIsGivenOnce) {
  auto data = make_sparse();
  FrameAppender stream(data);
  stream.append_at(0);
  stream.append_at(3);
  EXPECT_THAT(message_of([&] { stream.append_at(0); }), HasSubstr("frame 0 has been appended already"));
  EXPECT_THAT(message_of([&] { stream.append_at(3); }), HasSubstr("frame 3 has been appended already"));
  EXPECT_THAT(message_of([&] { stream.append_at(std::uint64_t{1} << 60); }), HasSubstr("of 256 elements"));
  EXPECT_EQ(stream.frames(), 4u);
}

TEST_P(Frames, ClosingStoresMissingFramesAsEmptyOnes) {
  auto data = make_sparse();
  FrameAppender stream(data);
  stream.append_at<std::int32_t>(1'000'000'000, Dims{7}, Ints{8});
  stream.append_at<std::int32_t>(2, Dims{7}, Ints{8});
  stream.flush();
  EXPECT_EQ(data.space().dims()[0], 0u);
  stream.close();
  EXPECT_EQ(data.space().dims()[0], 1'000'000'001u);
  EXPECT_EQ(defined_count(data), 2u);
  EXPECT_EQ(error_of([&] { stream.append_at(1); }), ErrorKind::invalid_argument);
}

TEST_P(Frames, WaitingFramesAreLimited) {
  auto data = make_sparse();
  FrameAppender stream(data, {.out_of_order_bytes = 4000});
  const Sample sample(49);
  stream.append_at<std::int32_t>(1, sample.offsets, sample.values);
  const auto too_many = [&] {
    for (std::uint64_t n = 2; n < 20; ++n) stream.append_at<std::int32_t>(n, sample.offsets, sample.values);
  };
  EXPECT_THAT(message_of(too_many), HasSubstr("cannot wait for the missing frame 0"));
  EXPECT_EQ(error_of(too_many), ErrorKind::invalid_argument) << "frame 2 has been taken";
  const std::uint64_t next = stream.frames();
  EXPECT_LT(next, 10u);
  stream.append_at(stream.complete_frames());
  EXPECT_EQ(stream.complete_frames(), next);
  stream.append_at<std::int32_t>(next, sample.offsets, sample.values);
  stream.close();
  EXPECT_EQ(data.space().dims()[0], next + 1);
}

TEST_P(Frames, BoxesOfAllSizesAreBuffered) {
  const std::uint64_t large = 300;  // frames of more pixels than are listed one by one
  auto data = file_.root().create_dataset<std::int32_t>(
      "large", Dataspace::simple({0, large, large}, {unlimited, large, large}), sparse_chunks({1, 128, 128}));
  FrameAppender stream(data);
  const Ints all(large * large, 3), some{1, 2, 3, 4, 5, 6};
  stream.append_region<std::int32_t>({0, 0}, {large, large}, all);
  stream.append_region<std::int32_t>({0, 0}, {large, large}, all);
  stream.append_region<std::int32_t>({298, 10}, {2, 3}, some);
  stream.append_region<std::int32_t>({0, 0}, {0, 5}, Ints{});
  stream.append_region<double>({0, 0}, {1, 1}, std::vector<double>{2.5});
  EXPECT_EQ(data.space().dims()[0], 0u);
  EXPECT_EQ(error_of([&] {
              stream.append_region<std::int32_t>({299, 10}, {2, 3}, some);
            }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] {
              stream.append_region<std::int32_t>({298, 10}, {2, 2}, some);
            }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { stream.append_region<std::int32_t>({298}, {6}, some); }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(stream.frames(), 5u) << "a frame that is refused gets no number";
  stream.close();
  EXPECT_EQ(defined_count(data), 2 * all.size() + 7);
  EXPECT_EQ(data.read<Ints>(Selection::box({1, 0, 0}, {1, large, large})), all);
  EXPECT_EQ(data.read<Ints>(Selection::box({2, 298, 10}, {1, 2, 3})), some);
  EXPECT_EQ(data.read<std::int32_t>(Selection::box({4, 0, 0}, {1, 1, 1})), 2);
}

TEST_P(Frames, ValuesOfVariableLengthAreWrittenInOrder) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  auto data = file_.root().create_dataset<std::string>(
      "texts", Dataspace::simple({0, side}, {unlimited, side}), sparse_chunks({2, side}));
  FrameAppender stream(data);
  const std::vector<std::string> some{"one", "two"};
  stream.append_empty();
  EXPECT_EQ(stream.append_offsets<std::string>(Dims{4, 2}, some), 1u);
  EXPECT_EQ(stream.append_region<std::string>({6}, {2}, some), 2u);
  EXPECT_EQ(data.space().dims()[0], 3u);
  EXPECT_EQ(error_of([&] { stream.append_at<std::string>(4, Dims{4, 2}, some); }), ErrorKind::unsupported);
  stream.append_at<std::string>(3, Dims{0, 1}, some);
  stream.close();
  EXPECT_THAT(data.read<std::vector<std::string>>(Selection::box({1, 2}, {1, 3})),
              ElementsAre("two", "", "one"));
  EXPECT_THAT(data.read<std::vector<std::string>>(Selection::box({3, 0}, {1, 2})), ElementsAre("one", "two"));
}

/// A filter that fails on demand, while it is registered.
class FailingFilter {
 public:
  FailingFilter() {
    UserFilter filter;
    filter.id = 301;
    filter.name = "fails on demand";
    filter.encode = [this](std::span<const std::byte> in, UserFilter::Parameters) {
      if (fails) throw Error(ErrorKind::io, "the filter fails");
      return std::vector<std::byte>(in.begin(), in.end());
    };
    filter.decode = [](std::span<const std::byte> in, UserFilter::Parameters, std::size_t) {
      return std::vector<std::byte>(in.begin(), in.end());
    };
    filters::add(filter);
  }
  ~FailingFilter() { filters::remove(301); }
  std::atomic<bool> fails = false;
};

TEST_P(Frames, AFailedWriteLosesNothingAndKeepsTheExtent) {
  FailingFilter filter;
  auto data = make(sparse_chunks({1, side, side}).values({{301, {}, false}}));
  FrameAppender stream(data, {.buffer_bytes = 400});
  const auto append = [&](std::int32_t key) {
    const Sample sample(key);
    return stream.append_offsets<std::int32_t>(sample.offsets, sample.values);
  };
  append(1);
  stream.flush();
  filter.fails = true;
  append(10);
  EXPECT_THAT(message_of([&] { append(49); }), HasSubstr("the filter fails"));
  EXPECT_EQ(data.space().dims()[0], 1u);
  EXPECT_EQ(stream.frames(), 3u) << "frames that could not be written stay in the buffer";
  EXPECT_THROW(stream.flush(), Error);
  EXPECT_THROW(stream.close(), Error);
  EXPECT_EQ(data.space().dims()[0], 1u);
  filter.fails = false;
  EXPECT_EQ(append(20), 3u);
  stream.close();
  ASSERT_EQ(data.space().dims()[0], 4u);
  for (std::uint64_t n = 0; n < 4; ++n) expect_whole(data, n);
}

TEST_P(Frames, SomethingElseThatResizesIsReported) {
  auto data = make_sparse();
  FrameAppender stream(data);
  stream.append_at(0);
  data.resize({5, side, side});
  EXPECT_THAT(message_of([&] { stream.flush(); }), HasSubstr("has 5 frames instead of 0"));
  data.resize({0, side, side});
  stream.close();
  EXPECT_EQ(data.space().dims()[0], 1u);
}

FILIGREE_IN_BOTH_FORMS(Frames);

}  // namespace
}  // namespace filigree
