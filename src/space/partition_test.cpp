// SPDX-License-Identifier: Apache-2.0
#include "space/partition.hpp"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

namespace filigree::space {
namespace {

using rc::gen::inRange;

std::vector<std::uint64_t> some_dims(std::size_t rank, std::uint64_t most) {
  return *rc::gen::container<std::vector<std::uint64_t>>(rank, inRange<std::uint64_t>(1, most + 1));
}

/// A regular selection, a set, or a list of points, of any size.
Selection some_selection(const Frame& frame) {
  switch (*inRange(0, 4)) {
    case 0:
      return Selection::all(frame);
    case 1: {
      std::vector<SlabDimension> dims;
      for (const std::uint64_t n : frame.dims()) {
        const auto start = *inRange<std::uint64_t>(0, n);
        const auto block = *inRange<std::uint64_t>(1, n - start + 1);
        const auto stride = block + *inRange<std::uint64_t>(0, 3);
        dims.push_back({start, stride, 1 + (n - start - block) / stride, block});
      }
      return Selection::regular(frame, std::move(dims));
    }
    default:
      break;
  }
  auto offsets = *rc::gen::container<std::vector<std::uint64_t>>(inRange<std::uint64_t>(0, frame.elements()));
  if (*inRange(0, 2) == 0) return Selection::of_points(frame, std::move(offsets));
  return Selection::of_runs(frame, RunSet::of_offsets(std::move(offsets)));
}

/// As many elements in memory: a line, or every other element of one.
Selection memory_for(std::uint64_t elements) {
  if (*inRange(0, 2) == 0) return Selection::all(Frame({elements}));
  return Selection::regular(Frame({2 * elements}), {{0, 2, elements, 1}});
}

std::vector<std::uint64_t> offsets_of(const Selection& selection) {
  std::vector<std::uint64_t> offsets;
  for (Cursor cursor(selection); !cursor.done();) {
    const RunPattern p = cursor.pattern();
    for (std::uint64_t i = 0; i < p.length; ++i) offsets.push_back(p.start + i);
    cursor.advance(p.length);
  }
  return offsets;
}

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// For every chunk, the chunk offsets and memory offsets of its elements.
std::map<std::uint64_t, Pairs> naive(const ChunkGrid& grid, const Selection& file, const Selection& memory) {
  std::map<std::uint64_t, Pairs> chunks;
  const auto from = offsets_of(file);
  const auto to = offsets_of(memory);
  const std::size_t rank = grid.extent().rank();
  std::vector<std::uint64_t> at(rank);
  std::vector<std::uint64_t> chunk(rank);
  for (std::size_t i = 0; i < from.size(); ++i) {
    grid.extent().coordinates(from[i], at.data());
    for (std::size_t d = 0; d < rank; ++d) {
      chunk[d] = at[d] / grid.chunk().dims()[d];
      at[d] %= grid.chunk().dims()[d];
    }
    chunks[grid.chunks().offset(chunk)].emplace_back(grid.chunk().offset(at), to[i]);
  }
  return chunks;
}

/// Adds the elements of a piece after checking its counts.
void note(const ChunkPiece& piece, std::map<std::uint64_t, Pairs>& seen) {
  std::uint64_t elements = 0;
  for (const ChunkRun& run : piece.runs) {
    RC_ASSERT(run.chunk == piece.chunk);
    elements += run.length;
    for (std::uint64_t i = 0; i < run.length; ++i)
      seen[piece.chunk].emplace_back(run.chunk_offset + i, run.memory + i);
  }
  RC_ASSERT(elements == piece.elements);
}

RC_GTEST_PROP(Partition, AssignsEveryElementToItsChunkInOrder, ()) {
  const auto rank = *inRange<std::size_t>(1, 6);
  const Frame extent(some_dims(rank, rank < 3 ? 12 : 5));
  const ChunkGrid grid(extent, some_dims(rank, rank < 3 ? 14 : 6));
  const Selection file = some_selection(extent);
  const Selection memory = memory_for(file.elements());
  PartitionLimits limits;
  const bool small = *inRange(0, 2) == 0;
  if (small) limits = {*inRange<std::size_t>(1, 4), *inRange<std::size_t>(4, 9)};

  std::map<std::uint64_t, Pairs> seen;
  std::uint64_t pieces = 0;
  std::uint64_t before = 0;
  ChunkPiece piece;
  for (Partition partition(grid, file, memory, limits); partition.next(piece); ++pieces) {
    if (!small && pieces > 0) RC_ASSERT(piece.chunk > before);
    before = piece.chunk;
    note(piece, seen);
  }
  RC_ASSERT(seen == naive(grid, file, memory));
}

RC_GTEST_PROP(ParallelPartition, AssignsEveryElementToItsChunkInOrder, ()) {
  const auto rank = *inRange<std::size_t>(1, 5);
  const Frame extent(some_dims(rank, rank < 3 ? 30 : 6));
  const ChunkGrid grid(extent, some_dims(rank, rank < 3 ? 14 : 4));
  const Selection file = some_selection(extent);
  const Selection memory = memory_for(file.elements());
  const SpanLimits limits{*inRange<std::size_t>(1, 5), *inRange<std::size_t>(1, 5),
                          *inRange<std::size_t>(1, 40)};
  std::map<std::uint64_t, Pairs> seen;
  std::vector<ChunkPiece> pieces;
  ParallelPartition partition(grid, file, memory, limits);
  std::uint64_t after = 0;
  while (partition.next_batch(pieces)) {
    RC_ASSERT(!pieces.empty());
    for (const ChunkPiece& piece : pieces) {
      if (file.is_set()) RC_ASSERT(piece.chunk >= after);
      after = piece.chunk + 1;
      note(piece, seen);
    }
  }
  RC_ASSERT(seen == naive(grid, file, memory));
}

TEST(Partition, FullRowsOfChunksAreOneRunEach) {
  const Frame extent({100, 7, 9});
  const ChunkGrid grid(extent, {20, 7, 9});
  const Selection all = Selection::all(extent);
  ChunkPiece piece;
  Partition partition(grid, all, all);
  for (std::uint64_t chunk = 0; chunk < 5; ++chunk) {
    ASSERT_TRUE(partition.next(piece));
    ASSERT_EQ(piece.runs.size(), 1u);
    EXPECT_EQ(piece.runs[0], (ChunkRun{chunk, 0, chunk * 20 * 63, 20 * 63}));
  }
  EXPECT_FALSE(partition.next(piece));
}

TEST(Partition, DividesLongRunsIntoBatches) {
  const Frame extent({1000, 1000});
  const ChunkGrid grid(extent, {10, 10});
  const Selection set = Selection::of_runs(extent, RunSet(space::Run{5, 900'000}));
  const Selection memory = Selection::all(Frame({900'000}));
  Partition partition(grid, set, memory, {100, 300});
  std::uint64_t elements = 0;
  std::vector<ChunkPiece> pieces;
  while (partition.next_batch(pieces)) {
    std::size_t runs = 0;
    for (const ChunkPiece& piece : pieces) {
      runs += piece.runs.size();
      elements += piece.elements;
    }
    ASSERT_LE(runs, 300u);
  }
  EXPECT_EQ(elements, 900'000u);
}

TEST(Partition, StreamsAHugeSelection) {
  // 2^40 elements in as many chunks: the first pieces come immediately.
  const Frame extent({std::uint64_t{1} << 20, std::uint64_t{1} << 20});
  const ChunkGrid grid(extent, {1, 1});
  const Selection all = Selection::all(extent);
  Partition partition(grid, all, all, {100, 1000});
  ChunkPiece piece;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(partition.next(piece));
    ASSERT_EQ(piece.chunk, i);
  }
}

TEST(Partition, HandlesChunksLargerThanTheExtent) {
  // A chunk may be far larger than the extent it tiles.
  const Frame extent({3, 4});
  const ChunkGrid grid(extent, {std::uint64_t{1} << 40, 1});
  const Selection all = Selection::all(extent);
  Partition partition(grid, all, all);
  ChunkPiece piece;
  ASSERT_TRUE(partition.next(piece));
  EXPECT_EQ(piece.elements, 3u);
  EXPECT_EQ(piece.runs[2], (ChunkRun{0, 2, 8, 1}));
}

TEST(ChunkGrid, RejectsInvalidChunkDimensions) {
  EXPECT_THROW(ChunkGrid(Frame({4, 4}), {2}), Error);
  EXPECT_THROW(ChunkGrid(Frame({4, 4}), {2, 0}), Error);
  EXPECT_THROW(ChunkGrid(Frame(), {}), Error);
}

TEST(Partition, RejectsSelectionsThatDoNotMatch) {
  const Frame extent({4, 4});
  const ChunkGrid grid(extent, {2, 2});
  const Selection all = Selection::all(extent);
  EXPECT_THROW(Partition(grid, all, Selection::all(Frame({15}))), Error);
  EXPECT_THROW(Partition(grid, Selection::all(Frame({16})), all), Error);
}

TEST(Divider, AgreesWithDivision) {
  for (const std::uint64_t divisor : {1ull, 2ull, 3ull, 7ull, 255ull, 256ull, 65537ull, 4294967291ull,
                                      4294967295ull, 4294967296ull, ~0ull}) {
    const Divider divider(divisor);
    for (const std::uint64_t n : {0ull, 1ull, 2ull, 6ull, 254ull, 4294967290ull, 4294967294ull, 4294967295ull,
                                  4294967296ull, ~0ull}) {
      EXPECT_EQ(divider.quotient(n), n / divisor) << n << " / " << divisor;
    }
    for (std::uint64_t k = 1; k < 3000; k += 7) {
      const std::uint64_t n = divisor * k;
      EXPECT_EQ(divider.quotient(n), n / divisor);
      EXPECT_EQ(divider.quotient(n - 1), (n - 1) / divisor);
    }
  }
}

}  // namespace
}  // namespace filigree::space
