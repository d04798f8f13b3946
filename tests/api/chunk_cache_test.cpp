// SPDX-License-Identifier: Apache-2.0
//
// The cache of chunks as programs see it.
#include <sys/resource.h>

#include <csignal>
#include <numeric>
#include <random>

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
    // Four are used in part, then two are read whole, which do not fit.
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

/// No file of this process may grow beyond so many bytes; a full disk that needs no device.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : action_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    rlimit small = before_;
    small.rlim_cur = bytes;
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, action_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  void (*action_)(int);
  rlimit before_{};
};

template <class T>
void expect_kept_by_a_full_disk(const DatasetOptions& options, const std::vector<T>& values) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  const std::uint64_t extent = values.size() * 2;
  auto data = file.root().create_dataset<T>("d", Dataspace::simple({extent}, {unlimited}), options);
  file.flush();
  // Every second element, so that chunks are not written past the cache.
  const Selection some = Selection::strided({0}, {2}, {values.size()});
  data.write(values, some);
  for (const rlim_t capacity : {4096u, 10'000u, 30'000u}) {
    const FileLimit full(capacity);
    EXPECT_EQ(error_of([&] { file.flush(); }), ErrorKind::limit);
    EXPECT_EQ(data.template read<std::vector<T>>(some), values);
    if (options.sparse) {
      EXPECT_EQ(data.defined(), some.within({extent}));
    }
  }
  file.flush();
  data.write(values.back(), Selection::box({1}, {1}));
  file.close();
  const File again = File::open(scratch / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_EQ(same.read<std::vector<T>>(some), values);
  EXPECT_EQ(same.read<T>(Selection::box({1}, {1})), values.back());
  if (options.sparse) {
    EXPECT_EQ(same.defined().elements(), values.size() + 1);
  }
}

TEST(FullDisk, LeavesTheDataInTheCacheForAnotherFlush) {
  std::mt19937 random(3);
  Ints noise(20'000);
  for (auto& value : noise) value = static_cast<std::int32_t>(random());
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) texts.push_back(std::string(random() % 60, 't') + std::to_string(random()));
  for (const bool filtered : {false, true}) {
    DatasetOptions options;
    options.chunk = {500};
    options.choose_section_filters = false;
    if (filtered) options.filters = {filters::shuffle(), filters::deflate(1)};
    expect_kept_by_a_full_disk(options, noise);
    options.sparse = true;
    if (filtered) options.selection_filters = {filters::packed_selection()};
    expect_kept_by_a_full_disk(options, noise);
    options.portable = true;
    expect_kept_by_a_full_disk(options, noise);
    options.portable = false;
    options.heap_in_chunks = true;
    if (filtered) options.heap_filters = {filters::shuffle()};
    expect_kept_by_a_full_disk(options, texts);
    options.sparse = false;
    options.selection_filters.clear();
    expect_kept_by_a_full_disk(options, texts);
  }
}

}  // namespace
}  // namespace filigree
