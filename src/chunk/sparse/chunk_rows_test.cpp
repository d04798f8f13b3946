// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/chunk_rows.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace filigree::chunk {
namespace {

using space::Frame;
using space::RunSet;

RunSet some_of(const Frame& frame, std::mt19937& random) {
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = 0; i < frame.elements(); ++i)
    if (random() % 3 != 0) positions.push_back(i);
  return RunSet::of_offsets(positions);
}

TEST(ChunkRows, ElementsInABoxAreThoseWhoseCoordinatesAre) {
  std::mt19937 random(1);
  for (const Frame& chunk : {Frame({7}), Frame({4, 5}), Frame({2, 3, 4}), Frame({3, 1, 5})}) {
    for (int round = 0; round < 40; ++round) {
      const RunSet elements = some_of(chunk, random);
      space::Bounds box;
      for (const std::uint64_t n : chunk.dims()) {
        box.low.push_back(random() % n);
        box.high.push_back(box.low.back() + random() % (n - box.low.back()));
      }
      std::vector<std::uint64_t> expected;
      std::vector<std::uint64_t> at(chunk.rank());
      for (std::uint64_t i = 0; i < chunk.elements(); ++i) {
        chunk.coordinates(i, at.data());
        bool inside = elements.contains(i);
        for (std::size_t d = 0; d < at.size(); ++d)
          inside = inside && at[d] >= box.low[d] && at[d] <= box.high[d];
        if (inside) expected.push_back(i);
      }
      EXPECT_EQ(elements_in_box(chunk, elements, box), RunSet::of_offsets(expected));
    }
  }
}

TEST(ChunkRows, ElementsInASlabAreThoseThatItContains) {
  std::mt19937 random(5);
  for (const Frame& chunk : {Frame({17}), Frame({4, 9}), Frame({2, 3, 7}), Frame({3, 1, 5})}) {
    for (int round = 0; round < 200; ++round) {
      const RunSet elements = some_of(chunk, random);
      std::vector<std::uint64_t> corner, extent;
      std::vector<space::SlabDimension> dims;
      for (const std::uint64_t n : chunk.dims()) {
        corner.push_back(random() % 10);
        extent.push_back(40);
        const std::uint64_t stride = 1 + random() % 5, block = 1 + random() % stride;
        dims.push_back({random() % (corner.back() + n), stride, 1 + random() % 4, block});
      }
      const space::Slab slab(extent, dims);
      std::vector<std::uint64_t> expected;
      std::vector<std::uint64_t> at(chunk.rank());
      for (std::uint64_t i = 0; i < chunk.elements(); ++i) {
        chunk.coordinates(i, at.data());
        for (std::size_t d = 0; d < at.size(); ++d) at[d] += corner[d];
        if (elements.contains(i) && slab.contains(at)) expected.push_back(i);
      }
      EXPECT_EQ(elements_in_slab(chunk, elements, corner, slab), RunSet::of_offsets(expected));
    }
  }
}

