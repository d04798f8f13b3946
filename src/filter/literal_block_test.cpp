// SPDX-License-Identifier: Apache-2.0
#include "filter/literal_block.hpp"

#include <random>
#include <utility>

#include <gtest/gtest.h>
#include <libdeflate.h>

namespace filigree::filter {
namespace {

Buffer unpacked(Bytes block, std::size_t bytes) {
  Buffer unfiltered(bytes + 1);
  std::size_t used = 0, made = 0;
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  const auto result = libdeflate_deflate_decompress_ex(decompressor, block.data(), block.size(),
                                                       unfiltered.data(), unfiltered.size(), &used, &made);
  libdeflate_free_decompressor(decompressor);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  EXPECT_EQ(used, block.size());
  unfiltered.resize(made);
  return unfiltered;
}

/// Encodes and decodes a block and returns its size.
std::size_t check(const Buffer& unfiltered) {
  const LiteralPlan plan = plan_literals(unfiltered);
  Buffer output(plan.bits / 8 + 9, std::byte{0xEE});
  const std::size_t bytes = put_literals(unfiltered, plan, output);
  EXPECT_EQ(bytes, (plan.bits + 7) / 8);
  EXPECT_TRUE(unpacked(Bytes(output).first(bytes), unfiltered.size()) == unfiltered)
      << unfiltered.size() << " bytes";
  return bytes;
}

TEST(LiteralBlock, RestoresAnyBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const unsigned values = 1 + random() % 256, first = random() % 256;
    Buffer unfiltered(1 + random() % (round % 10 == 0 ? 65535 : 700));
    for (std::byte& byte : unfiltered)
      byte = static_cast<std::byte>(first + random() % (1 + random() % values));
    check(unfiltered);
  }
}

TEST(LiteralBlock, HasCodesOfAtMostFifteenBits) {
  // Fibonacci-like counts make a Huffman code as deep as possible.
  Buffer unfiltered;
  std::size_t before = 1, count = 1;
  for (unsigned value = 0; unfiltered.size() + count <= 65535; ++value) {
    unfiltered.insert(unfiltered.end(), count, static_cast<std::byte>(value * 7));
    before = std::exchange(count, count + before);
  }
  ASSERT_GE(unfiltered.size(), 20000u);
  check(unfiltered);
}

TEST(LiteralBlock, TakesItsEntropyAndAFewBytes) {
  std::mt19937 random(3);
  Buffer unfiltered(655);
  for (std::byte& byte : unfiltered) byte = static_cast<std::byte>(random() % 4);
  EXPECT_LE(check(unfiltered), 655 * 9 / 32 + 20);
  EXPECT_LE(check(Buffer(655)), 655 / 8 + 20);
}

TEST(LiteralBlock, EncodesASingleByte) {
  for (unsigned value = 0; value < 256; ++value) EXPECT_LE(check({static_cast<std::byte>(value)}), 20u);
}

}  // namespace
}  // namespace filigree::filter
