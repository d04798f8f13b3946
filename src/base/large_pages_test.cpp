// SPDX-License-Identifier: Apache-2.0
#include "base/large_pages.hpp"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(LargePages, VectorsOfEverySizeAreZeroed) {
  for (const std::size_t items : {std::size_t{0}, std::size_t{3}, std::size_t{1} << 20}) {
    const auto list = large_vector<std::uint64_t>(items);
    EXPECT_EQ(list.size(), items);
    EXPECT_TRUE(std::ranges::all_of(list, [](std::uint64_t n) { return n == 0; }));
  }
}

TEST(LargePages, AdviceKeepsTheContentOfABlock) {
  std::vector<std::uint8_t> block(std::size_t{9} << 20, 7);
  prefer_large_pages(block.data() + 1, block.size() - 1);
  EXPECT_TRUE(std::ranges::all_of(block, [](std::uint8_t n) { return n == 7; }));
}

}  // namespace
}  // namespace filigree
