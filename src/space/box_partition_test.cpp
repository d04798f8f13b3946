// SPDX-License-Identifier: Apache-2.0
#include "space/box_partition.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

namespace filigree::space {
namespace {

using rc::gen::inRange;

std::vector<std::uint64_t> some_dims(std::size_t rank, std::uint64_t most) {
  return *rc::gen::container<std::vector<std::uint64_t>>(rank, inRange<std::uint64_t>(1, most + 1));
}

/// A box as one block or as adjacent blocks.
Selection some_box(const Frame& frame, const std::vector<std::uint64_t>& shape) {
  std::vector<SlabDimension> dims;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto start = *inRange<std::uint64_t>(0, frame.dims()[d] - shape[d] + 1);
    const bool blocks = *inRange(0, 3) == 0;
    dims.push_back(blocks ? SlabDimension{start, 1, shape[d], 1} : SlabDimension{start, 1, 1, shape[d]});
  }
  return Selection::regular(frame, std::move(dims));
}

/// A memory selection: a line, a part of one, or a box of the same shape in a larger array.
Selection some_memory(const std::vector<std::uint64_t>& shape, std::uint64_t elements) {
  switch (*inRange(0, 3)) {
    case 0:
      return Selection::all(Frame({elements}));
    case 1:
      return Selection::regular(Frame({elements + 9}), {{5, 1, 1, elements}});
    default:
      break;
  }
  std::vector<std::uint64_t> dims;
  for (const std::uint64_t n : shape) dims.push_back(n + *inRange<std::uint64_t>(0, 3));
  return some_box(Frame(std::move(dims)), shape);
}

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

void add_pairs(std::span<const ChunkRun> runs, std::uint64_t chunk, Pairs& pairs) {
  for (const ChunkRun& run : runs) {
    RC_ASSERT(run.chunk == chunk);
    for (std::uint64_t i = 0; i < run.length; ++i) pairs.emplace_back(run.chunk_offset + i, run.memory + i);
  }
}

RC_GTEST_PROP(BoxPartition, DividesABoxLikePartition, ()) {
  const auto rank = *inRange<std::size_t>(1, 5);
  const Frame extent(some_dims(rank, rank < 3 ? 12 : 6));
  const ChunkGrid grid(extent, some_dims(rank, rank < 3 ? 14 : 7));
  std::vector<std::uint64_t> shape;
  std::uint64_t elements = 1;
  for (const std::uint64_t n : extent.dims())
    elements *= shape.emplace_back(*inRange<std::uint64_t>(1, n + 1));
  const Selection file = some_box(extent, shape);
  const Selection memory = some_memory(shape, elements);

  auto box = BoxPartition::find(grid, file, memory);
  RC_ASSERT(box.has_value());
  Partition expected(grid, file, memory);
  const auto most = *inRange<std::size_t>(1, 5);
  ChunkPiece other;
  for (std::vector<ChunkPiece> pieces; box->next_batch(most, pieces);) {
    RC_ASSERT(pieces.size() <= most);
    for (const ChunkPiece& piece : pieces) {
      RC_ASSERT(expected.next(other));
      RC_ASSERT(piece.chunk == other.chunk);
      RC_ASSERT(piece.elements == other.elements);
      const PieceRuns made(piece), given(other);
      RC_ASSERT(made.runs().size() == piece.run_count);
      RC_ASSERT(made.runs().size() <= other.run_count);
      Pairs mine, theirs;
      add_pairs(made.runs(), piece.chunk, mine);
      add_pairs(given.runs(), piece.chunk, theirs);
      RC_ASSERT(mine == theirs);
    }
  }
  RC_ASSERT(!expected.next(other));
}

TEST(BoxPartition, LeavesOtherSelectionsToPartition) {
  const Frame extent({6, 8});
  const ChunkGrid grid(extent, {2, 3});
  const Selection all = Selection::all(extent);
  const Selection rows = Selection::regular(extent, {{0, 2, 3, 1}, {0, 1, 1, 8}});
  const Selection line = Selection::all(Frame({48}));
  EXPECT_TRUE(BoxPartition::find(grid, all, line));
  EXPECT_TRUE(BoxPartition::find(grid, all, all));
  EXPECT_FALSE(BoxPartition::find(grid, rows, Selection::all(Frame({24}))));
  EXPECT_FALSE(BoxPartition::find(grid, Selection::none(extent), Selection::none(extent)));
  EXPECT_FALSE(BoxPartition::find(grid, Selection::of_points(extent, {3, 1}), Selection::all(Frame({2}))));
  // Memory is neither a line nor a box of the same shape.
  EXPECT_FALSE(
      BoxPartition::find(grid, all, Selection::regular(Frame({8, 8}), {{0, 1, 1, 8}, {0, 1, 1, 6}})));
  EXPECT_FALSE(BoxPartition::find(grid, all, Selection::regular(Frame({96}), {{0, 2, 48, 1}})));
  EXPECT_THROW(BoxPartition::find(grid, all, Selection::all(Frame({47}))), Error);
  EXPECT_THROW(BoxPartition::find(grid, line, line), Error);
}

TEST(BoxPartition, RejectsChunksOfVeryManyRuns) {
  const Frame extent({std::uint64_t{1} << 32, 4});
  const Selection all = Selection::all(extent);
  EXPECT_FALSE(BoxPartition::find(ChunkGrid(extent, {std::uint64_t{1} << 30, 1}), all, all));
  EXPECT_TRUE(BoxPartition::find(ChunkGrid(extent, {std::uint64_t{1} << 30, 4}), all, all));
}

TEST(BoxPartition, FollowsTheEdgeOfTheLargestExtent) {
  const std::uint64_t most = std::uint64_t{1} << 62;
  const Frame extent({most, 2});
  const ChunkGrid grid(extent, {std::uint64_t{3} << 40, 2});
  const Selection last = Selection::regular(extent, {{most - 5, 1, 1, 5}, {0, 1, 1, 2}});
  auto box = BoxPartition::find(grid, last, Selection::all(Frame({10})));
  ASSERT_TRUE(box);
  std::vector<ChunkPiece> pieces;
  ASSERT_TRUE(box->next_batch(9, pieces));
  ASSERT_EQ(pieces.size(), 1u);
  const PieceRuns made(pieces[0]);
  ASSERT_EQ(made.runs().size(), 1u);
  const std::uint64_t chunk = (most - 1) / (std::uint64_t{3} << 40);
  const std::uint64_t chunk_offset = (most - 5 - chunk * (std::uint64_t{3} << 40)) * 2;
  EXPECT_EQ(made.runs()[0], (ChunkRun{chunk, chunk_offset, 0, 10}));
  EXPECT_FALSE(box->next_batch(9, pieces));
}

TEST(PieceRuns, OfSeveralPiecesCanBeUsedTogether) {
  const Frame extent({4, 4});
  const ChunkGrid grid(extent, {2, 2});
  const Selection all = Selection::all(extent);
  auto box = BoxPartition::find(grid, all, all);
  std::vector<ChunkPiece> pieces;
  ASSERT_TRUE(box->next_batch(4, pieces));
  const PieceRuns first(pieces[0]);
  const PieceRuns last(pieces[3]);
  EXPECT_EQ(first.runs()[1], (ChunkRun{0, 2, 4, 2}));
  EXPECT_EQ(last.runs()[1], (ChunkRun{3, 2, 14, 2}));
}

}  // namespace
}  // namespace filigree::space
