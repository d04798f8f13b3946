// SPDX-License-Identifier: Apache-2.0
#include "index/chunk_index.hpp"

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "testing/expect_error.hpp"
#include "testing/index_twin.hpp"

namespace filigree::index {
namespace {

using filigree::testing::expect_error;
using Dims = std::vector<std::uint64_t>;

format::ChunkIndexType chosen(const Dims& extent, const Dims& most, const Dims& chunk, bool filtered,
                              bool early, std::uint8_t version = 4) {
  return choose_index({extent, most, filtered}, chunk, 4, {version, early}).index;
}

TEST(IndexChoice, FollowsHdf5) {
  using Kind = format::ChunkIndexType;
  EXPECT_EQ(chosen({4, 4}, {no_limit, no_limit}, {2, 2}, false, false), Kind::btree_v2);
  EXPECT_EQ(chosen({4, 4}, {4, no_limit}, {2, 2}, true, true), Kind::extensible_array);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {4, 4}, true, false), Kind::single_chunk);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {4, 4}, false, true), Kind::single_chunk);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {2, 4}, false, true), Kind::implicit);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {2, 4}, true, true), Kind::fixed_array);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {2, 4}, false, false), Kind::fixed_array);
  EXPECT_EQ(chosen({4, 4}, {4, 8}, {4, 4}, false, false), Kind::fixed_array);
  EXPECT_EQ(chosen({5000}, {5000}, {1}, true, false), Kind::fixed_array);
  EXPECT_EQ(chosen({4, 4}, {no_limit, no_limit}, {2, 2}, false, false, 3), Kind::btree_v1);
}

TEST(IndexChoice, RaisesTheVersionForRawPartialChunks) {
  const auto layout = choose_index({{5}, {5}, true}, Dims{2}, 4, {3, false, true});
  EXPECT_EQ(layout.version, 4);
  EXPECT_TRUE(layout.raw_partial_chunks);
}

TEST(IndexChoice, RefusesWhatHdf5Refuses) {
  const auto refused = [](const Dims& extent, const Dims& most, const Dims& chunk, std::uint64_t element) {
    EXPECT_THROW(choose_index({extent, most, false}, chunk, element, {4}), Error);
  };
  refused({4}, {4}, {}, 4);
  refused({4, 4}, {4, 4}, {2}, 4);
  refused({4}, {4}, {0}, 4);
  refused({4}, {4}, {5}, 4);
  refused({4}, {no_limit}, {1u << 30}, 4);
  EXPECT_NO_THROW(choose_index({{0}, {4}, false}, Dims{5}, 4, {4}));
  EXPECT_NO_THROW(choose_index({{4}, {no_limit}, false}, Dims{(1u << 30) - 1}, 4, {4}));
}

TEST(ImplicitIndex, AllocatesEveryChunk) {
  testing::MemoryStore memory({}, Buffer(1000));
  const DatasetFacts facts{{4, 3}, {4, 6}, false};
  auto index = make_index(*memory, choose_index(facts, Dims{2, 2}, 4, {4, true}), facts);
  ASSERT_TRUE(index->preallocates_chunks());
  EXPECT_FALSE(index->find(Dims{0, 0}));
  index->allocate();
  const std::uint64_t start = to_number(index->layout().address);
  EXPECT_EQ(memory.space->in_use(), 2u * 3 * 16);
  EXPECT_EQ(index->find(Dims{1, 2}), (ChunkLocation{to_address(start + 5 * 16), 16, 0}));
  EXPECT_FALSE(index->find(Dims{2, 0}));
  EXPECT_EQ(index->count(), 4u);
  std::vector<Dims> seen;
  index->for_each([&](ChunkCoordinates at,
                      const ChunkLocation&) { return seen.emplace_back(at.begin(), at.end()), true; },
                  Dims{0, 1});
  EXPECT_EQ(seen, (std::vector<Dims>{{0, 1}, {1, 0}, {1, 1}}));
  index->for_each([&](ChunkCoordinates at,
                      const ChunkLocation&) { return seen.emplace_back(at.begin(), at.end()), true; },
                  Dims{0, 7});
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_THROW(index->insert(Dims{0, 0}, {to_address(0), 16, 0}), Error);
  EXPECT_NO_THROW(index->insert(Dims{0, 0}, *index->find(Dims{0, 0})));
  index->resize(Dims{1, 1}, [](ChunkCoordinates, const ChunkLocation&) { FAIL(); });
  EXPECT_EQ(index->count(), 1u);
  index->destroy([](ChunkCoordinates, const ChunkLocation&) { FAIL(); });
  EXPECT_EQ(memory.space->in_use(), 0u);
}

