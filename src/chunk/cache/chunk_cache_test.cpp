// SPDX-License-Identifier: Apache-2.0
#include "chunk/cache/chunk_cache.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace filigree::chunk {
namespace {

class Block final : public DecodedChunk {
 public:
  explicit Block(std::size_t bytes) : bytes_(bytes) {}
  std::size_t memory_bytes() const override { return bytes_; }

 private:
  std::size_t bytes_;
};

DecodedChunkPointer block(std::size_t bytes) { return std::make_shared<const Block>(bytes); }

TEST(ChunkCache, KeepsWhatFitsItsBudget) {
  ChunkCache cache(100);
  for (std::uint64_t i = 0; i < 10; ++i) cache.put({1, i}, block(20));
  EXPECT_EQ(cache.counters().bytes, 100u);
  EXPECT_EQ(cache.counters().evictions, 5u);
  EXPECT_EQ(cache.find({1, 0}), nullptr);
  EXPECT_NE(cache.find({1, 9}), nullptr);
  EXPECT_EQ(cache.counters().hits, 1u);
  EXPECT_EQ(cache.counters().misses, 1u);
}

TEST(ChunkCache, HoldsAFewChunksOfAnySizeUnlessABudgetWasSet) {
  ChunkCache cache(100, 1000);
  cache.expect_chunks_of(20);
  EXPECT_EQ(cache.budget_bytes(), 100u);
  cache.expect_chunks_of(90);
  for (std::uint64_t i = 0; i < 5; ++i) cache.put({1, i}, block(90));
  EXPECT_EQ(cache.counters().bytes, 360u);
  cache.expect_chunks_of(~std::size_t{0});
  EXPECT_EQ(cache.budget_bytes(), 1000u);
  cache.set_budget(50);
  cache.expect_chunks_of(90);
  EXPECT_EQ(cache.budget_bytes(), 50u);
  ChunkCache fixed(100);
  fixed.expect_chunks_of(90);
  EXPECT_EQ(fixed.budget_bytes(), 100u);
}

TEST(ChunkCache, KeepsWhatIsUsedAgainThroughALongScan) {
  ChunkCache cache(100);
  cache.put({1, 7}, block(20));
  EXPECT_NE(cache.find({1, 7}), nullptr);
  for (std::uint64_t i = 100; i < 1000; ++i) cache.put({1, i}, block(20));
  EXPECT_NE(cache.find({1, 7}), nullptr);
}

TEST(ChunkCache, GivesUpFirstWhatIsNotExpectedAgain) {
  ChunkCache cache(60);
  cache.put({1, 0}, block(20), false);
  cache.put({1, 1}, block(20), true);
  cache.put({1, 2}, block(20), false);
  cache.put({1, 3}, block(20), false);
  EXPECT_EQ(cache.find({1, 1}), nullptr);
  EXPECT_NE(cache.find({1, 0}), nullptr);
}

TEST(ChunkCache, NeverDropsWhatIsNotInTheFile) {
  ChunkCache cache(50);
  cache.put_dirty({1, 0}, block(40));
  for (std::uint64_t i = 1; i < 10; ++i) cache.put({1, i}, block(40));
  EXPECT_NE(cache.find({1, 0}), nullptr);
  EXPECT_EQ(cache.dirty_bytes(), 40u);
  EXPECT_EQ(cache.dirty_chunks(1), (std::vector<std::uint64_t>{0}));
  // What was read from the file meanwhile is older.
  const auto held = cache.find({1, 0});
  cache.put({1, 0}, block(1));
  EXPECT_EQ(cache.find({1, 0}), held);
  cache.make_clean({1, 0});
  EXPECT_EQ(cache.dirty_bytes(), 0u);
  for (std::uint64_t i = 20; i < 30; ++i) cache.put({1, i}, block(40));
  EXPECT_EQ(cache.find({1, 0}), nullptr);
}

TEST(ChunkCache, ForgetsAnOwnerWhole) {
  ChunkCache cache(1000);
  const std::uint64_t a = cache.new_owner();
  const std::uint64_t b = cache.new_owner();
  ASSERT_NE(a, b);
  cache.put({a, 0}, block(10));
  cache.put_dirty({a, 1}, block(10));
  cache.put({b, 0}, block(10));
  EXPECT_NE(cache.find({a, 0}), nullptr);
  cache.forget_owner(a);
  EXPECT_EQ(cache.find({a, 0}), nullptr);
  EXPECT_EQ(cache.find({a, 1}), nullptr);
  EXPECT_NE(cache.find({b, 0}), nullptr);
  EXPECT_EQ(cache.counters().bytes, 10u);
  EXPECT_EQ(cache.counters().dirty_bytes, 0u);
}

TEST(ChunkCache, FollowsAChangedBudget) {
  ChunkCache cache(1000);
  for (std::uint64_t i = 0; i < 10; ++i) cache.put({1, i}, block(20));
  cache.set_budget(40);
  EXPECT_EQ(cache.counters().bytes, 40u);
}

TEST(ChunkCache, ServesManyThreads) {
  ChunkCache cache(200);
  std::vector<std::thread> threads;
  for (std::uint64_t owner = 1; owner <= 4; ++owner) {
    threads.emplace_back([&cache, owner] {
      for (std::uint64_t i = 0; i < 2000; ++i) {
        if (!cache.find({owner % 2, i % 20})) cache.put({owner % 2, i % 20}, block(15));
        if (i % 97 == 0) cache.forget({owner % 2, i % 20});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache.counters().bytes, 200u);
  EXPECT_EQ(cache.counters().hits + cache.counters().misses, 8000u);
}

}  // namespace
}  // namespace filigree::chunk