TEST(ChunkRows, OffsetsAreThoseOfTheExtentAndEndWithIt) {
  std::mt19937 random(2);
  const Frame extent({7, 9});
  const space::ChunkGrid grid(extent, {3, 4});
  for (std::uint64_t y = 0; y < 3; ++y) {
    for (std::uint64_t x = 0; x < 3; ++x) {
      const RunSet elements = some_of(grid.chunk(), random);
      const std::vector<std::uint64_t> at{y, x};
      std::vector<std::uint64_t> expected;
      for (std::uint64_t i = 0; i < 12; ++i) {
        const std::uint64_t row = y * 3 + i / 4, column = x * 4 + i % 4;
        if (elements.contains(i) && row < 7 && column < 9) expected.push_back(row * 9 + column);
      }
      std::vector<OffsetRun> offsets;
      append_offsets(grid, at, elements, 100, offsets);
      std::vector<std::uint64_t> found;
      for (const OffsetRun& run : offsets) {
        for (std::uint64_t i = 0; i < run.length; ++i) {
          const std::uint64_t offset = run.offset + i;
          found.push_back(offset);
          const std::uint64_t local = (offset / 9 - y * 3) * 4 + offset % 9 - x * 4;
          EXPECT_EQ(run.ordinal + i, 100 + elements.within({0, local}).elements());
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(ChunkRows, OffsetsOfDeepChunksAreThoseOfTheirCoordinates) {
  std::mt19937 random(3);
  const Frame extent({5, 4, 6, 5});
  const space::ChunkGrid grid(extent, {2, 3, 4, 3});
  const RunSet elements = some_of(grid.chunk(), random);
  const std::vector<std::uint64_t> at{1, 1, 1, 1};
  std::vector<std::uint64_t> expected, found, within(4);
  for (std::uint64_t i = 0; i < grid.chunk().elements(); ++i) {
    grid.chunk().coordinates(i, within.data());
    for (std::size_t d = 0; d < 4; ++d) within[d] += at[d] * grid.chunk().dims()[d];
    if (elements.contains(i) && extent.contains(within)) expected.push_back(extent.offset(within));
  }
  std::vector<OffsetRun> offsets;
  append_offsets(grid, at, elements, 0, offsets);
  for (const OffsetRun& run : offsets)
    for (std::uint64_t i = 0; i < run.length; ++i) found.push_back(run.offset + i);
  EXPECT_EQ(found, expected);
}

TEST(ChunkRows, OffsetsOfAdjacentChunksAreInOrder) {
  std::mt19937 random(6);
  const Frame extent({3, 40, 96});
  const space::ChunkGrid grid(extent, {1, 20, 32});
  for (int round = 0; round < 60; ++round) {
    std::vector<RunSet> sets;
    std::vector<std::vector<std::uint64_t>> at;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t x = 0; x < 3; ++x) {
      if (round % 7 == 6 && x == 1) continue;
      std::vector<std::uint64_t> positions;
      for (std::uint64_t i = 0; i < 640; ++i) {
        if (random() % (2 + static_cast<unsigned>(round)) != 0) continue;
        if (i % 32 == 0 && i > 0 && !positions.empty() && positions.back() == i - 1) continue;  // one run
        positions.push_back(i);
        expected.push_back((2 * 40 + 20 + i / 32) * 96 + 32 * x + i % 32);
      }
      sets.push_back(RunSet::of_offsets(positions));
      at.push_back({2, 1, x});
    }
    std::vector<AdjacentChunk> chunks;
    for (std::size_t i = 0; i < sets.size(); ++i) chunks.push_back({at[i], sets[i].edges()});
    const auto offsets = offsets_of_rows(grid, chunks);
    std::ranges::sort(expected);
    ASSERT_TRUE(offsets) << round;
    EXPECT_EQ(*offsets, RunSet::of_offsets(expected)) << round;
  }
}

TEST(ChunkRows, OffsetsOfRowsAreFoundForSimpleRowsOnly) {
  const Frame extent({40, 90});
  const space::ChunkGrid grid(extent, {20, 32});
  const auto offsets = [&](std::vector<std::uint64_t> at, std::vector<std::uint64_t> edges) {
    const AdjacentChunk one{at, edges};
    return offsets_of_rows(grid, {&one, 1}).has_value();
  };
  EXPECT_TRUE(offsets({1, 1}, {5, 6, 40, 64}));
  EXPECT_FALSE(offsets({1, 1}, {5, 6, 40, 65}));  // beyond the end of a row
  EXPECT_FALSE(offsets({1, 2}, {5, 6, 40, 50}));  // cut by the extent
  EXPECT_FALSE(offsets({1, 1}, {5, 6}));          // hardly any
}

TEST(ChunkRows, ListsOfOffsetsBecomeOne) {
  std::mt19937 random(4);
  for (const std::size_t lists : {0u, 1u, 2u, 3u, 4u, 7u, 16u}) {
    std::vector<std::vector<OffsetRun>> apart(lists);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t offset = 0; lists > 0 && offset < 500; offset += 1 + random() % 3) {
      apart[random() % lists].push_back({offset, 1, 2 * offset});
      expected.push_back(offset);
    }
    std::vector<OffsetRun> offsets;
    std::vector<std::size_t> ends{0};
    for (const auto& list : apart) {
      offsets.insert(offsets.end(), list.begin(), list.end());
      ends.push_back(offsets.size());
    }
    merge_offsets(offsets, ends);
    ASSERT_EQ(offsets.size(), expected.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      EXPECT_EQ(offsets[i].offset, expected[i]);
      EXPECT_EQ(offsets[i].ordinal, 2 * expected[i]);
    }
  }
}

TEST(ChunkRows, CostGoesWithElementsNotWithRows) {
  const Frame tall({10'000'000'000, 2});
  const RunSet two = RunSet::of_offsets({5, 19'999'999'998});
  EXPECT_EQ(elements_in_box(tall, two, {{0, 0}, {9'999'999'999, 0}}), RunSet::of_offsets({19'999'999'998}));
}

}  // namespace
}  // namespace filigree::chunk
