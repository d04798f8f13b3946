// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/bitmap.hpp"

#include <random>

#include <gtest/gtest.h>

namespace filigree::filter {
namespace {

struct Lists {
  std::vector<std::uint64_t> edges;
  std::vector<std::uint32_t> points, words;
};

Lists lists_of(const std::vector<bool>& mask) {
  Lists lists;
  for (std::size_t i = 0; i <= mask.size(); ++i) {
    const bool here = i < mask.size() && mask[i], before = i > 0 && mask[i - 1];
    if (here != before) lists.edges.push_back(i);
    if (!here) continue;
    lists.points.push_back(static_cast<std::uint32_t>(i));
    const auto word = static_cast<std::uint32_t>(i / 64);
    if (lists.words.empty() || lists.words.back() != word) lists.words.push_back(word);
  }
  return lists;
}

TEST(Bitmap, ListsElementsEdgesAndWords) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t elements = 1 + random() % 2000;
    const unsigned one_in = 1 + random() % 100;
    std::vector<bool> mask(elements);
    Bitmap set(elements, 1 + random() % elements);
    for (std::size_t i = 0; i < elements; ++i) {
      if (random() % one_in != 0) continue;
      mask[i] = true;
      set.set(i);
    }
    const Lists lists = lists_of(mask);
    ASSERT_EQ(points_of(set, random() % 50), lists.points);
    ASSERT_EQ(edges_of(set), lists.edges);
    ASSERT_EQ(words_of(set), lists.words);
    ASSERT_FALSE(set.has_stray_bits());
  }
}

TEST(Bitmap, ReadsAndSetsBitsAcrossWords) {
  std::mt19937 random(2);
  std::vector<bool> mask(1000);
  Bitmap set(1000, 10);
  for (int round = 0; round < 5000; ++round) {
    const std::int64_t at = random() % 1000;
    const unsigned count = 1 + random() % 40;
    const std::uint64_t bits = (std::uint64_t{random()} << 20 ^ random()) & ones(count);
    const bool puts = random() % 2 == 0;
    if (at + count > 1000) continue;
    puts ? set.put(at, bits) : set.clear(at, bits);
    for (unsigned i = 0; i < count; ++i)
      if (bits >> i & 1) mask[static_cast<std::size_t>(at) + i] = puts;
    std::uint64_t expected = 0;
    for (unsigned i = 0; i < 64 && at + i < 1000; ++i)
      expected |= std::uint64_t{mask[static_cast<std::size_t>(at) + i]} << i;
    ASSERT_EQ(set.get(at), expected);
  }
  EXPECT_EQ(points_of(set, 0), lists_of(mask).points);
}

TEST(Bitmap, DetectsStrayBits) {
  for (const std::int64_t at : {-1, -64, 100, 127, 128, 179}) {
    Bitmap set(100, 10);
    set.put(at, 1);
    EXPECT_TRUE(set.has_stray_bits()) << at;
  }
}

TEST(Bitmap, CountsRunsOfRepeatedRows) {
  std::mt19937 random(3);
  for (const std::uint64_t row : {64u, 128u, 192u, 256u, 320u}) {
    for (int round = 0; round < 200; ++round) {
      const std::uint64_t rows = 1 + random() % 20;
      Bitmap set(rows * row, row);
      std::vector<std::vector<bool>> masks;
      std::uint64_t expected = 0;
      for (std::uint64_t r = 0; r < rows; ++r) {
        std::vector<bool> mask(row);
        for (unsigned n = random() % 4; n > 0; --n) mask[random() % row] = true;
        if (r > 0 && random() % 2 == 0) mask = masks.back();
        for (std::uint64_t i = 0; i < row; ++i)
          if (mask[i]) set.set(r * row + i);
        if (r > 0 && mask == masks.back()) expected += lists_of(mask).edges.size() / 2;
        masks.push_back(mask);
      }
      ASSERT_EQ(runs_in_repeated_rows(set, row), expected) << row;
    }
  }
}

}  // namespace
}  // namespace filigree::filter
