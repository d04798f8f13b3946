// SPDX-License-Identifier: Apache-2.0
#include "store/cache/raw_block.hpp"

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace filigree::store {
namespace {

/// A file of numbered bytes that counts its reads.
class CountedFile {
 public:
  explicit CountedFile(std::size_t bytes) : content_(bytes) {
    for (std::size_t i = 0; i < bytes; ++i) content_[i] = static_cast<std::byte>(i * 7);
  }
  Buffer read(RawBlock& block, std::uint64_t offset, std::size_t bytes) {
    Buffer into(bytes);
    block.read(offset, into, content_.size(), [&](std::uint64_t from, MutableBytes out) {
      ++reads;
      read_bytes += out.size();
      std::memcpy(out.data(), content_.data() + from, out.size());
    });
    return into;
  }
  void write(RawBlock& block, std::uint64_t offset, const Buffer& bytes) {
    std::memcpy(content_.data() + offset, bytes.data(), bytes.size());
    block.write(offset, bytes);
  }
  Buffer expected(std::uint64_t offset, std::size_t bytes) const {
    return Buffer(content_.begin() + static_cast<std::ptrdiff_t>(offset),
                  content_.begin() + static_cast<std::ptrdiff_t>(offset + bytes));
  }
  std::size_t size() const { return content_.size(); }
  int reads = 0;
  std::uint64_t read_bytes = 0;

 private:
  Buffer content_;
};

TEST(RawBlock, ReadsNeighboursOnce) {
  CountedFile file(10000);
  RawBlock block(4096);
  for (std::uint64_t at = 100; at < 3000; at += 16)
    EXPECT_EQ(file.read(block, at, 16), file.expected(at, 16));
  EXPECT_EQ(file.reads, 2);  // the first one bypasses the block, the second one loads it
  EXPECT_EQ(file.read_bytes, 16u + 4096u);
}

TEST(RawBlock, NeverReadsPastTheEnd) {
  CountedFile file(1000);
  RawBlock block(4096);
  for (const std::uint64_t at : {990u, 984u, 992u, 0u, 8u})
    EXPECT_EQ(file.read(block, at, 8), file.expected(at, 8));
}

TEST(RawBlock, LeavesScatteredReadsAlone) {
  CountedFile file(1 << 20);
  RawBlock block(4096);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t at = i * 7919 % 128 * 8192;
    EXPECT_EQ(file.read(block, at, 8), file.expected(at, 8));
  }
  EXPECT_EQ(file.read_bytes, 800u);
}

TEST(RawBlock, SeesWhatIsWritten) {
  CountedFile file(10000);
  RawBlock block(4096);
  file.read(block, 0, 8);
  file.read(block, 8, 8);
  const Buffer changed(100, std::byte{0xEE});
  file.write(block, 4050, changed);  // partly in the block
  EXPECT_EQ(file.read(block, 4040, 50), file.expected(4040, 50));
  file.write(block, 20, changed);
  EXPECT_EQ(file.read(block, 0, 200), file.expected(0, 200));
  EXPECT_EQ(file.reads, 2);
}

TEST(RawBlock, ForgetsWhatIsInvalid) {
  CountedFile file(10000);
  RawBlock block(4096);
  file.read(block, 1000, 8);
  file.read(block, 1008, 8);
  block.invalidate(0, 1000);  // ends before the block
  block.invalidate(1000 + 4096, ~std::uint64_t{0} - 10000);
  file.read(block, 1016, 8);
  EXPECT_EQ(file.reads, 2);
  block.invalidate(999, 2);
  file.read(block, 1016, 8);
  EXPECT_EQ(file.reads, 3);
}

TEST(RawBlock, WithoutBytesKeepsNothing) {
  CountedFile file(100);
  RawBlock block(0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(file.read(block, 8, 4), file.expected(8, 4));
  EXPECT_EQ(file.reads, 5);
}

TEST(RawBlock, AgreesWithTheFileAfterRandomOperations) {
  std::mt19937 random(20261118);
  CountedFile file(20000);
  RawBlock block(1024);
  std::uint64_t near = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 50 == 0) near = random() % (file.size() - 2000);
    const std::uint64_t at = near + random() % 1500;
    const std::size_t bytes = 1 + random() % 256;
    switch (random() % 8) {
      case 0:
        file.write(block, at, Buffer(bytes, static_cast<std::byte>(random())));
        break;
      case 1:
        block.invalidate(at, bytes);
        break;
      default:
        ASSERT_EQ(file.read(block, at, bytes), file.expected(at, bytes)) << "operation " << i;
    }
  }
}

/// Each thread owns some cells: it writes a number, and must read the same number back.
TEST(RawBlock, ShowsEveryThreadWhatItHasWritten) {
  constexpr std::size_t cells = 64;
  std::vector<std::atomic<std::uint32_t>> file(cells * 4);
  RawBlock block(512);
  std::atomic<int> wrong = 0;
  const auto own = [&](std::size_t thread) {
    for (std::uint32_t i = 1; i < 3000; ++i) {
      const std::size_t cell = thread + 4 * (i % cells);
      file[cell] = i;
      const std::uint32_t number = i;
      block.write(cell * 4, Bytes(reinterpret_cast<const std::byte*>(&number), 4));
      std::uint32_t got = 0;
      block.read(cell * 4, MutableBytes(reinterpret_cast<std::byte*>(&got), 4), file.size() * 4,
                 [&](std::uint64_t from, MutableBytes out) {
                   for (std::size_t at = 0; at < out.size(); at += 4) {
                     const std::uint32_t value = file[(from + at) / 4];
                     std::memcpy(out.data() + at, &value, 4);
                   }
                 });
      if (got != i) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) threads.emplace_back(own, t);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace filigree::store
