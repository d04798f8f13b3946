// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.hpp"

#include <gtest/gtest.h>

namespace filigree {
namespace {

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

TEST(Crc32c, MatchesPublishedVectors) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(Buffer(32)), 0x8a9136aau);
}

TEST(Crc32c, ContinuesFromAnEarlierSum) {
  EXPECT_EQ(crc32c(as_bytes("56789"), crc32c(as_bytes("1234"))), crc32c(as_bytes("123456789")));
}

}  // namespace
}  // namespace filigree
