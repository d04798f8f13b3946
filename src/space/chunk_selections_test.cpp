// SPDX-License-Identifier: Apache-2.0
#include "space/chunk_selections.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "space/cursor.hpp"

namespace filigree::space {
namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Pairs of offsets, in the extent and in memory, in the order of the transfer.
Pairs pairs_of(const Selection& file, const Selection& memory) {
  Pairs pairs;
  MatchedCursor cursor(file, memory);
  for (MatchedRun run; cursor.next(run);)
    for (std::uint64_t i = 0; i < run.length; ++i) pairs.emplace_back(run.first + i, run.second + i);
  return pairs;
}

/// The same, assembled from the parts of the chunks.
Pairs pairs_of_parts(const ChunkGrid& grid, std::span<const ChunkSelection> parts) {
  Pairs pairs;
  for (const ChunkSelection& part : parts) {
    std::vector<std::uint64_t> chunk(grid.extent().rank()), at(grid.extent().rank());
    grid.chunks().coordinates(part.chunk, chunk.data());
    for (const auto& [offset, memory] : pairs_of(part.elements.file, part.elements.memory)) {
      grid.chunk().coordinates(offset, at.data());
      for (std::size_t d = 0; d < at.size(); ++d) at[d] += chunk[d] * grid.chunk().dims()[d];
      pairs.emplace_back(grid.extent().offset(at), memory + part.memory_start);
    }
  }
  return pairs;
}

std::vector<ChunkSelection> parts_of(const ChunkGrid& grid, const Selection& file, const Selection& memory) {
  std::vector<ChunkSelection> parts;
  ChunkSelections selections(grid, file, memory);
  for (ChunkSelection part; selections.next(part);) parts.push_back(part);
  return parts;
}

void expect_same(const ChunkGrid& grid, const Selection& file, const Selection& memory) {
  const auto parts = parts_of(grid, file, memory);
  Pairs expected = pairs_of(file, memory), found = pairs_of_parts(grid, parts);
  std::ranges::sort(expected);
  std::ranges::sort(found);
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(std::ranges::is_sorted(parts, {}, &ChunkSelection::chunk));
}

class RandomSlabs {
 public:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  SlabDimension dimension(std::uint64_t extent) {
    SlabDimension dim;
    dim.block = 1 + below(std::min<std::uint64_t>(extent, 5));
    dim.stride = dim.block + below(4);
    dim.start = below(extent - dim.block + 1);
    dim.count = 1 + below((extent - dim.start - dim.block) / dim.stride + 1);
    return dim;
  }

 private:
  std::mt19937_64 random_{17};
};

TEST(ChunkSelections, HasTheElementsOfRandomHyperslabs) {
  RandomSlabs random;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t rank = 1 + random.below(3);
    std::vector<std::uint64_t> extent, chunk, solid, strided;
    std::vector<SlabDimension> slab, in_memory;
    for (std::size_t d = 0; d < rank; ++d) {
      extent.push_back(1 + random.below(12));
      chunk.push_back(1 + random.below(5));
      slab.push_back(random.dimension(extent.back()));
      const std::uint64_t length = slab.back().count * slab.back().block;
      in_memory.push_back({random.below(3), 2, length, 1});
      strided.push_back(in_memory.back().last() + 1);
      solid.push_back(length);
    }
    const ChunkGrid grid(Frame(extent), chunk);
    const Selection file = Selection::regular(Frame(extent), slab);
    expect_same(grid, file, Selection::all(Frame(solid)));
    expect_same(grid, file, Selection::all(Frame({file.elements()})));
    expect_same(grid, file, Selection::regular(Frame({file.elements() + 7}), {{4, 1, 1, file.elements()}}));
    expect_same(grid, file, Selection::regular(Frame(strided), in_memory));
    expect_same(grid, file, Selection::regular(Frame({2 * file.elements()}), {{0, 2, file.elements(), 1}}));
  }
}

TEST(ChunkSelections, KeepsRegularHyperslabsRegular) {
  const ChunkGrid grid(Frame({100, 100}), {10, 10});
  const Selection file = Selection::regular(Frame({100, 100}), {{5, 2, 20, 1}, {1, 3, 30, 1}});
  const auto parts = parts_of(grid, file, Selection::all(Frame({600})));
  EXPECT_EQ(parts.size(), 5u * 9u);
  for (const ChunkSelection& part : parts) {
    EXPECT_EQ(part.elements.file.kind(), Selection::Kind::regular);
    EXPECT_EQ(part.elements.memory.kind(), Selection::Kind::regular);
  }
}

TEST(ChunkSelections, CutsBlocksAtTheEdgesOfChunks) {
  const ChunkGrid grid(Frame({40}), {10});
  const Selection file = Selection::regular(Frame({40}), {{0, 4, 10, 3}});
  const auto parts = parts_of(grid, file, Selection::all(Frame({30})));
  // Chunk 0: blocks 0 and 4, and two elements of block 8. Chunk 1: the last one of block 8, and so on.
  ASSERT_GE(parts.size(), 4u);
  EXPECT_EQ(parts[0].elements.file.slab().dims()[0], (SlabDimension{0, 4, 2, 3}));
  EXPECT_EQ(parts[1].elements.file.slab().dims()[0], (SlabDimension{8, 1, 1, 2}));
  EXPECT_EQ(parts[2].chunk, 1u);
  EXPECT_EQ(parts[2].elements.file.slab().dims()[0], (SlabDimension{0, 1, 1, 1}));
}

TEST(ChunkSelections, SkipsChunksWithoutElements) {
  const ChunkGrid grid(Frame({1000}), {10});
  const Selection file = Selection::regular(Frame({1000}), {{5, 300, 4, 1}});
  std::vector<std::uint64_t> chunks;
  for (const ChunkSelection& part : parts_of(grid, file, Selection::all(Frame({4}))))
    chunks.push_back(part.chunk);
  EXPECT_EQ(chunks, (std::vector<std::uint64_t>{0, 30, 60, 90}));
}

TEST(ChunkSelections, DividesSetsAndPoints) {
  const ChunkGrid grid(Frame({8, 8}), {3, 3});
  const Selection a = Selection::regular(Frame({8, 8}), {{0, 1, 1, 2}, {0, 1, 1, 8}});
  const Selection b = Selection::regular(Frame({8, 8}), {{4, 1, 1, 3}, {2, 1, 1, 2}});
  const Selection both = combine(a, SetOperator::unite, b);
  expect_same(grid, both, Selection::all(Frame({both.elements()})));
  const Selection points = Selection::of_points(Frame({8, 8}), {63, 0, 9, 9, 17});
  expect_same(grid, points, Selection::all(Frame({5})));
  expect_same(grid, Selection::none(Frame({8, 8})), Selection::none(Frame({1})));
}

TEST(ChunkSelections, HandlesAHugeExtent) {
  const std::uint64_t huge = ~std::uint64_t{0} - 1;
  const ChunkGrid grid(Frame({huge}), {1u << 20});
  const Selection file = Selection::regular(Frame({huge}), {{huge - 3, 1, 1, 3}});
  const auto parts = parts_of(grid, file, Selection::all(Frame({3})));
  std::uint64_t elements = 0;
  for (const ChunkSelection& part : parts) elements += part.elements.file.elements();
  EXPECT_EQ(elements, 3u);
}

}  // namespace
}  // namespace filigree::space
