// SPDX-License-Identifier: Apache-2.0
//
// The cache of chunks as programs see it.
#include <numeric>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Ints = std::vector<std::int32_t>;

class CacheOfChunks : public ::testing::Test {
 protected:
  static constexpr std::uint64_t count = 16, length = 1024;
  static constexpr std::size_t chunk_bytes = length * sizeof(std::int32_t);

  CacheOfChunks() {
    DatasetOptions options;
    options.chunk = {length};
    options.filters = {filters::shuffle()};
    Dataset made =
        file_.root().create_dataset<std::int32_t>("d", Dataspace::simple({count * length}), options);
    Ints values(count * length);
    std::iota(values.begin(), values.end(), 0);
    made.write(values);
    file_.flush();
  }
  static int first_of(const Dataset& data, std::uint64_t chunk) {
    return data.read<std::int32_t>(Selection::box({chunk * length}, {1}));
  }
  static std::uint64_t misses_of(const Dataset& data, std::uint64_t chunk) {
    const std::uint64_t before = data.chunk_cache_counters().misses;
    EXPECT_EQ(first_of(data, chunk), static_cast<int>(chunk * length));
    return data.chunk_cache_counters().misses - before;
  }
  static DatasetAccess with_cache(ChunkCacheOptions options) { return {options}; }

  File file_ = File::create_in_memory();
};

TEST_F(CacheOfChunks, CountsForTheProcess) {
  const Dataset data = file_.root().open_dataset("d");
  const ChunkCacheCounters before = chunk_cache_counters();
  first_of(data, 3);
  first_of(data, 3);
  const ChunkCacheCounters now = chunk_cache_counters();
  EXPECT_EQ(now.misses - before.misses, 1u);
  EXPECT_EQ(now.hits - before.hits, 1u);
  EXPECT_GE(now.bytes, before.bytes + chunk_bytes);
  EXPECT_EQ(data.chunk_cache_counters().hits, now.hits);
}

TEST_F(CacheOfChunks, BudgetOfTheProcessMayChange) {
  const std::size_t usual = chunk_cache_bytes();
  const Dataset data = file_.root().open_dataset("d");
  first_of(data, 3);
  set_chunk_cache_bytes(0);
  EXPECT_EQ(chunk_cache_bytes(), 0u);
  EXPECT_EQ(chunk_cache_counters().bytes, 0u);
  EXPECT_EQ(first_of(data, 3), static_cast<int>(3 * length));
  EXPECT_EQ(chunk_cache_counters().bytes, 0u);
  set_chunk_cache_bytes(usual);
}

TEST_F(CacheOfChunks, OfOneDatasetHoldsAsManyBytesAsWereGiven) {
  const Dataset data = file_.root().open_dataset("d", with_cache({{}, 4 * chunk_bytes + 1024, {}}));
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(misses_of(data, i), 1u);
  EXPECT_LE(data.chunk_cache_counters().bytes, 4 * chunk_bytes + 1024);
  EXPECT_GE(data.chunk_cache_counters().bytes, 3 * chunk_bytes);
  EXPECT_EQ(data.chunk_cache_counters().evictions, count - data.chunk_cache_counters().bytes / chunk_bytes);
  EXPECT_EQ(misses_of(data, count - 1), 0u);
  EXPECT_EQ(misses_of(data, 0), 1u);
}

TEST_F(CacheOfChunks, OfOneDatasetHoldsAsManyChunksAsWereGiven) {
  Dataset data = file_.root().open_dataset("d", with_cache({3, {}, {}}));
  for (std::uint64_t i = 0; i < count; ++i) first_of(data, i);
  EXPECT_EQ(data.chunk_cache_counters().evictions, count - 3);
  // Dirty ones are written when they are too many.
  for (std::uint64_t i = 0; i < count; ++i) data.write(-1, Selection::box({i * length + 1}, {1}));
  EXPECT_LE(data.chunk_cache_counters().dirty_bytes, 3 * chunk_bytes);
  for (std::uint64_t i = 0; i < count; ++i)
    EXPECT_EQ(data.read<std::int32_t>(Selection::box({i * length + 1}, {1})), -1);
}

TEST_F(CacheOfChunks, OfNoChunksWritesAtOnce) {
  for (const ChunkCacheOptions& none : {ChunkCacheOptions{0, {}, {}}, ChunkCacheOptions{{}, 0, {}}}) {
    Dataset data = file_.root().open_dataset("d", with_cache(none));
    data.write(-3, Selection::box({5}, {1}));
    EXPECT_EQ(data.chunk_cache_counters().bytes, 0u);
    EXPECT_EQ(misses_of(data, 1), 1u);
    EXPECT_EQ(misses_of(data, 1), 1u);
  }
}

TEST_F(CacheOfChunks, PreemptionDecidesOnChunksThatWereReadWhole) {
  const auto misses_after_scan = [&](double preemption) {
    // Four are used in part, then two are read whole, for which there is no room.
    Dataset data = file_.root().open_dataset("d", with_cache({4, {}, preemption}));
    for (std::uint64_t i = 0; i < 4; ++i) first_of(data, i);
    for (std::uint64_t i = 4; i < 6; ++i) (void)data.read<Ints>(Selection::box({i * length}, {length}));
    return misses_of(data, 3) + misses_of(data, 2) + misses_of(data, 1);
  };
  EXPECT_EQ(misses_after_scan(1), 0u) << "whole ones go first";
  EXPECT_EQ(misses_after_scan(0), 1u) << "the oldest go first";
  EXPECT_EQ(error_of([&] {
              file_.root().open_dataset("d", with_cache({{}, {}, 1.5}));
            }),
            ErrorKind::invalid_argument);
}

TEST_F(CacheOfChunks, MayBeExchangedWithUnwrittenChunks) {
  Dataset data = file_.root().open_dataset("d");
  data.write(-9, Selection::box({7}, {1}));
  data.set_chunk_cache(ChunkCacheOptions{8, {}, {}});
  EXPECT_EQ(data.read<std::int32_t>(Selection::box({7}, {1})), -9);
  data.write(-10, Selection::box({7}, {1}));
  data.set_chunk_cache({});
  EXPECT_EQ(data.read<std::int32_t>(Selection::box({7}, {1})), -10);
  EXPECT_EQ(reopened(file_).root().open_dataset("d").read<std::int32_t>(Selection::box({7}, {1})), -10);
}

}  // namespace
}  // namespace filigree
