// SPDX-License-Identifier: Apache-2.0
#include "base/checked.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(CheckedArithmetic, ReturnsResultsThatFit) {
  EXPECT_EQ(checked_add(largest - 1, 1, "bytes"), largest);
  EXPECT_EQ(checked_multiply(0xffffffff, 0x100000001, "bytes"), largest);
  EXPECT_EQ(checked_multiply(0, largest, "bytes"), 0u);
  EXPECT_EQ(try_add(1, 2), 3u);
  EXPECT_EQ(try_multiply(3, 4), 12u);
}

TEST(CheckedArithmetic, ThrowsOnOverflow) {
  EXPECT_EQ(try_add(largest, 1), std::nullopt);
  EXPECT_EQ(try_multiply(std::uint64_t{1} << 32, std::uint64_t{1} << 32), std::nullopt);
  for (const bool add : {true, false}) {
    try {
      add ? checked_add(largest, 1, "chunk bytes") : checked_multiply(largest, 2, "chunk bytes");
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("chunk bytes"));
    }
  }
}

}  // namespace
}  // namespace filigree