TEST(ChunkIndex, RefusesWhatItCannotRepresent) {
  for (const IndexCase& c : index_cases()) {
    SCOPED_TRACE(c.name);
    IndexTwin twin(c);
    const Dims zero(c.extent.size(), 0);
    const auto add = [&](const Dims& at, ChunkLocation location) { twin.index->insert(at, location); };
    expect_error(ErrorKind::invalid_argument, "coordinates", [&] { add(Dims(7, 0), twin.some_location(1)); });
    expect_error(ErrorKind::invalid_argument, "address", [&] { add(zero, {Address::undefined, 12, 0}); });
    for (std::size_t d = 0; d < zero.size(); ++d) {
      if (c.max_extent[d] == no_limit) continue;
      Dims far = zero;
      far[d] = 1000;
      expect_error(ErrorKind::invalid_argument, "maximum extent", [&] { add(far, twin.some_location(1)); });
      EXPECT_FALSE(twin.index->find(far));
      EXPECT_FALSE(twin.index->remove(far));
    }
    if (!c.filtered && !c.structured() && c.choice.layout_version > 3)
      expect_error(ErrorKind::invalid_argument, "bytes", [&] { add(zero, {to_address(8), 1, 0}); });
    EXPECT_EQ(twin.index->count(), 0u);
  }
}

TEST(ChunkIndex, RefusesSizesTooLargeForTheirField) {
  for (const IndexCase& c : index_cases()) {
    if (!c.filtered || c.structured() || c.name.starts_with("single") || c.name == "fixed_version_5")
      continue;
    IndexTwin twin(c);
    expect_error(ErrorKind::limit, "", [&] {
      twin.index->insert(Dims(c.extent.size(), 0), {to_address(8), std::uint64_t{1} << 33, 0});
    });
  }
}

TEST(ChunkIndex, ReportsChunksThatTheFileDoesNotHold) {
  for (const IndexCase& c : index_cases()) {
    SCOPED_TRACE(c.name);
    IndexTwin twin(c);
    const Dims zero(c.extent.size(), 0);
    ChunkLocation location = twin.some_location(1);
    location.address = to_address(50'000'000);
    twin.index->insert(zero, location);
    expect_error(ErrorKind::truncated, "chunk (0", [&] { twin.index->find(zero); });
    expect_error(ErrorKind::truncated, "chunk (0", [&] {
      ChunkLocation found;
      twin.index->find(zero, {&found, 1});
    });
    expect_error(ErrorKind::truncated, "chunk (0", [&] { twin.index->count(), twin.index->stored_bytes(); });
  }
}

TEST(ChunkIndex, RefusesTheIndexOfAnotherDataset) {
  for (const IndexCase& c : index_cases()) {
    if (c.name.starts_with("single") || c.name.starts_with("tree1")) continue;
    SCOPED_TRACE(c.name);
    IndexTwin twin(c);
    twin.insert(Dims(c.extent.size(), 0), twin.some_location(1));
    DatasetFacts facts = c.facts();
    facts.filtered = !facts.filtered;
    EXPECT_THROW(make_index(*twin.memory, twin.index->layout(), facts), Error);
  }
}

TEST(ChunkIndex, RefusesLayoutsThatDoNotFitTheDataset) {
  testing::MemoryStore memory;
  const DatasetFacts facts{{4, 4}, {4, 4}, false};
  auto layout = choose_index(facts, Dims{2, 2}, 4, {4});
  const auto refused = [&](const DatasetFacts& other, format::LayoutMessage message) {
    EXPECT_THROW(make_index(*memory, message, other), Error);
  };
  refused({{4}, {4}, false}, layout);
  refused({{4, 4}, {4, no_limit}, false}, layout);
  refused({{4, 4}, {std::uint64_t{1} << 62, 8}, false}, [&] {
    auto dense = layout;
    dense.dims = {1, 1, 1};
    dense.index = format::ChunkIndexType::fixed_array;
    dense.address = to_address(0);
    return dense;
  }());
  layout.index = format::ChunkIndexType::single_chunk;
  refused(facts, layout);
  layout.index = format::ChunkIndexType::extensible_array;
  refused(facts, layout);
  refused({{4, 4}, {no_limit, no_limit}, false}, layout);
  layout.index = format::ChunkIndexType::implicit;
  refused({{4, 4}, {4, no_limit}, false}, layout);
  layout.dims = {std::uint64_t{1} << 40, std::uint64_t{1} << 40, 4};
  refused(facts, layout);
}

TEST(Tree1Index, RefusesAnSwmrWriter) {
  testing::MemoryStore memory({}, Buffer(1000));
  const DatasetFacts facts{{8}, {no_limit}, false};
  auto index = make_index(*memory, choose_index(facts, Dims{2}, 4, {3}), facts);
  index->insert(Dims{0}, {to_address(100), 8});
  memory->start_swmr_write();
  expect_error(ErrorKind::unsupported, "version 1 B-tree", [&] {
    index->insert(Dims{1}, {to_address(200), 8});
  });
  expect_error(ErrorKind::unsupported, "version 1 B-tree", [&] { index->remove(Dims{0}); });
  EXPECT_TRUE(index->find(Dims{0}));
}

}  // namespace
}  // namespace filigree::index
