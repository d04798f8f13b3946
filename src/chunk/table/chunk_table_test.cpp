// SPDX-License-Identifier: Apache-2.0
//
// The chunks of a dataset against an array in memory.
#include "chunk/table/chunk_table.hpp"

#include <functional>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filigree/error.hpp>

#include "base/executor.hpp"
#include "chunk/format/dense_format.hpp"
#include "chunk/raw/raw_chunks.hpp"
#include "chunk/raw/release_chunks.hpp"
#include "chunk/raw/resizer.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/transfer/chunk_reader.hpp"
#include "chunk/transfer/chunk_writer.hpp"
#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "store/file_store.hpp"
#include "testing/counting_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::chunk {
namespace {

using Dims = std::vector<std::uint64_t>;

constexpr std::int16_t fill = 9;
constexpr std::uint64_t no_limit = format::unlimited;

struct Case {
  std::string name;
  Dims extent, max_extent, chunk;
  index::IndexChoice choice{4};
  std::vector<filter::FilterSpec> filters{};
  bool filter_partial_edges = true;
  std::size_t budget = 300;
};

std::vector<filter::FilterSpec> packed() { return {{2, "", true, {2}}, {1, "", true, {6}}}; }

std::vector<Case> cases() {
  const index::IndexChoice old{3};
  return {
      {"BTree1", {20, 30}, {no_limit, no_limit}, {4, 7}, old},
      {"BTree1Filtered", {20, 30}, {40, 40}, {4, 7}, old, packed()},
      {"BTree1LargeCache", {20, 30}, {no_limit, no_limit}, {4, 7}, old, {}, true, 1u << 20},
      {"FixedArray", {20, 30}, {40, 40}, {4, 7}},
      {"FixedArrayFiltered", {20, 30}, {40, 40}, {5, 6}, {4}, packed(), true, 1u << 20},
      {"ExtensibleArray", {20, 30}, {no_limit, 40}, {4, 7}},
      {"ExtensibleArrayCutUnfiltered", {20, 30}, {no_limit, 40}, {4, 7}, {4, false, true}, packed(), false},
      {"BTree2", {20, 30}, {no_limit, no_limit}, {6, 5}, {4}, packed()},
      {"Single", {20, 30}, {20, 30}, {20, 30}},
      {"Implicit", {20, 30}, {40, 40}, {4, 7}, {4, true}},
  };
}

void must(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

/// A table, and the elements that it should hold.
class Twin {
 public:
  explicit Twin(Case given) : case_(std::move(given)), cache_(case_.budget) {
    auto faulty = std::make_unique<testing::FaultyFile>(std::make_unique<io::MemoryFile>(Buffer(512)));
    file_ = faulty.get();
    store::FileStore::Setup setup;
    setup.end_of_file = 512;
    auto space = std::make_unique<testing::TestSpace>(512);
    space_ = space.get();
    file_store_ = std::make_unique<store::FileStore>(std::move(faulty), setup, std::move(space));
    layout_ = index::choose_index(facts(case_.extent), case_.chunk, 2, case_.choice);
    dims_ = case_.extent;
    values_.assign(dims_[0] * dims_[1], fill);
    open();
    if (case_.choice.allocate_early) allocate_all_chunks(*chunks_);
  }

  ChunkTable& chunks() { return *chunks_; }
  ChunkCache& cache() { return cache_; }
  testing::FaultyFile& file() { return *file_; }
  testing::TestSpace& space() { return *space_; }

  void reopen() {
    chunks_->flush();
    open();
  }

  void check() {
    const space::Selection all = space::Selection::all(space::Frame(dims_));
    must(read<std::int16_t>(all) == expected(all), "all elements");
  }

  /// One step, chosen by a number.
  void act(std::uint64_t word) {
    std::uint64_t salt = word * 0x9e3779b97f4a7c15u + 1;
    const auto below = [&](std::uint64_t limit) {
      salt = salt * 6364136223846793005u + 1442695040888963407u;
      return limit == 0 ? 0 : (salt >> 33) % limit;
    };
    switch (word % 12) {
      case 0:
        return resize({1 + below(35), 1 + below(40)});
      case 1:
        return write_stored({below((dims_[0] + case_.chunk[0] - 1) / case_.chunk[0]),
                             below((dims_[1] + case_.chunk[1] - 1) / case_.chunk[1])},
                            static_cast<std::int16_t>(below(1000)));
      case 2:
        return chunks_->flush();
      case 3:
        return reopen();
      case 4:
        return check();
      default: {
        const space::Selection some = choose(below);
        const bool converts = below(2) == 0;
        if (word % 12 < 8) return converts ? compare<std::int32_t>(some) : compare<std::int16_t>(some);
        const auto first = static_cast<std::int16_t>(below(20000));
        return converts ? write<std::int32_t>(some, first) : write<std::int16_t>(some, first);
      }
    }
  }

  /// Counts up from `first` along the selection.
  template <class T>
  void write(const space::Selection& file, std::int16_t first) {
    std::vector<T> memory(file.elements());
    std::iota(memory.begin(), memory.end(), static_cast<T>(first));
    // Known before: a failure may come when all is in the cache.
    std::int16_t next = first;
    for_each(file, [&](std::int16_t& value) { value = next++; });
    const auto conversion = type::prepare(type_of<T>(), type_of<std::int16_t>());
    ChunkWriter(*chunks_).write(
        file, space::Selection::all(space::Frame({memory.size()})),
        {*conversion, context_, reinterpret_cast<std::byte*>(memory.data()), sizeof(T)}, true);
  }

  /// Gives or refuses exclusive access by a function.
  class FakeAccess final : public ExclusiveAccess {
   public:
    explicit FakeAccess(FunctionRef<bool(FunctionRef<void()>)> run) : run_(run) {}
    bool run(FunctionRef<void()> work) override { return run_(work); }
    void run_best_effort(FunctionRef<void()> work) noexcept override { work(); }

   private:
    FunctionRef<bool(FunctionRef<void()>)> run_;
  };

  bool write_shared(const space::Selection& file, std::vector<std::int16_t>& memory,
                    FunctionRef<bool(FunctionRef<void()>)> run) {
    const auto conversion = type::prepare(type_of<std::int16_t>(), type_of<std::int16_t>());
    FakeAccess access(run);
    return ChunkWriter(*chunks_).write(
        file, space::Selection::all(space::Frame({memory.size()})),
        {*conversion, context_, reinterpret_cast<std::byte*>(memory.data()), 2}, true, access);
  }

  std::vector<std::int16_t> expected(const space::Selection& file) {
    std::vector<std::int16_t> values;
    for_each(file, [&](std::int16_t value) { values.push_back(value); });
    return values;
  }

  template <class T>
  std::vector<std::int16_t> read(const space::Selection& file) const {
    std::vector<T> memory(file.elements(), -1);
    const auto conversion = type::prepare(type_of<std::int16_t>(), type_of<T>());
    ChunkReader(*chunks_).read(
        file, space::Selection::all(space::Frame({memory.size()})),
        {*conversion, context_, reinterpret_cast<std::byte*>(memory.data()), sizeof(T)}, true);
    return {memory.begin(), memory.end()};
  }

  space::Selection box(std::uint64_t row, std::uint64_t column, std::uint64_t rows, std::uint64_t columns) {
    return space::Selection::regular(space::Frame(dims_), {{row, 1, 1, rows}, {column, 1, 1, columns}});
  }

 private:
  template <class T>
  static format::DatatypeMessage type_of() {
    return format::fixed_point(sizeof(T), true);
  }

  index::DatasetFacts facts(const Dims& extent) const {
    return {extent, case_.max_extent, !case_.filters.empty(), 2};
  }

  void open() {
    chunks_.reset();
    ChunkTableSetup setup;
    setup.index = index::make_index(*file_store_, layout_, facts(dims_));
    setup.extent = dims_;
    setup.traits.element_bytes = 2;
    setup.callbacks.layout_changed = [this](const format::LayoutMessage& layout) { layout_ = layout; };
    DenseShape shape;
    shape.elements = case_.chunk[0] * case_.chunk[1];
    shape.element_bytes = 2;
    shape.fill = {std::byte{fill}, std::byte{0}};
    shape.filter_partial_edges = case_.filter_partial_edges;
    const filter::ElementLayout layout{2, shape.elements};
    setup.format = std::make_unique<DenseFormat>(std::move(shape), filter::Pipeline(case_.filters, layout));
    chunks_ = std::make_unique<ChunkTable>(*file_store_, std::move(setup), cache_);
  }

  template <class Below>
  space::Selection choose(Below below) const {
    const space::Frame frame(dims_);
    if (below(6) == 0) return space::Selection::all(frame);
    if (below(4) == 0) {
      std::vector<std::uint64_t> points(1 + below(60));
      for (auto& point : points) point = below(frame.elements());
      return space::Selection::of_points(frame, std::move(points));
    }
    std::vector<space::SlabDimension> dims;
    for (const std::uint64_t dim : dims_) {
      const std::uint64_t start = below(dim), stride = 1 + below(3);
      dims.push_back(below(2) == 0
                         ? space::SlabDimension{start, 1, 1, 1 + below(dim - start)}
                         : space::SlabDimension{start, stride, 1 + below((dim - start - 1) / stride + 1), 1});
    }
    return space::Selection::regular(frame, dims);
  }

  template <class See>
  void for_each(const space::Selection& file, See see) {
    for (space::Cursor cursor(file); !cursor.done();) {
      const space::RunPattern pattern = cursor.pattern();
      for (std::uint64_t i = 0; i < pattern.length; ++i) see(values_[pattern.start + i]);
      cursor.advance(pattern.length);
    }
  }

  template <class T>
  void compare(const space::Selection& file) {
    must(read<T>(file) == expected(file), "selected elements");
  }

  void resize(Dims dims) {
    for (std::size_t d = 0; d < 2; ++d) dims[d] = std::min(dims[d], case_.max_extent[d]);
    if (case_.name == "Single" || case_.name == "Implicit") dims = dims_;
    std::vector<std::int16_t> now(dims[0] * dims[1], fill);
    for (std::uint64_t y = 0; y < std::min(dims[0], dims_[0]); ++y)
      for (std::uint64_t x = 0; x < std::min(dims[1], dims_[1]); ++x)
        now[y * dims[1] + x] = values_[y * dims_[1] + x];
    Resizer(*chunks_).resize(dims);
    dims_ = std::move(dims);
    values_ = std::move(now);
  }

  /// As a program does that packs chunks itself: here it skips all filters.
  void write_stored(const Dims& scaled, std::int16_t value) {
    Buffer bytes;
    bool cut = false;
    for (std::uint64_t y = scaled[0] * case_.chunk[0]; y < (scaled[0] + 1) * case_.chunk[0]; ++y) {
      for (std::uint64_t x = scaled[1] * case_.chunk[1]; x < (scaled[1] + 1) * case_.chunk[1]; ++x) {
        const bool inside = y < dims_[0] && x < dims_[1];
        if (inside) values_[y * dims_[1] + x] = value;
        cut |= !inside;
        const std::int16_t stored = inside ? value : fill;
        bytes.push_back(static_cast<std::byte>(stored & 255));
        bytes.push_back(static_cast<std::byte>(stored >> 8));
      }
    }
    const bool filtered = !case_.filters.empty() && (case_.filter_partial_edges || !cut);
    RawChunks raw(*chunks_);
    const RawChunkAllocation allocation = raw.allocate(scaled, bytes.size());
    file_store_->write(allocation.address, bytes);
    raw.commit(scaled, allocation, {filtered ? 3u : 0u, {}});
  }

  Case case_;
  ChunkCache cache_;
  testing::FaultyFile* file_ = nullptr;
  testing::TestSpace* space_ = nullptr;
  std::unique_ptr<store::FileStore> file_store_;
  std::unique_ptr<ChunkTable> chunks_;
  format::LayoutMessage layout_;
  Dims dims_;
  std::vector<std::int16_t> values_;
  type::Context context_;
};

class ChunkTableModel : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Kinds, ChunkTableModel, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST_P(ChunkTableModel, AgreesWithAnArray) {
  const auto holds = [](const std::vector<std::uint16_t>& words) {
    Twin twin(GetParam());
    for (const std::uint64_t word : words) {
      twin.act(word);
      must(twin.cache().counters().bytes <= GetParam().budget, "the budget");
    }
    twin.reopen();
    twin.check();
    release_chunks(twin.chunks());
    must(twin.space().in_use() == 0, "all space is free");
  };
  EXPECT_TRUE(rc::check("a chunk table agrees with an array", holds));
}

TEST_P(ChunkTableModel, LosesNothingWhenAFlushFindsTheDiskFull) {
  for (std::uint64_t nth = 0;; ++nth) {
    Twin twin(GetParam());
    for (std::uint64_t word = 0; word < 40; ++word) twin.act(word * 7);
    testing::Fault fault;
    fault.nth = nth;
    fault.on = testing::Fault::On::write;
    fault.kind = ErrorKind::no_space;
    fault.tear = true;
    twin.write<std::int16_t>(twin.box(0, 0, 1, 1), 77);
    twin.file().arm(fault);
    bool failed = false;
    try {
      twin.chunks().flush();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space);
      failed = true;
      twin.check();  // from the cache
    }
    twin.file().disarm();
    twin.reopen();
    twin.check();
    if (failed) continue;
    // A chunk that is larger than the budget allows was written at once.
    EXPECT_TRUE(nth > 0 || GetParam().name == "Single");
    break;
  }
}

/// Frames of half a megabyte in chunks of 64 KiB.
Case large(std::size_t budget, std::vector<filter::FilterSpec> filters = {}) {
  return {"Large", {64, 1u << 18}, {64, 1u << 18}, {2, 1u << 14}, {4}, std::move(filters), true, budget};
}

TEST(ChunkTable, StaysWithinTheBudgetAndOneGroup) {
  constexpr std::size_t budget = 4u << 20;
  Twin twin(large(budget, packed()));
  for (std::uint64_t row = 0; row < 64; ++row) twin.write<std::int16_t>(twin.box(row, 5, 1, 200'000), 1);
  const auto parts = twin.box(0, 3, 64, (1u << 18) - 7);
  EXPECT_EQ(twin.read<std::int16_t>(parts), twin.read<std::int32_t>(parts));
  const ChunkCacheCounters counters = twin.cache().counters();
  EXPECT_LE(counters.bytes, budget);
  EXPECT_LE(counters.most_bytes, 2 * budget);
  EXPECT_GT(counters.evictions, 0u);
}

TEST(ChunkTable, BypassesTheCacheForWholeChunks) {
  for (const auto& filters : {std::vector<filter::FilterSpec>{}, packed()}) {
    Twin twin(large(1u << 30, filters));
    const auto all = twin.box(0, 0, 64, 1u << 18);
    twin.write<std::int16_t>(all, 0);
    twin.check();
    EXPECT_EQ(twin.cache().counters().most_bytes, 0u);
    EXPECT_EQ(twin.cache().counters().bypasses, 2u * 32 * 16);
  }
}

TEST(ChunkTable, FindsVeryManyChunksOnAllCores) {
  const Dims fixed{300, 400}, open{no_limit, no_limit};
  using Kind = std::pair<index::IndexChoice, Dims>;
  for (const auto& [choice, most] : {Kind{{3}, open}, Kind{{4}, fixed}, Kind{{4}, open}}) {
    Twin twin({"Many", {300, 400}, most, {4, 4}, choice, {}, true, 1u << 20});
    const space::Frame extent({300, 400});
    // Some are written, some are not.
    twin.write<std::int16_t>(space::Selection::regular(extent, {{0, 25, 12, 8}, {0, 1, 1, 400}}), 3);
    twin.reopen();
    twin.check();
    const auto some = space::Selection::regular(extent, {{2, 1, 1, 290}, {1, 49, 8, 3}});
    EXPECT_EQ(twin.read<std::int16_t>(some), twin.expected(some));
  }
}

/// Elements one by one, each of another chunk, until all chunks have been looked at.
void read_scattered(Twin& twin) {
  const space::Frame extent({200, 200});
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t at = i * 37 % 100;
    const Dims corner{at / 10 * 20 + i % 20, at % 10 * 20 + 3};
    const auto one = space::Selection::regular(extent, {{corner[0], 1, 1, 1}, {corner[1], 1, 1, 2}});
    ASSERT_EQ(twin.read<std::int16_t>(one), twin.expected(one)) << i;
  }
}

TEST(ChunkTable, PrefetchesWithoutAChangeOfWhatIsRead) {
  for (const bool filtered : {false, true}) {
    Twin twin({"Ahead",
               {200, 200},
               {200, 200},
               {20, 20},
               {4},
               filtered ? packed() : decltype(packed()){},
               true,
               1u << 20});
    const auto all = space::Selection::all(space::Frame({200, 200}));
    twin.write<std::int16_t>(all, 7);
    twin.reopen();
    read_scattered(twin);
    const ChunkCacheCounters counters = twin.cache().counters();
    if (!filtered || Executor::default_executor().threads() == 1) {
      EXPECT_EQ(counters.prefetched, 0u);
    }
    // Every chunk is brought once, by whom ever.
    EXPECT_EQ(counters.misses + counters.prefetched, 100u);
    EXPECT_EQ(counters.bytes, 100u * 20 * 20 * 2);
  }
}

TEST(ChunkTable, HearsOfADamagedChunkOnlyWhenItIsRead) {
  Twin twin({"Ahead", {200, 200}, {200, 200}, {20, 20}, {4}, packed(), true, 1u << 20});
  const space::Frame extent({200, 200});
  twin.write<std::int16_t>(space::Selection::all(extent), 7);
  twin.reopen();
  const auto broken = ConstRawChunks(twin.chunks()).find(Dims{7, 7});
  ASSERT_TRUE(broken);
  const Buffer noise(8, std::byte{0xff});
  twin.file().write(to_number(broken->address), noise);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t at = i * 37 % 100;
    const auto one = space::Selection::regular(extent, {{at / 10 * 20, 1, 1, 1}, {at % 10 * 20, 1, 1, 1}});
    if (at == 77) {
      EXPECT_THROW(twin.read<std::int16_t>(one), Error);
    } else {
      ASSERT_EQ(twin.read<std::int16_t>(one), twin.expected(one)) << at;
    }
  }
}

TEST(ChunkTable, EncodesUnderTheSharedLockAndCommitsExclusively) {
  Twin twin(large(1u << 30, packed()));
  const auto rows = twin.box(4, 0, 8, 1u << 18);
  std::vector<std::int16_t> memory(rows.elements(), 11);
  unsigned runs = 0;
  EXPECT_TRUE(twin.write_shared(rows, memory, [&](FunctionRef<void()> work) {
    std::ranges::fill(memory, 12);  // too late
    ++runs;
    work();
    return true;
  }));
  EXPECT_EQ(runs, 1u);
  EXPECT_EQ(twin.read<std::int16_t>(rows), std::vector<std::int16_t>(rows.elements(), 11));
  EXPECT_FALSE(twin.write_shared(rows, memory, [](FunctionRef<void()>) { return false; }));
  EXPECT_EQ(twin.read<std::int16_t>(rows), std::vector<std::int16_t>(rows.elements(), 11));
}

TEST(ChunkTable, WritesNewUnfilteredChunksUnderTheSharedLock) {
  Twin twin(large(1u << 30));
  const auto rows = twin.box(4, 0, 8, 1u << 18);
  std::vector<std::int16_t> memory(rows.elements(), 11);
  unsigned runs = 0;
  const auto run = [&](FunctionRef<void()> work) {
    // The first exclusive step allocates them, the second one commits them.
    if (++runs == 2) std::ranges::fill(memory, 12);
    work();
    return true;
  };
  EXPECT_TRUE(twin.write_shared(rows, memory, run));
  EXPECT_EQ(runs, 2u);
  EXPECT_EQ(twin.read<std::int16_t>(rows), std::vector<std::int16_t>(rows.elements(), 11));
  // Stored chunks are overwritten under the exclusive lock.
  const std::uint64_t used = twin.space().in_use();
  runs = 2;
  EXPECT_TRUE(twin.write_shared(rows, memory, run));
  EXPECT_EQ(runs, 3u);
  EXPECT_EQ(twin.read<std::int16_t>(rows), std::vector<std::int16_t>(rows.elements(), 12));
  EXPECT_EQ(twin.space().in_use(), used);
}

TEST(ChunkTable, FreesSpaceOfWritesThatAreRefused) {
  Twin twin(large(1u << 30));
  const auto rows = twin.box(4, 0, 8, 1u << 18);
  std::vector<std::int16_t> memory(rows.elements(), 11);
  twin.chunks().index().allocate();  // an index without chunks stays
  const std::uint64_t used = twin.space().in_use();
  for (const unsigned refused : {1u, 2u}) {
    unsigned runs = 0;
    EXPECT_FALSE(twin.write_shared(rows, memory, [&](FunctionRef<void()> work) {
      if (++runs == refused) return false;
      work();
      return true;
    }));
    EXPECT_EQ(twin.space().in_use(), used) << refused;
  }
  const auto at_once = [](FunctionRef<void()> work) {
    work();
    return true;
  };
  twin.file().arm({.nth = 0, .on = testing::Fault::On::write, .kind = ErrorKind::no_space});
  EXPECT_THROW(twin.write_shared(rows, memory, at_once), Error);
  twin.file().disarm();
  EXPECT_EQ(twin.space().in_use(), used);
  twin.check();
  EXPECT_TRUE(twin.write_shared(rows, memory, at_once));
  EXPECT_EQ(twin.read<std::int16_t>(rows), memory);
}

TEST(ChunkTable, ReplacesChunksThatOtherThreadsWroteMeanwhile) {
  Twin twin(large(1u << 30)), other(large(1u << 30));
  const auto rows = twin.box(4, 0, 8, 1u << 18);
  std::vector<std::int16_t> memory(rows.elements(), 11);
  unsigned runs = 0;
  EXPECT_TRUE(twin.write_shared(rows, memory, [&](FunctionRef<void()> work) {
    if (++runs == 2) twin.write<std::int16_t>(rows, 500);
    work();
    return true;
  }));
  EXPECT_EQ(twin.read<std::int16_t>(rows), memory);
  other.write<std::int16_t>(rows, 500);
  EXPECT_EQ(twin.space().in_use(), other.space().in_use());
}

TEST(ChunkTable, WritesDirtyChunksTogether) {
  Case one = large(1u << 30);
  one.chunk = {2, 64};
  Twin twin(one);
  for (std::uint64_t row = 0; row < 4; ++row) twin.write<std::int16_t>(twin.box(row, 1, 1, 60'000), 1);
  testing::Fault never;
  never.nth = ~std::uint64_t{0};
  never.on = testing::Fault::On::write;
  twin.file().arm(never);
  twin.chunks().flush();
  EXPECT_LE(twin.file().calls(), 4u);
}

}  // namespace
}  // namespace filigree::chunk
