// SPDX-License-Identifier: Apache-2.0
#include "io/stack/log_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "io/posix/posix_file.hpp"
#include "io/uring/uring_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct LogFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::LogFile>(
        std::make_unique<io::MemoryFile>(),
        io::LogOptions{.format = io::LogFormat::json_lines,
                       .sink = [this](std::string_view line) { text += line; }});
  }
  std::string text;
};
struct LoggedUringFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::LogFile>(
        std::make_unique<io::UringFile>(dir / "file", io::DriverOpenMode::create_new));
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(LogFile, VirtualFileSuite, LogFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(LogOfUringFile, VirtualFileSuite, LoggedUringFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

class LogFileTest : public ::testing::Test {
 protected:
  LogOptions options(LogFormat format) {
    return {.format = format, .sink = [this](std::string_view line) { lines_.emplace_back(line); }};
  }
  void use(VirtualFile& file) {
    file.write(std::vector<WriteExtent>{{0, as_bytes("abc"), MemoryType::superblock},
                                        {3, as_bytes("d"), MemoryType::btree},
                                        {10, as_bytes("ef"), MemoryType::raw}});
    Buffer into(4);
    file.read(2, into, MemoryType::raw);
    file.truncate(5);
    file.sync();
  }
  std::vector<std::string> lines_;
};

TEST_F(LogFileTest, CountsRequestsSizesAndTypes) {
  LogFile file(std::make_unique<MemoryFile>());
  use(file);
  const LogCounters counters = file.counters();
  EXPECT_EQ(counters.writes.requests, 1u);
  EXPECT_EQ(counters.writes.extents, 3u);
  EXPECT_EQ(counters.writes.runs, 2u);
  EXPECT_EQ(counters.writes.bytes, 6u);
  EXPECT_EQ(counters.writes.smallest, 1u);
  EXPECT_EQ(counters.writes.largest, 3u);
  EXPECT_THAT(counters.writes.extents_of_type, ElementsAre(0, 1, 1, 1, 0, 0, 0));
  EXPECT_EQ(counters.reads.bytes, 4u);
  EXPECT_EQ(counters.truncations, 1u);
  EXPECT_EQ(counters.syncs, 1u);
  EXPECT_GT(counters.reads.time.count(), 0);
  file.reset();
  EXPECT_EQ(file.counters().reads.requests, 0u);
}

TEST_F(LogFileTest, WritesTextForPeople) {
  LogFile file(std::make_unique<MemoryFile>(), options(LogFormat::text));
  use(file);
  EXPECT_THAT(
      lines_,
      ElementsAre(MatchesRegex("write 3 extents, 6 bytes at 0 \\(superblock 1, B-tree 1, raw data 1\\) "
                               "in [0-9.]+ us"),
                  MatchesRegex("read 1 extents, 4 bytes at 2 \\(raw data 1\\) in [0-9.]+ us"),
                  MatchesRegex("truncate at 5 bytes in [0-9.]+ us"),
                  MatchesRegex("sync at 5 bytes in [0-9.]+ us")));
}

TEST_F(LogFileTest, WritesJsonForPrograms) {
  LogFile file(std::make_unique<MemoryFile>(), options(LogFormat::json_lines));
  use(file);
  ASSERT_EQ(lines_.size(), 4u);
  EXPECT_THAT(lines_[1], MatchesRegex("\\{\"op\":\"read\",\"extents\":1,\"runs\":1,\"bytes\":4,\"offset\":2,"
                                      "\"types\":\\{\"raw data\":1\\},\"us\":[0-9.]+,\"failed\":false\\}"));
}

TEST_F(LogFileTest, TellsFailures) {
  auto faulty = std::make_unique<testing::FaultyFile>(std::make_unique<MemoryFile>());
  faulty->arm({});
  LogFile file(std::move(faulty), options(LogFormat::text));
  EXPECT_THROW(file.write(0, as_bytes("x")), Error);
  EXPECT_EQ(file.counters().writes.failures, 1u);
  EXPECT_THAT(lines_, ElementsAre(MatchesRegex("write .* us, failed")));
}

TEST_F(LogFileTest, StridedSlabCostsAtMostOneSystemCallPer64KiB) {
  const testing::TempDir dir;
  LogFile file(std::make_unique<PosixFile>(dir / "file", DriverOpenMode::create_new));
  constexpr std::size_t count = 1u << 16, element = 4, stride = 4;  // every 4th of 1 MiB of floats
  file.truncate(count * element * stride);
  file.reset();
  Buffer memory(count * element);
  std::vector<ReadExtent> reads;
  for (std::size_t i = 0; i < count; ++i)
    reads.push_back(
        {i * element * stride, MutableBytes(memory).subspan(i * element, element), MemoryType::raw});
  file.read(reads);
  constexpr std::size_t most = count * element * stride / (64u << 10);
  EXPECT_LE(file.counters().reads.runs, most);
  file.reset();
  file.write(testing::strided_writes(memory, element, stride));
  EXPECT_LE(file.counters().reads.runs + file.counters().writes.runs, most);
}

TEST_F(LogFileTest, PassesOperationsOn) {
  const testing::TempDir dir;
  LogFile file(std::make_unique<PosixFile>(dir / "file", DriverOpenMode::create_new));
  int descriptor = -1;
  const MutableBytes result(reinterpret_cast<std::byte*>(&descriptor), sizeof descriptor);
  EXPECT_TRUE(file.ctl({.op = ctl_op::file_descriptor, .result = result}));
  EXPECT_GE(descriptor, 0);
  EXPECT_THROW(file.ctl({.op = ctl_op::file_descriptor, .result = result.first(1)}), Error);
  EXPECT_THROW(file.ctl({.op = ctl_op::file_descriptor, .route = CtlRoute::here, .result = result}), Error);
}

}  // namespace
}  // namespace filigree::io
