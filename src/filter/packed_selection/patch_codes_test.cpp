// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/patch_codes.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

Words edges_of(const std::vector<bool>& mask) {
  Words edges;
  for (std::size_t i = 0; i <= mask.size(); ++i)
    if ((i < mask.size() && mask[i]) != (i > 0 && mask[i - 1])) edges.push_back(i);
  return edges;
}

/// Groups of at most `height` x `width` elements at random offsets.
std::vector<bool> some_groups(std::mt19937& random, std::size_t rows, std::size_t row) {
  std::vector<bool> mask(rows * row);
  const std::size_t height = 1 + random() % 5, width = 1 + random() % 9;
  for (std::size_t count = 1 + random() % (1 + rows * row / 20); count > 0; --count) {
    const std::size_t at = random() % mask.size();
    for (std::size_t elements = 1 + random() % 9; elements > 0; --elements) {
      const std::size_t element = at + random() % height * row + random() % width;
      if (element < mask.size()) mask[element] = true;
    }
  }
  return mask;
}

TEST(PatchCodes, RestoreTheSet) {
  std::mt19937 random(1);
  int planned = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rows = 1 + random() % 40, row = 1 + random() % 130;
    const auto edges = edges_of(some_groups(random, rows, row));
    const auto plan = plan_patches(edges, rows * row, row);
    if (!plan) continue;
    ++planned;
    Buffer stored;
    write_patches(stored, *plan);
    EXPECT_LE(stored.size(), 3 + 10 + (plan->bits + 7) / 8);
    VarintReader in(stored);
    const Bitmap read = read_patches(in, plan->gaps.size(), rows * row, row);
    ASSERT_EQ(edges_of(read), edges) << rows << " x " << row;
  }
  EXPECT_GT(planned, 1500);
}

TEST(PatchCodes, AreRejectedOrHarmlessWhenDamaged) {
  std::mt19937 random(2);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::size_t rows = 1 + random() % 9, row = 1 + random() % 40;
    Buffer stored(3 + random() % 30);
    for (std::byte& byte : stored) byte = static_cast<std::byte>(random());
    stored[0] &= std::byte{7};
    stored[1] &= std::byte{7};
    stored[2] &= std::byte{7};
    try {
      VarintReader in(stored);
      const Words edges = edges_of(read_patches(in, 1 + random() % 20, rows * row, row));
      EXPECT_TRUE(std::ranges::is_sorted(edges));
      EXPECT_LE(edges.back(), rows * row);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 20000);
}

TEST(PatchCodes, RejectExtentsThatAreTooLarge) {
  const Buffer stored{std::byte{2}, std::byte{1}, std::byte{1}, std::byte{3}, std::byte{255}, std::byte{1}};
  VarintReader in(stored);
  EXPECT_THROW(read_patches(in, 1, most_patched_elements + 1, 1024), Error);
}

}  // namespace
}  // namespace filigree::filter
