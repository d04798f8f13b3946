// SPDX-License-Identifier: Apache-2.0
//
// What operations read and write, counted in structures.
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/index_twin.hpp"

namespace filigree::index {
namespace {

using Dims = std::vector<std::uint64_t>;

/// An index of a hundred thousand chunks, opened with an empty cache.
struct Large {
  explicit Large(const DatasetFacts& f, std::uint8_t layout_version) : facts(f) {
    testing::MemoryStore made({}, Buffer(40000));
    auto index = make_index(*made, choose_index(facts, Dims(f.extent.size(), 1), 8, {layout_version}), facts);
    for (std::uint64_t i = 0; i < 100'000; ++i) index->insert(at(i), {to_address(i % 30000), 8, 0});
    layout = index->layout();
    index.reset();
    bytes = made.image();
  }
  Dims at(std::uint64_t i) const {
    return facts.extent.size() == 1 ? Dims{i} : Dims{i / facts.extent[1], i % facts.extent[1]};
  }
  std::size_t entries_of_find(std::uint64_t i) const {
    testing::MemoryStore memory({}, bytes);
    const auto index = make_index(*memory, layout, facts);
    EXPECT_EQ(index->find(at(i)), (ChunkLocation{to_address(i % 30000), 8, 0}));
    return memory->cache().entries();
  }
  /// A thousand neighbours at once.
  std::size_t entries_of_find_many(std::uint64_t first) const {
    testing::MemoryStore memory({}, bytes);
    const auto index = make_index(*memory, layout, facts);
    std::vector<std::uint64_t> coordinates;
    for (std::uint64_t i = first; i < first + 1000; ++i) {
      const Dims one = at(i);
      coordinates.insert(coordinates.end(), one.begin(), one.end());
    }
    std::vector<ChunkLocation> found(1000);
    index->find(coordinates, found);
    for (const auto& location : found) EXPECT_EQ(location.stored_bytes, 8u);
    return memory->cache().entries();
  }
  std::size_t dirty_after(std::uint64_t i, const ChunkLocation& location) const {
    testing::MemoryStore memory({}, bytes);
    const auto index = make_index(*memory, layout, facts);
    index->insert(at(i), location);
    return memory->cache().dirty_entries().size();
  }

  DatasetFacts facts;
  format::LayoutMessage layout;
  Buffer bytes;
};

TEST(IndexCost, FixedArrayReadsHeaderBlockAndPage) {
  const Large large({{100'000}, {100'000}, false}, 4);
  EXPECT_EQ(large.entries_of_find(99'999), 3u);
  EXPECT_LE(large.entries_of_find_many(50'000), 4u);
  EXPECT_EQ(large.dirty_after(5, {to_address(7), 8, 0}), 1u);
}

TEST(IndexCost, ExtensibleArrayReadsFiveBlocksAtMost) {
  const Large large({{100'000}, {no_limit}, true}, 4);
  EXPECT_EQ(large.entries_of_find(2), 2u);
  EXPECT_EQ(large.entries_of_find(100), 3u);
  EXPECT_LE(large.entries_of_find(99'999), 5u);
  EXPECT_EQ(large.dirty_after(5, {to_address(7), 9, 0}), 1u);
  EXPECT_EQ(large.dirty_after(100'000, {to_address(7), 9, 0}), 2u);  // the page, and the end in the header
}

TEST(IndexCost, TreesReadOneNodePerLevel) {
  const DatasetFacts facts{{400, 250}, {no_limit, no_limit}, true};
  const Large one(facts, 3);
  EXPECT_LE(one.entries_of_find(77'777), 3u);  // about 58 chunks in a leaf
  EXPECT_LE(one.entries_of_find_many(50'000), 2u + 19);
  EXPECT_EQ(one.dirty_after(77'777, {to_address(7), 9, 0}), 1u);
  const Large two(facts, 4);
  EXPECT_LE(two.entries_of_find(77'777), 5u);
  EXPECT_LE(two.entries_of_find_many(50'000), 4u + 18);
  EXPECT_EQ(two.dirty_after(77'777, {to_address(7), 9, 0}), 1u);
}

}  // namespace
}  // namespace filigree::index
