// SPDX-License-Identifier: Apache-2.0
#include "io/posix/scattered.hpp"

#include <random>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "io/posix/posix_file.hpp"
#include "testing/temp_dir.hpp"

namespace filigree::io {
namespace {

using ::filigree::testing::TempDir;

constexpr std::uint64_t file_bytes = 9u << 20;

Buffer random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

struct OpenFile {
  TempDir dir;
  int descriptor;
  Buffer model = random_bytes(file_bytes, 1);

  OpenFile() : descriptor(open((dir / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    EXPECT_EQ(pwrite(descriptor, model.data(), model.size(), 0), static_cast<ssize_t>(model.size()));
  }
  ~OpenFile() { close(descriptor); }
  Buffer contents() const {
    Buffer bytes(file_bytes);
    EXPECT_EQ(pread(descriptor, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return bytes;
  }
};

/// Extents of `bytes` bytes, each `distance` after the one before, over `memory`.
template <class Extent, class Memory>
std::vector<Extent> every(std::uint64_t distance, std::size_t bytes, Memory& memory, std::size_t count) {
  std::vector<Extent> extents;
  for (std::size_t i = 0; i < count; ++i)
    extents.push_back({5 + i * distance, {memory.data() + i * bytes, bytes}, MemoryType::raw});
  return extents;
}

TEST(Scattered, TakesSmallExtentsWithinTheLimitsOnly) {
  Buffer memory(1u << 20);
  const auto prefix = [&](std::uint64_t distance, std::size_t bytes, std::size_t count) {
    return scattered_prefix(std::span<const ReadExtent>(every<ReadExtent>(distance, bytes, memory, count)));
  };
  EXPECT_EQ(prefix(10'000, 4, 63), 0u);
  EXPECT_EQ(prefix(10'000, 4, 64), 64u);
  EXPECT_EQ(prefix(10'000, 4, 3000), 1024u);
  EXPECT_EQ(prefix(10'000, 64, 3000), 1024u);
  EXPECT_EQ(prefix(10'000, 256, 3000), 256u);
  EXPECT_EQ(prefix(10'000, 1024, 900), 64u);
  EXPECT_EQ(prefix(10'000, 1025, 900), 0u);
  EXPECT_EQ(prefix(10u << 20, 4, 3000), 103u) << "1 GiB";
  EXPECT_EQ(prefix(20u << 20, 4, 3000), 0u);
  const auto writes = every<WriteExtent>(70'000, 4, memory, 100);
  EXPECT_EQ(scattered_prefix(std::span<const WriteExtent>(writes)), 0u) << "farther apart than 64 KiB";
  std::vector<ReadExtent> mixed = every<ReadExtent>(10'000, 4, memory, 200);
  mixed[150].into = MutableBytes(memory).first(5000);
  EXPECT_EQ(scattered_prefix(std::span<const ReadExtent>(mixed)), 150u);
}

TEST(Scattered, ReadsThroughAMapping) {
  OpenFile file;
  for (const std::size_t bytes : {1u, 4u, 7u, 64u, 1024u}) {
    Buffer memory(64 * bytes);
    const auto extents = every<ReadExtent>(140'001, bytes, memory, 64);
    ASSERT_TRUE(move_mapped(file.descriptor, std::span<const ReadExtent>(extents)));
    for (const ReadExtent& e : extents)
      ASSERT_TRUE(std::equal(e.into.begin(), e.into.end(), file.model.begin() + static_cast<long>(e.offset)));
  }
}

TEST(Scattered, WritesThroughAMappingAndNothingElseChanges) {
  OpenFile file;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const Buffer memory = random_bytes(4096, 10u + static_cast<unsigned>(round));
    std::vector<WriteExtent> extents;
    for (std::size_t i = 0; i + 16 <= memory.size(); i += 16) {
      const std::size_t bytes = 1 + random() % 16;
      extents.push_back({random() % (file_bytes - 16), Bytes(memory).subspan(i, bytes), MemoryType::raw});
    }
    ASSERT_TRUE(move_mapped(file.descriptor, std::span<const WriteExtent>(extents)));
    // Of extents that overlap, the later ones win.
    for (const WriteExtent& e : extents)
      std::copy(e.from.begin(), e.from.end(), file.model.begin() + static_cast<long>(e.offset));
    ASSERT_EQ(file.contents(), file.model);
  }
}

TEST(Scattered, LeavesToOtherCallsWhatReachesBehindTheEnd) {
  OpenFile file;
  ASSERT_EQ(ftruncate(file.descriptor, file_bytes - 1), 0);
  Buffer memory(4);
  const std::vector<ReadExtent> reads{{file_bytes - 4, memory, MemoryType::raw}};
  EXPECT_FALSE(move_mapped(file.descriptor, std::span<const ReadExtent>(reads)));
  const std::vector<WriteExtent> writes{{file_bytes - 4, memory, MemoryType::raw}};
  EXPECT_FALSE(move_mapped(file.descriptor, std::span<const WriteExtent>(writes)));
}

TEST(Scattered, FilesThatCannotBeMappedAreLeftToOtherCalls) {
  OpenFile file;
  const int read_only = open((file.dir / "file").c_str(), O_RDONLY | O_CLOEXEC);
  Buffer memory(4);
  const std::vector<WriteExtent> writes{{8, memory, MemoryType::raw}};
  EXPECT_FALSE(move_mapped(read_only, std::span<const WriteExtent>(writes)));
  close(read_only);
  EXPECT_FALSE(move_mapped(-1, std::span<const WriteExtent>(writes)));
}

TEST(Scattered, ThePosixFileGivesTheSameBytesInBothWays) {
  const TempDir dir;
  PosixFile file(dir / "file", DriverOpenMode::create_new);
  Buffer model = random_bytes(file_bytes, 4);
  file.write(0, model);
  // Enough requests that both ways have their turns.
  for (unsigned round = 0; round < 40; ++round) {
    const Buffer values = random_bytes(800 * 4, 100 + round);
    const auto writes = every<WriteExtent>(11'003, 4, values, 800);
    file.write(writes);
    for (const WriteExtent& e : writes)
      std::copy(e.from.begin(), e.from.end(), model.begin() + static_cast<long>(e.offset));
    Buffer back(800 * 4);
    const auto reads = every<ReadExtent>(11'003, 4, back, 800);
    file.read(reads);
    ASSERT_EQ(back, values);
  }
  Buffer all(file_bytes);
  file.read(0, all);
  EXPECT_EQ(all, model);
}

TEST(Scattered, AFileThatWasCutSaysSo) {
  const TempDir dir;
  PosixFile file(dir / "file", DriverOpenMode::create_new);
  file.write(0, Buffer(file_bytes));
  Buffer memory(800 * 4);
  const auto reads = every<ReadExtent>(11'003, 4, memory, 800);
  for (int round = 0; round < 4; ++round) file.read(reads);
  ASSERT_EQ(truncate((dir / "file").c_str(), 1u << 20), 0);
  for (int round = 0; round < 4; ++round) {
    try {
      file.read(reads);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::truncated) << error.what();
    }
  }
}

TEST(ScatterCosts, PrefersWhatCostLessAndTriesTheOtherAgain) {
  using Way = ScatterCosts::Way;
  for (const Way good : {Way::calls, Way::mapping}) {
    ScatterCosts costs;
    int wrong = 0;
    constexpr int steps = 320;
    for (int i = 0; i < steps; ++i) {
      const ScatterCosts::Step step = costs.next(false);
      wrong += step.way != good;
      costs.record(false, step.way, step.most, step.most * (step.way == good ? 100 : 2000));
    }
    EXPECT_GE(wrong, steps / 20);
    EXPECT_LE(wrong, steps / 10);
  }
}

TEST(ScatterCosts, OneLateThreadDoesNotChangeTheWay) {
  using Way = ScatterCosts::Way;
  ScatterCosts costs;
  costs.record(true, Way::calls, 64, 64 * 500);
  costs.record(true, Way::mapping, 1024, 1024 * 100);
  costs.record(true, Way::mapping, 1024, 1024 * 3000);
  EXPECT_EQ(costs.next(true).way, Way::mapping);
}

}  // namespace
}  // namespace filigree::io
