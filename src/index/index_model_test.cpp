// SPDX-License-Identifier: Apache-2.0
//
// Every index against a map.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "testing/index_twin.hpp"

namespace filigree::index {
namespace {

class IndexModel : public ::testing::TestWithParam<IndexCase> {};

INSTANTIATE_TEST_SUITE_P(Kinds, IndexModel, ::testing::ValuesIn(index_cases()),
                         [](const auto& one) { return one.param.name; });

/// One step, chosen by a number.
void act(IndexTwin& twin, std::uint64_t word, bool reopens) {
  const std::uint64_t salt = word * 0x9e3779b97f4a7c15u + 1;
  switch (word % 16) {
    case 0:
      return twin.resize(salt);
    case 1:
    case 2:
    case 3:
    case 4:
      return twin.remove(twin.any(salt));
    case 5:
      return twin.check_many(salt, word & 16);
    case 6:
      return twin.check_from(salt);
    case 7:
      if (reopens && word % 64 == 7) twin.reopen();
      return;
    default:
      return twin.insert(twin.any(salt), twin.some_location(salt >> 8));
  }
}

TEST_P(IndexModel, AgreesWithAMapThroughLongSequences) {
  for (const unsigned seed : {1u, 2u}) {
    IndexTwin twin(GetParam());
    std::mt19937_64 random(seed);
    for (unsigned n = 0; n < 1500; ++n) {
      act(twin, random() >> 4, true);
      if (n % 100 == 0) twin.check_all();
    }
    twin.check_all();
    twin.reopen();
    twin.check_all();
  }
}

TEST_P(IndexModel, KeepsNothingWhenTheCacheIsTiny) {
  IndexTwin twin(GetParam(), 1);
  std::mt19937_64 random(3);
  for (unsigned n = 0; n < 600; ++n) {
    act(twin, random() >> 4, false);
    twin.memory->trim_cache();
  }
  twin.check_all();
}

TEST_P(IndexModel, FreesAllItsSpace) {
  IndexTwin twin(GetParam());
  std::mt19937_64 random(5);
  for (unsigned n = 0; n < 800; ++n) {
    act(twin, random() >> 4, false);
    if (n % 200 == 0) {
      EXPECT_EQ(twin.index->index_bytes(), twin.memory.space->in_use());
    }
  }
  EXPECT_EQ(twin.index->index_bytes(), twin.memory.space->in_use());
  auto left = twin.expected;
  twin.index->destroy([&](ChunkCoordinates at, const ChunkLocation& location) {
    const auto known = left.find({at.begin(), at.end()});
    ASSERT_NE(known, left.end());
    EXPECT_EQ(known->second, location);
    left.erase(known);
  });
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(twin.memory.space->in_use(), 0u);
  EXPECT_EQ(twin.memory->cache().entries(), 0u);
  EXPECT_FALSE(is_valid(twin.index->layout().address));
  // It can begin anew.
  twin.expected.clear();
  twin.insert(twin.any(1), twin.some_location(1));
  twin.check_all();
}

TEST_P(IndexModel, CopiesToAnotherFile) {
  IndexTwin twin(GetParam());
  for (std::uint64_t n = 0; n < 60; ++n) twin.insert(twin.any(n), twin.some_location(n * 977));
  testing::MemoryStore other({}, Buffer(90000));
  DatasetFacts facts = GetParam().facts();
  const auto copy = twin.index->clone(*other, facts, [](ChunkCoordinates, ChunkLocation location) {
    location.address = location.address + 1000;
    return location;
  });
  EXPECT_EQ(copy->count(), twin.expected.size());
  copy->for_each([&](ChunkCoordinates at, ChunkLocation location) {
    location.address = to_address(to_number(location.address) - 1000);
    twin.expect_same({at.begin(), at.end()}, location);
    return true;
  });
}

TEST_P(IndexModel, WritesNothingWhenNothingChanges) {
  IndexTwin twin(GetParam());
  for (std::uint64_t n = 0; n < 60; ++n) twin.insert(twin.any(n), twin.some_location(n * 977));
  const std::uint64_t revision = twin.index->layout_revision();
  twin.memory->flush_metadata();
  for (const auto& [at, location] : twin.expected) twin.index->insert(at, location);
  twin.index->remove(std::vector<std::uint64_t>(twin.extent.size(), 1000));
  twin.index->resize(twin.extent, [](ChunkCoordinates, const ChunkLocation&) {});
  EXPECT_FALSE(twin.memory->cache().has_dirty());
  EXPECT_EQ(twin.index->layout_revision(), revision);
}

TEST(IndexProperties, AgreeWithAMap) {
  for (const IndexCase& c : index_cases()) {
    SCOPED_TRACE(c.name);
    EXPECT_TRUE(rc::check(c.name, [&](const std::vector<std::uint16_t>& words) {
      IndexTwin twin(c);
      for (const std::uint64_t word : words) act(twin, word, true);
      twin.check_all();
    }));
  }
}

}  // namespace
}  // namespace filigree::index
