// SPDX-License-Identifier: Apache-2.0
#include "filter/literal_block.hpp"

#include <random>
#include <utility>

#include <gtest/gtest.h>
#include <libdeflate.h>

namespace filigree::filter {
namespace {

Buffer unpacked(Bytes block, std::size_t bytes) {
  Buffer plain(bytes + 1);
  std::size_t used = 0, made = 0;
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  const auto result = libdeflate_deflate_decompress_ex(decompressor, block.data(), block.size(), plain.data(),
                                                       plain.size(), &used, &made);
  libdeflate_free_decompressor(decompressor);
  EXPECT_EQ(result, LIBDEFLATE_SUCCESS);
  EXPECT_EQ(used, block.size());
  plain.resize(made);
  return plain;
}

/// Packs and unpacks; returns the bytes of the block.
std::size_t check(const Buffer& plain) {
  const LiteralPlan plan = plan_literals(plain);
  Buffer room(plan.bits / 8 + 9, std::byte{0xEE});
  const std::size_t bytes = put_literals(plain, plan, room);
  EXPECT_EQ(bytes, (plan.bits + 7) / 8);
  EXPECT_TRUE(unpacked(Bytes(room).first(bytes), plain.size()) == plain) << plain.size() << " bytes";
  return bytes;
}

TEST(LiteralBlock, GivesAnyBytesBack) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const unsigned values = 1 + random() % 256, first = random() % 256;
    Buffer plain(1 + random() % (round % 10 == 0 ? 65535 : 700));
    for (std::byte& byte : plain) byte = static_cast<std::byte>(first + random() % (1 + random() % values));
    check(plain);
  }
}

TEST(LiteralBlock, HasCodesOfFifteenBitsAtMost) {
  // Counts like these make Huffman's code as deep as it can be.
  Buffer plain;
  std::size_t before = 1, count = 1;
  for (unsigned value = 0; plain.size() + count <= 65535; ++value) {
    plain.insert(plain.end(), count, static_cast<std::byte>(value * 7));
    before = std::exchange(count, count + before);
  }
  ASSERT_GE(plain.size(), 20000u);
  check(plain);
}

TEST(LiteralBlock, TakesTheBitsOfTheEntropyAndAFewBytes) {
  std::mt19937 random(3);
  Buffer plain(655);
  for (std::byte& byte : plain) byte = static_cast<std::byte>(random() % 4);
  EXPECT_LE(check(plain), 655 * 9 / 32 + 20);
  EXPECT_LE(check(Buffer(655)), 655 / 8 + 20);
}

TEST(LiteralBlock, OfOneByte) {
  for (unsigned value = 0; value < 256; ++value) EXPECT_LE(check({static_cast<std::byte>(value)}), 20u);
}

}  // namespace
}  // namespace filigree::filter
