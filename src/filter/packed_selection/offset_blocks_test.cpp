// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/offset_blocks.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::filter {
namespace {

std::vector<std::uint64_t> some_offsets(std::uint64_t end, std::uint64_t one_of, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t at = random() % one_of; at < end; at += 1 + random() % (2 * one_of))
    offsets.push_back(at);
  return offsets;
}

OffsetBlocks blocks(const std::vector<std::uint64_t>& offsets, std::uint64_t end) {
  OffsetBlocks::Writer writer(end, offsets.size(), 0);
  for (const std::uint64_t offset : offsets) writer.add(offset);
  return writer.finish();
}

std::vector<std::uint64_t> listed(const OffsetBlocks& set, std::size_t begin, std::size_t end,
                                  std::uint64_t from) {
  std::vector<std::uint64_t> offsets;
  set.for_each_part(begin, end, from, [&](std::uint64_t first, std::span<const std::uint16_t> low) {
    for (const std::uint16_t one : low) offsets.push_back(first + one);
  });
  return offsets;
}

TEST(OffsetBlocks, FindWhatAListFinds) {
  for (const std::uint64_t end : {1u, 63u, 64u, 65u, 5'000u, 65'536u, 65'537u, 3'000'000u}) {
    for (const std::uint64_t one_of : {1u, 3u, 40u, 5'000u, 200'000u}) {
      const auto offsets = some_offsets(end, one_of, 3);
      const OffsetBlocks set = blocks(offsets, end);
      ASSERT_EQ(set.elements(), offsets.size());
      EXPECT_EQ(listed(set, 0, offsets.size(), 0), offsets);
      std::mt19937_64 random(4);
      for (int i = 0; i < 200; ++i) {
        const std::uint64_t from = random() % (end + 1), to = from + random() % (end + 1 - from);
        const auto begin =
            static_cast<std::size_t>(std::ranges::lower_bound(offsets, from) - offsets.begin());
        const auto until = static_cast<std::size_t>(std::ranges::lower_bound(offsets, to) - offsets.begin());
        ASSERT_EQ(set.find(from), begin) << from << " of " << end;
        ASSERT_EQ(set.find(to), until) << to << " of " << end;
        ASSERT_EQ(set.is_at(begin, from), begin < offsets.size() && offsets[begin] == from);
        ASSERT_EQ(listed(set, begin, until, from),
                  std::vector(offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                              offsets.begin() + static_cast<std::ptrdiff_t>(until)));
      }
      EXPECT_EQ(set.find(~std::uint64_t{0}), offsets.size());
    }
  }
}

TEST(OffsetBlocks, TakeTwoBytesForAnElement) {
  const auto offsets = some_offsets(3'000'000, 20, 5);
  EXPECT_LT(blocks(offsets, 3'000'000).memory_bytes(), offsets.size() * 9 / 4);
  // Few elements of a large extent: not more than a small constant.
  EXPECT_LT(blocks({0, 4'000'000'000}, 4'294'967'295).memory_bytes(), 300'000u);
}

TEST(OffsetBlocks, HaveTheEdgesOfTheirElements) {
  EXPECT_EQ(blocks({0, 1, 2, 63, 64, 70}, 100).edges(), (std::vector<std::uint64_t>{0, 3, 63, 65, 70, 71}));
  const std::vector<std::uint64_t> edges{2, 9, 64, 66, 99, 100};
  EXPECT_EQ(blocks_of(edges, 100, 10).edges(), edges);
  Bitmap bits(100, 10);
  for (const unsigned at : {2u, 64u, 99u}) bits.set(at);
  EXPECT_EQ(blocks_of(bits, 3).edges(), (std::vector<std::uint64_t>{2, 3, 64, 65, 99, 100}));
  EXPECT_TRUE(blocks({}, 100).edges().empty());
}

/// Packed sets of every encoding.
std::vector<std::vector<std::uint32_t>> sets(std::uint64_t rows, std::uint64_t columns) {
  std::vector<std::vector<std::uint32_t>> all;
  std::mt19937_64 random(6);
  for (const unsigned percent : {1u, 10u, 50u, 97u}) {
    std::vector<std::uint32_t> scattered, runs;
    for (std::uint64_t at = 0; at < rows * columns; ++at) {
      if (random() % 100 < percent) scattered.push_back(static_cast<std::uint32_t>(at));
      if (random() % 100 >= percent) continue;
      for (std::uint64_t end = std::min(rows * columns, at + 1 + random() % 9); at < end; ++at)
        runs.push_back(static_cast<std::uint32_t>(at));
    }
    all.push_back(std::move(scattered));
    all.push_back(std::move(runs));
  }
  std::vector<std::uint32_t> traced;  // the same columns in each row, moved a little
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 5; column + 8 < columns; column += 11)
      for (std::uint64_t k = 0; k < 2 + row % 2; ++k)
        traced.push_back(static_cast<std::uint32_t>(row * columns + column + random() % 2 + 2 * k));
  all.push_back(std::move(traced));
  return all;
}

TEST(OffsetBlocks, AreDecodedFromPackedSets) {
  std::size_t decoded = 0;
  for (const auto& points : sets(60, 128)) {
    const auto packed = pack_points(std::vector<std::uint64_t>{60, 128}, points);
    if (!packed) continue;
    const auto found = unpack_blocks(packed->stored, packed->unfiltered_bytes, points.size());
    if (!found) continue;  // long runs
    ++decoded;
    EXPECT_EQ(found->dims, (std::vector<std::uint64_t>{60, 128}));
    EXPECT_EQ(listed(found->offsets, 0, found->offsets.elements(), 0),
              std::vector<std::uint64_t>(points.begin(), points.end()));
    EXPECT_THROW(unpack_blocks(packed->stored, packed->unfiltered_bytes, points.size() - 1), Error);
  }
  EXPECT_GE(decoded, 5u);
}

TEST(OffsetBlocks, DamagedSetsAreRefused) {
  for (const auto& points : sets(12, 64)) {
    const auto packed = pack_points(std::vector<std::uint64_t>{12, 64}, points);
    if (!packed) continue;
    for (std::size_t bit = 0; bit < packed->stored.size() * 8; ++bit) {
      Buffer changed = packed->stored;
      changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      // The first byte may say that nothing is packed.
      if (changed[0] == std::byte{0}) continue;
      EXPECT_THROW(unpack_blocks(changed, packed->unfiltered_bytes, points.size()), Error) << bit;
    }
  }
}

}  // namespace
}  // namespace filigree::filter
