// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.hpp"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace filigree {
namespace {

Buffer random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// Folds after every word, as the format specification describes it.
std::uint32_t naive_fletcher32(Bytes bytes) {
  std::uint32_t sum1 = 0, sum2 = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const auto low = i + 1 < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0u;
    sum1 += std::to_integer<std::uint32_t>(bytes[i]) << 8 | low;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 += sum1;
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  return sum2 << 16 | sum1;
}

TEST(Lookup3, MatchesPublishedVectors) {
  EXPECT_EQ(lookup3(as_bytes("")), 0xdeadbeefu);
  EXPECT_EQ(lookup3(as_bytes("a")), 0x58d68708u);
  EXPECT_EQ(lookup3(as_bytes("Four score and seven years ago")), 0x17770551u);
  EXPECT_EQ(lookup3(as_bytes("0123456789ab")), 0x1065e50au);
  EXPECT_EQ(lookup3(as_bytes("attribute0")), 0x3736e57au);
}

TEST(Lookup3, InitialValueSeedsTheHash) {
  EXPECT_EQ(lookup3(as_bytes(""), 3), 0xdeadbef2u);
  EXPECT_EQ(lookup3(as_bytes("a"), 3), 0x20c3349du);
  EXPECT_EQ(lookup3(as_bytes("Four score and seven years ago"), 3), 0x40b6fa50u);
}

TEST(Fletcher32, MatchesPublishedVectors) {
  const auto sum = [](std::initializer_list<unsigned> values) {
    Buffer bytes;
    for (unsigned v : values) bytes.push_back(static_cast<std::byte>(v));
    return fletcher32(bytes);
  };
  EXPECT_EQ(sum({1}), 0x01000100u);
  EXPECT_EQ(sum({1, 2}), 0x01020102u);
  EXPECT_EQ(sum({1, 2, 3, 4, 5}), 0x0e0e0906u);
  EXPECT_EQ(sum({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), 0xa8cc3840u);
  EXPECT_EQ(sum({0xff, 0xff}), 0xffffffffu);
}

TEST(Fletcher32, LateFoldingGivesTheSameChecksum) {
  for (std::size_t count = 0; count < 100; ++count) {
    const Buffer bytes = random_bytes(count, static_cast<unsigned>(count));
    EXPECT_EQ(fletcher32(bytes), naive_fletcher32(bytes)) << count;
  }
  for (std::size_t count : {4095, 4096, 4097, 8192, 100001}) {
    const Buffer bytes = random_bytes(count, 1);
    EXPECT_EQ(fletcher32(bytes), naive_fletcher32(bytes)) << count;
    EXPECT_EQ(fletcher32(Buffer(count, std::byte{0xff})), naive_fletcher32(Buffer(count, std::byte{0xff})))
        << count;
    EXPECT_EQ(fletcher32(Buffer(count)), 0u) << count;
  }
}

TEST(Crc32c, MatchesPublishedVectors) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(Buffer(32)), 0x8a9136aau);
}

TEST(Crc32c, TablesAgreeWithTheInstruction) {
  EXPECT_EQ(crc32c_portable(as_bytes("123456789")), 0xe3069283u);
  for (std::size_t count : {0, 1, 7, 8, 9, 15, 64, 1001}) {
    const Buffer bytes = random_bytes(count, 7);
    EXPECT_EQ(crc32c(bytes, 42), crc32c_portable(bytes, 42)) << count;
  }
}

TEST(Crc32c, ContinuesFromAnEarlierChecksum) {
  EXPECT_EQ(crc32c(as_bytes("56789"), crc32c(as_bytes("1234"))), crc32c(as_bytes("123456789")));
}

}  // namespace
}  // namespace filigree
