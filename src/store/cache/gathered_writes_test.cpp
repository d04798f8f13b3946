// SPDX-License-Identifier: Apache-2.0
#include "store/cache/gathered_writes.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace filigree::store {
namespace {

/// A file that counts its writes, and fails on request.
class CountedFile {
 public:
  void write(std::uint64_t offset, Bytes bytes) {
    if (fails) throw std::runtime_error("full");
    ++writes;
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
    std::memcpy(content.data() + offset, bytes.data(), bytes.size());
  }
  void add(GatheredWrites& gathered, std::uint64_t offset, const Buffer& bytes) {
    gathered.add(offset, bytes, content.size(), [this](std::uint64_t at, Bytes all) { write(at, all); });
  }
  void settle(GatheredWrites& gathered) {
    gathered.settle([this](std::uint64_t at, Bytes all) { write(at, all); });
  }
  void settle(GatheredWrites& gathered, std::uint64_t offset, std::uint64_t bytes) {
    gathered.settle(offset, bytes, [this](std::uint64_t at, Bytes all) { write(at, all); });
  }
  Buffer content;
  int writes = 0;
  bool fails = false;
};

Buffer filled(std::size_t bytes, int value) { return Buffer(bytes, static_cast<std::byte>(value)); }

TEST(GatheredWrites, WritesNeighboursTogether) {
  CountedFile file;
  GatheredWrites gathered(4096);
  for (std::uint64_t i = 0; i < 200; ++i) file.add(gathered, 100 + 16 * i, filled(16, static_cast<int>(i)));
  EXPECT_EQ(file.writes, 0);
  file.settle(gathered);
  EXPECT_EQ(file.writes, 1);
  ASSERT_EQ(file.content.size(), 100 + 16 * 200u);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(file.content[100 + 16 * i], static_cast<std::byte>(i));
  EXPECT_FALSE(gathered.any());
}

TEST(GatheredWrites, NeverHoldsMoreThanItMay) {
  CountedFile file;
  GatheredWrites gathered(256);
  for (std::uint64_t i = 0; i < 64; ++i) file.add(gathered, 32 * i, filled(32, 1));
  EXPECT_EQ(file.writes, 7);  // eight times 256 bytes, the last of which are still gathered
  file.settle(gathered);
  EXPECT_EQ(file.content, filled(32 * 64, 1));
}

TEST(GatheredWrites, ChangesWhatItHolds) {
  CountedFile file;
  GatheredWrites gathered(256);
  file.add(gathered, 0, filled(32, 1));
  file.add(gathered, 8, filled(8, 2));
  file.add(gathered, 24, filled(16, 3));
  Buffer read(40);
  EXPECT_TRUE(gathered.find(0, read));
  EXPECT_EQ(read[0], std::byte{1});
  EXPECT_EQ(read[8], std::byte{2});
  EXPECT_EQ(read[39], std::byte{3});
  EXPECT_FALSE(gathered.find(1, read));
  EXPECT_EQ(file.writes, 0);
}

TEST(GatheredWrites, SettlesOnlyWhereItHasBytes) {
  CountedFile file;
  file.content = filled(1000, 9);
  GatheredWrites gathered(256);
  file.add(gathered, 100, filled(16, 1));
  file.settle(gathered, 0, 100);
  file.settle(gathered, 116, 100);
  EXPECT_EQ(file.writes, 0);
  file.settle(gathered, 115, 1);
  EXPECT_EQ(file.writes, 1);
}

TEST(GatheredWrites, SettlesBytesBeforeThatTheFileLacks) {
  CountedFile file;
  file.content = filled(50, 9);
  GatheredWrites gathered(256);
  file.add(gathered, 100, filled(16, 1));
  file.settle(gathered, 0, 50);
  EXPECT_EQ(file.writes, 0);
  file.settle(gathered, 60, 10);  // reads as zeros once the file reaches beyond
  EXPECT_EQ(file.writes, 1);
}

TEST(GatheredWrites, KeepsBytesThatCouldNotBeWritten) {
  CountedFile file;
  GatheredWrites gathered(256);
  file.add(gathered, 0, filled(16, 1));
  file.fails = true;
  EXPECT_THROW(file.settle(gathered), std::runtime_error);
  EXPECT_THROW(file.add(gathered, 500, filled(16, 2)), std::runtime_error);
  EXPECT_TRUE(gathered.any());
  file.fails = false;
  file.settle(gathered);
  EXPECT_EQ(file.content, filled(16, 1));
}

TEST(GatheredWrites, AgreesWithAFileThatIsWrittenAtOnce) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    CountedFile file;
    Buffer expected(2000);
    file.content = expected;
    GatheredWrites gathered(512);
    std::uint64_t next = 0;
    for (int step = 0; step < 300; ++step) {
      const std::size_t bytes = 1 + random() % gathered.most_bytes();
      const std::uint64_t at = random() % 3 != 0 && next + bytes <= 2000 ? next : random() % (2000 - bytes);
      if (random() % 4 == 0) {
        Buffer read(bytes);
        if (!gathered.find(at, read)) {
          file.settle(gathered, at, bytes);
          std::memcpy(read.data(), file.content.data() + at, bytes);
        }
        ASSERT_TRUE(std::equal(read.begin(), read.end(), expected.begin() + static_cast<std::ptrdiff_t>(at)));
        continue;
      }
      const Buffer values = filled(bytes, static_cast<int>(random() % 256));
      std::ranges::copy(values, expected.begin() + static_cast<std::ptrdiff_t>(at));
      file.add(gathered, at, values);
      next = at + bytes;
    }
    file.settle(gathered);
    ASSERT_EQ(file.content, expected);
  }
}

}  // namespace
}  // namespace filigree::store
