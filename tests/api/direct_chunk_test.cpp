// SPDX-License-Identifier: Apache-2.0
//
// Chunks as they are stored, past filters and conversion.
#include <array>
#include <cstring>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DatasetOptions chunks(Dims chunk, std::vector<FilterChoice> chosen = {}) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.filters = std::move(chosen);
  return options;
}

Ints counted(std::size_t count, std::int32_t first = 0) {
  Ints values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::span<const std::byte> bytes_of(const Ints& values) { return std::as_bytes(std::span(values)); }

Ints as_ints(const std::vector<std::byte>& bytes) {
  Ints values(bytes.size() / sizeof(std::int32_t));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Every kind of index: version bounds, largest extent, and when space is allocated.
struct IndexCase {
  const char* name;
  Version low;
  Dims dims, most, chunk;
  AllocationTime allocation = AllocationTime::by_layout;
  bool filtered = true;
};

class DirectChunks : public ::testing::TestWithParam<IndexCase> {
 protected:
  Dataset make(File& file) const {
    const IndexCase& c = GetParam();
    auto options = chunks(c.chunk);
    if (c.filtered) options.filters = {filters::fletcher32(), filters::deflate()};
    options.allocation = c.allocation;
    return file.root().create_dataset<std::int32_t>("d", Dataspace::simple(c.dims, c.most), options);
  }
};

TEST_P(DirectChunks, AreReadBackAndUnderstood) {
  const IndexCase& c = GetParam();
  File file = File::create_in_memory({}, bounds(c.low));
  Dataset data = make(file);
  const std::size_t elements = c.chunk[0] * c.chunk[1];
  constexpr std::uint32_t skip_all = 3;
  std::uint64_t written = 0;
  for (std::uint64_t i = 0; i < c.dims[0]; i += c.chunk[0])
    for (std::uint64_t j = 0; j < c.dims[1]; j += c.chunk[1], ++written)
      data.write_chunk({i, j}, bytes_of(counted(elements, static_cast<int>(1000 * i + j))), skip_all);
  EXPECT_EQ(data.chunk_count(), written);
  EXPECT_EQ(data.stored_bytes(), written * elements * sizeof(std::int32_t));
  File again = reopened(file);
  data = again.root().open_dataset("d");
  const auto values = data.read<Ints>();
  for (std::uint64_t i = 0; i < c.dims[0]; ++i) {
    for (std::uint64_t j = 0; j < c.dims[1]; ++j) {
      const std::uint64_t row = i % c.chunk[0], column = j % c.chunk[1];
      const auto expected = 1000 * (i - row) + (j - column) + row * c.chunk[1] + column;
      ASSERT_EQ(values[i * c.dims[1] + j], static_cast<int>(expected)) << i << ' ' << j;
    }
  }
  const RawChunk last = data.read_chunk({(c.dims[0] - 1) / c.chunk[0] * c.chunk[0], 0});
  EXPECT_EQ(last.filter_mask, c.filtered ? skip_all : 0);
  EXPECT_EQ(as_ints(last.bytes).size(), elements);
  std::uint64_t seen = 0;
  data.for_each_chunk([&](const ChunkInfo& info) {
    EXPECT_EQ(data.nth_chunk(seen), info);
    EXPECT_EQ(data.chunk_info(info.offset), info);
    EXPECT_EQ(info.stored_bytes, elements * 4);
    return ++seen, true;
  });
  EXPECT_EQ(seen, written);
}

TEST_P(DirectChunks, OfAnotherSizeReplaceOldOnes) {
  if (!GetParam().filtered) GTEST_SKIP() << "all sizes are equal";
  File file = File::create_in_memory({}, bounds(GetParam().low));
  Dataset data = make(file);
  for (const std::size_t size : {40u, 4000u, 7u, 7u, 41u}) {
    const std::vector<std::byte> bytes(size, std::byte{static_cast<unsigned char>(size)});
    data.write_chunk({0, 0}, bytes, 0);
    EXPECT_EQ(data.read_chunk({0, 0}).bytes, bytes);
    EXPECT_EQ(data.chunk_info({0, 0}).stored_bytes, size);
  }
  EXPECT_EQ(data.chunk_count(), 1u);
  EXPECT_EQ(data.stored_bytes(), 41u);
  const std::uint64_t end = file.info().file_bytes;
  for (int i = 0; i < 100; ++i) data.write_chunk({0, 0}, std::vector<std::byte>(40u + i % 2), 0);
  file.flush();
  EXPECT_LE(file.info().file_bytes, end + 8192) << "freed space is used again";
}

INSTANTIATE_TEST_SUITE_P(
    Indexes, DirectChunks,
    ::testing::Values(
        IndexCase{"tree1", Version::earliest, {13, 10}, {unlimited, unlimited}, {4, 5}},
        IndexCase{"tree1_plain", Version::earliest, {13, 10}, {}, {4, 5}, AllocationTime::by_layout, false},
        IndexCase{"single", Version::latest, {6, 5}, {}, {6, 5}},
        IndexCase{"fixed", Version::latest, {13, 10}, {}, {4, 5}},
        IndexCase{"implicit", Version::latest, {13, 10}, {}, {4, 5}, AllocationTime::early, false},
        IndexCase{"extensible", Version::latest, {13, 10}, {unlimited, 10}, {4, 5}},
        IndexCase{"tree2", Version::latest, {13, 10}, {unlimited, unlimited}, {4, 5}},
        IndexCase{"tree2_plain",
                  Version::latest,
                  {13, 10},
                  {unlimited, unlimited},
                  {4, 5},
                  AllocationTime::by_layout,
                  false}),
    [](const auto& made) { return std::string(made.param.name); });

class DirectChunk : public ::testing::Test {
 protected:
  File file_ = File::create_in_memory({}, bounds(Version::latest));
  Dataset data_ = file_.root().create_dataset<std::int32_t>("d", Dataspace::simple({10, 6}, {unlimited, 6}),
                                                            chunks({4, 3}, {filters::deflate()}));
};

TEST_F(DirectChunk, RefusesWhatIsNoChunk) {
  const Ints values = counted(12);
  EXPECT_THAT(message_of([&] {
                data_.write_chunk({4, 2}, bytes_of(values), 1);
              }),
              HasSubstr("(4, 2) is not the first element of a chunk: coordinate 1 must be a multiple of 3"));
  EXPECT_THAT(message_of([&] {
                data_.write_chunk({12, 0}, bytes_of(values), 1);
              }),
              HasSubstr("(12, 0) lies outside of the dataset, whose dimensions are (10, 6)"));
  EXPECT_THAT(message_of([&] { data_.write_chunk({4}, bytes_of(values), 1); }),
              HasSubstr("1 coordinates for a dataset of 2 dimensions"));
  EXPECT_EQ(error_of([&] { data_.write_chunk({0, 0}, {}, 1); }), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { data_.read_chunk({0, 0}); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { data_.chunk_info({0, 0}); }), ErrorKind::not_found);
  EXPECT_FALSE(data_.find_chunk({9, 5}));
  EXPECT_EQ(error_of([&] { data_.nth_chunk(0); }), ErrorKind::invalid_argument);
  EXPECT_EQ(data_.chunk_count(), 0u);
  Dataset flat = file_.root().write_dataset("flat", Ints{1, 2, 3});
  EXPECT_THAT(message_of([&] { flat.write_chunk({0}, bytes_of(values)); }),
              HasSubstr("not stored in chunks"));
  EXPECT_EQ(flat.stored_bytes(), 12u);
  Dataset plain = file_.root().create_dataset<std::int32_t>("plain", Dataspace::simple({10}), chunks({5}));
  EXPECT_THAT(message_of([&] { plain.write_chunk({5}, bytes_of(counted(4))); }),
              HasSubstr("16 bytes for a chunk of a dataset without filters, where all have 20"));
}

TEST_F(DirectChunk, CannotBeWrittenToAReadOnlyFile) {
  data_.write_chunk({0, 0}, bytes_of(counted(12)), 1);
  File again = reopened(file_);
  Dataset data = again.root().open_dataset("d");
  EXPECT_EQ(error_of([&] { data.write_chunk({0, 0}, bytes_of(counted(12)), 1); }), ErrorKind::read_only);
  EXPECT_EQ(as_ints(data.read_chunk({0, 0}).bytes), counted(12));
}

TEST_F(DirectChunk, DropsTheDecodedChunkDirtyOrNot) {
  data_.write(7, Selection::box({1, 1}, {1, 1}));  // in part: waits in the cache
  data_.write_chunk({0, 0}, bytes_of(counted(12, 100)), 1);
  EXPECT_EQ(data_.read<std::int32_t>(Selection::box({1, 1}, {1, 1})), 104);
  file_.flush();
  EXPECT_EQ(data_.read<std::int32_t>(Selection::box({1, 1}, {1, 1})), 104);
  data_.write_chunk({0, 0}, bytes_of(counted(12, 200)), 1);  // over a clean decoded chunk
  EXPECT_EQ(data_.read<std::int32_t>(Selection::box({1, 1}, {1, 1})), 204);
  File again = reopened(file_);
  EXPECT_EQ(again.root().open_dataset("d").read<std::int32_t>(Selection::box({1, 1}, {1, 1})), 204);
}

TEST_F(DirectChunk, IsReadAsTheCacheHasIt) {
  data_.write_chunk({4, 3}, bytes_of(counted(12)), 1);
  data_.write(-5, Selection::box({4, 3}, {1, 1}));
  const RawChunk raw = data_.read_chunk({4, 3});
  EXPECT_EQ(raw.filter_mask, 0u);  // our own filters worked on it
  Dataset other = file_.root().create_dataset<std::int32_t>("other", Dataspace::simple({10, 6}),
                                                            chunks({4, 3}, {filters::deflate()}));
  other.write_chunk({4, 3}, raw.bytes, raw.filter_mask);
  EXPECT_EQ(other.read<Ints>(Selection::box({4, 3}, {1, 3})), (Ints{-5, 1, 2}));
  data_.write(-6, Selection::box({0, 0}, {1, 1}));
  EXPECT_EQ(data_.chunk_count(), 2u);
  data_.write(-7, Selection::box({9, 0}, {1, 1}));
  EXPECT_TRUE(data_.find_chunk({8, 2}));
}

TEST_F(DirectChunk, IsCountedAndListedBySelection) {
  for (const Dims& at : {Dims{0, 0}, Dims{0, 3}, Dims{4, 3}, Dims{8, 0}})
    data_.write_chunk(at, bytes_of(counted(12)), 1);
  const auto offsets = [&](const Selection& selection) {
    std::vector<Dims> found;
    EXPECT_TRUE(data_.for_each_chunk(
        [&](const ChunkInfo& info) { return found.push_back(info.offset), true; }, selection));
    EXPECT_EQ(data_.chunk_count(selection), found.size());
    return found;
  };
  EXPECT_THAT(offsets({}), ElementsAre(Dims{0, 0}, Dims{0, 3}, Dims{4, 3}, Dims{8, 0}));
  EXPECT_THAT(offsets(Selection::none()), ElementsAre());
  EXPECT_THAT(offsets(Selection::box({1, 2}, {1, 2})), ElementsAre(Dims{0, 0}, Dims{0, 3}));
  EXPECT_THAT(offsets(Selection::box({4, 0}, {6, 3})), ElementsAre(Dims{8, 0}));
  EXPECT_THAT(offsets(Selection::strided({0, 5}, {9, 1}, {2, 1})), ElementsAre(Dims{0, 3}));
  EXPECT_THAT(offsets(Selection::strided({3, 0}, {6, 5}, {2, 2})),
              ElementsAre(Dims{0, 0}, Dims{0, 3}, Dims{8, 0}));
  const std::vector<std::uint64_t> points{9, 1, 7, 5, 7, 4, 5, 0};
  EXPECT_THAT(offsets(Selection::points({10, 6}, points)), ElementsAre(Dims{4, 3}, Dims{8, 0}));
  EXPECT_THAT(offsets(Selection::of_coordinates({10, 6}, points)), ElementsAre(Dims{4, 3}, Dims{8, 0}));
  EXPECT_EQ(data_.nth_chunk(1, Selection::box({4, 0}, {6, 6})).offset, (Dims{8, 0}));
  std::uint64_t seen = 0;
  EXPECT_FALSE(
      data_.for_each_chunk([&](const ChunkInfo&) { return ++seen, false; }, Selection::box({0, 0}, {10, 6})));
  EXPECT_EQ(seen, 1u);
}

TEST_F(DirectChunk, OfSeveralSectionsIsOnlyLookedAt) {
  auto options = chunks({5});
  options.sparse = true;
  Dataset sparse = file_.root().create_dataset<std::int32_t>("sparse", Dataspace::simple({20}), options);
  sparse.write(7, Selection::box({12}, {1}));
  EXPECT_EQ(sparse.chunk_count(), 1u);
  EXPECT_EQ(sparse.chunk_info({12}).offset, Dims{10});
  EXPECT_GT(sparse.stored_bytes(), 0u);
  EXPECT_EQ(error_of([&] { sparse.read_chunk({10}); }), ErrorKind::unsupported);
  EXPECT_EQ(error_of([&] { sparse.write_chunk({10}, bytes_of(counted(5))); }), ErrorKind::unsupported);
}

TEST_F(DirectChunk, MayBeChangedByWhoIsShownThem) {
  Dataset many = file_.root().create_dataset<std::int32_t>("many", Dataspace::simple({3000}, {unlimited}),
                                                           chunks({3}, {filters::deflate()}));
  for (std::uint64_t i = 0; i < 3000; i += 3) many.write_chunk({i}, bytes_of(counted(3)), 1);
  std::uint64_t seen = 0;
  many.for_each_chunk([&](const ChunkInfo& info) {
    many.write_chunk(info.offset, std::vector<std::byte>(40 + seen % 7), 0);
    return ++seen, true;
  });
  EXPECT_EQ(seen, 1000u);
  EXPECT_EQ(many.chunk_count(), 1000u);
  EXPECT_EQ(many.chunk_info({2999}).stored_bytes, 40 + 999 % 7);
}

TEST_F(DirectChunk, GoesWithAShrinkingExtent) {
  for (const Dims& at : {Dims{0, 0}, Dims{4, 3}, Dims{8, 0}}) data_.write_chunk(at, bytes_of(counted(12)), 1);
  data_.resize({6, 6});
  EXPECT_EQ(data_.chunk_count(), 2u);
  EXPECT_EQ(error_of([&] {
              data_.write_chunk({8, 0}, bytes_of(counted(12)), 1);
            }),
            ErrorKind::invalid_argument);
  data_.resize({20, 6});
  data_.write_chunk({16, 0}, bytes_of(counted(12)), 1);
  EXPECT_EQ(data_.nth_chunk(2).offset, (Dims{16, 0}));
}

TEST_F(DirectChunk, PositionIsThatInTheFileWithAUserBlock) {
  CreateOptions options;
  options.user_block_bytes = 1024;
  File file = File::create_in_memory(options);
  Dataset data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({8}), chunks({4}));
  data.write(counted(8, 1'000'000));
  const auto image = file.image();
  const ChunkInfo info = data.chunk_info({6});
  EXPECT_EQ(info.offset, Dims{4});
  ASSERT_LE(info.address + info.stored_bytes, image.size());
  EXPECT_EQ(as_ints({image.begin() + static_cast<std::ptrdiff_t>(info.address),
                     image.begin() + static_cast<std::ptrdiff_t>(info.address + 16)}),
            counted(4, 1'000'004));
}

TEST(DirectChunkThreads, WriteDifferentChunksOfOneDataset) {
  const Scratch scratch;
  for (const Version low : {Version::earliest, Version::latest}) {
    const std::string path = scratch / ("f" + std::to_string(static_cast<int>(low)) + ".h5");
    File file = File::create(path, CreateMode::exclusive, {}, bounds(low));
    constexpr std::uint64_t count = 2000, threads = 4;
    std::vector<Dataset> data;
    for (const char* name : {"a", "b"}) {
      data.push_back(file.root().create_dataset<std::int32_t>(
          name, Dataspace::simple({count * 8}, {unlimited}), chunks({8}, {filters::fletcher32()})));
    }
    std::vector<std::thread> writers;
    for (std::uint64_t t = 0; t < threads; ++t) {
      writers.emplace_back([&, t] {
        for (std::uint64_t i = t; i < count; i += threads)
          data[i % 2].write_chunk({i / 2 * 8}, bytes_of(counted(8, static_cast<int>(i))), 1);
      });
    }
    for (std::thread& writer : writers) writer.join();
    file.close();
    File again = File::open(path);
    for (const char* name : {"a", "b"}) {
      const Dataset read = again.root().open_dataset(name);
      EXPECT_EQ(read.chunk_count(), count / 2);
      const auto values = read.read<Ints>(Selection::box({0}, {count / 2 * 8}));
      for (std::uint64_t i = 0; i < count / 2; ++i)
        ASSERT_EQ(values[i * 8], static_cast<int>(2 * i + (name[0] == 'b' ? 1 : 0)));
    }
  }
}

/// Requests for memory while 4096 chunks are written, and while they are written again.
std::pair<std::uint64_t, std::uint64_t> cost_of_writing(Version low, const Dims& most) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5", CreateMode::truncate, {}, bounds(low));
  constexpr std::uint64_t count = 4096;
  Dataset data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({count * 64}, most),
                                                          chunks({64}, {filters::deflate()}));
  const Ints values = counted(64);
  const auto cost = [&] {
    const std::uint64_t before = damage::allocations;
    damage::counting = true;
    for (std::uint64_t i = 0; i < count; ++i) data.write_chunk({i * 64}, bytes_of(values), 1);
    damage::counting = false;
    return damage::allocations - before;
  };
  const std::uint64_t first = cost();
  return {first, cost()};
}

TEST(DirectChunkCost, NothingIsAllocatedPerChunk) {
  for (const Dims& most : {Dims{}, Dims{unlimited}}) {
    const auto [first, again] = cost_of_writing(Version::latest, most);
    EXPECT_LE(first, 400u);  // blocks and pages of the index
    EXPECT_LE(again, 4u);
  }
}

TEST(DirectChunkCost, OnlyTheKeysOfAnOldTreeAreAllocated) {
  const auto [first, again] = cost_of_writing(Version::earliest, {unlimited});
  EXPECT_LE(first, 9u * 4096);
  EXPECT_LE(again, 4096u + 4);  // to look for it
}

}  // namespace
}  // namespace filigree
