// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/dense_format.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/block_pool.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::chunk {
namespace {

constexpr std::size_t count = 24;

/// Chunks of 24 shorts that are read and written as ints.
class DenseChunk : public ::testing::Test {
 protected:
  static DenseFormat make(std::vector<filter::FilterSpec> filters, bool filter_partial_edges = true,
                          Buffer fill = {}) {
    DenseShape shape;
    shape.elements = count;
    shape.element_bytes = 2;
    shape.fill = std::move(fill);
    shape.filter_partial_edges = filter_partial_edges;
    return {std::move(shape), filter::Pipeline(filters, {2, count})};
  }
  static std::vector<filter::FilterSpec> deflate() { return {{1, "deflate", false, {6}}}; }

  std::vector<int> read(const DenseFormat& format, const DecodedChunk& decoded) const {
    std::vector<int> values(count);
    const auto conversion = type::prepare(format::fixed_point(2, true), format::fixed_point(4, true));
    const space::ChunkRun all{0, 0, 0, count};
    format.read(decoded, {&all, 1}, {*conversion, context_, reinterpret_cast<std::byte*>(values.data()), 4});
    return values;
  }
  void write(const DenseFormat& format, DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             std::vector<int> values) const {
    const auto conversion = type::prepare(format::fixed_point(4, true), format::fixed_point(2, true));
    format.write(decoded, runs, {*conversion, context_, reinterpret_cast<std::byte*>(values.data()), 4});
  }

  type::Context context_;
};

TEST_F(DenseChunk, ThatNobodyWroteIsFilled) {
  const DenseFormat zeros = make({});
  EXPECT_EQ(read(zeros, *zeros.blank()), std::vector<int>(count, 0));
  const DenseFormat sevens = make({}, true, Buffer{std::byte{7}, std::byte{0}});
  EXPECT_EQ(read(sevens, *sevens.blank()), std::vector<int>(count, 7));
}

TEST_F(DenseChunk, TakesAndGivesConvertedRuns) {
  const DenseFormat format = make(deflate());
  const auto decoded = format.blank();
  const std::vector<space::ChunkRun> runs{{0, 3, 1, 2}, {0, 20, 0, 1}};
  write(format, *decoded, runs, {100, 200, 300});
  std::vector<int> expected(count, 0);
  expected[3] = 200;
  expected[4] = 300;
  expected[20] = 100;
  EXPECT_EQ(read(format, *decoded), expected);
  const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
  EXPECT_EQ(read(format, *format.decode(stored.view(ChunkEdge::full))), expected);
  // A copy goes its own way.
  const auto other = format.copy(*decoded);
  write(format, *other, runs, {1, 1, 1});
  EXPECT_EQ(read(format, *decoded), expected);
}

TEST_F(DenseChunk, AtTheEdgeMayStayUnfiltered) {
  const DenseFormat format = make(deflate(), false);
  EXPECT_EQ(format.unfiltered(ChunkEdge::full), nullptr);
  EXPECT_NE(format.unfiltered(ChunkEdge::partial), nullptr);
  const auto decoded = format.blank();
  EXPECT_EQ(format.encode(*decoded, ChunkEdge::partial).bytes.size(), 2 * count);
  EXPECT_LT(format.encode(*decoded, ChunkEdge::full).bytes.size(), 2 * count);
}

TEST_F(DenseChunk, SharesRegionsOfMemoryWithOthersOfItsSize) {
  constexpr std::size_t bytes = std::size_t{128} << 10;
  DenseShape shape;
  shape.elements = bytes;
  shape.element_bytes = 1;
  const DenseFormat format(std::move(shape), filter::Pipeline(deflate(), {1, bytes}));
  const StoredChunk stored = format.encode(*format.blank(), ChunkEdge::full);
  const BlockPool::Counters before = BlockPool::shared().counters();
  std::vector<std::unique_ptr<DecodedChunk>> chunks;
  for (int i = 0; i < 40; ++i) chunks.push_back(format.decode(stored.view(ChunkEdge::full)));
  // A megabyte is apart.
  EXPECT_EQ(BlockPool::shared().counters().blocks, before.blocks + 32);
  EXPECT_EQ(BlockPool::shared().counters().regions, before.regions + 2);
  chunks.clear();
  EXPECT_EQ(BlockPool::shared().counters().regions, before.regions);
}

TEST_F(DenseChunk, OfTheWrongSizeIsRefused) {
  const DenseFormat unfiltered = make({});
  EXPECT_THROW(unfiltered.decode(view_of(Buffer(2 * count - 1), {}, ChunkEdge::full)), Error);
  EXPECT_THROW(unfiltered.decode(view_of(Buffer(2 * count + 1), {}, ChunkEdge::full)), Error);
  const DenseFormat packed = make(deflate());
  // Filters that were skipped leave bytes of any number.
  EXPECT_THROW(packed.decode(view_of(Buffer(7), {1}, ChunkEdge::full)), Error);
  EXPECT_THROW(packed.decode(view_of(Buffer(7), {}, ChunkEdge::full)), Error);
}

TEST_F(DenseChunk, ThatMemoryCannotHoldIsRefused) {
  DenseShape shape;
  shape.elements = std::uint64_t{1} << 60;
  shape.element_bytes = 8;
  EXPECT_THROW(DenseFormat(shape, filter::Pipeline()), Error);
  shape.elements = ~std::uint64_t{0};
  EXPECT_THROW(DenseFormat(shape, filter::Pipeline()), Error);
}

}  // namespace
}  // namespace filigree::chunk
