// SPDX-License-Identifier: Apache-2.0
//
// Portable sparse chunks by their sections and as stored, with every chunk index, and for SWMR readers.
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using Sections = std::vector<RawSection>;
using ::testing::ElementsAre;

/// The size of the envelope in docs/format/portable-chunks.md.
constexpr std::size_t envelope_bytes = 54;

struct Filters {
  std::vector<FilterChoice> selection, values;
};

/// 10 x 11 elements in chunks of 4 x 5, so that the extent cuts some; most of them are written.
class PortableSections : public ::testing::TestWithParam<Filters> {
 protected:
  Dataset make(const std::string& name, bool portable) {
    SparseChunks options =
        sparse_chunks({4, 5}).unfiltered().selection(GetParam().selection).values(GetParam().values);
    if (portable) options.portable();
    return file_.root().create_dataset<std::int32_t>(name, Dataspace::simple({10, 11}), options);
  }
  static void write(Dataset& data) {
    Ints numbers(64);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i % 9);
    data.write(numbers, Selection::box({1, 2}, {8, 8}));
    data.erase(Selection::box({2, 3}, {1, 5}));
  }
  static void expect_same(const Dataset& one, const Dataset& other) {
    EXPECT_EQ(one.defined(), other.defined());
    EXPECT_EQ(one.read<Ints>(), other.read<Ints>());
  }

  File file_ = File::create_in_memory();
};

void expect_equal(const Sections& one, const Sections& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].bytes, other[i].bytes) << i;
    EXPECT_EQ(one[i].filter_mask, other[i].filter_mask) << i;
    EXPECT_EQ(one[i].original_bytes, other[i].original_bytes) << i;
  }
}

TEST_P(PortableSections, AreThoseOfTheStructuredForm) {
  auto structured = make("s", false), portable = make("p", true);
  write(structured);
  write(portable);
  EXPECT_EQ(portable.dataset_info().sections, structured.dataset_info().sections);
  EXPECT_EQ(portable.chunk_count(), structured.chunk_count());
  structured.for_each_chunk([&](const ChunkInfo& info) {
    expect_equal(portable.read_structured_chunk(info.offset), structured.read_structured_chunk(info.offset));
    EXPECT_EQ(portable.structured_chunk_sections(info.offset),
              structured.structured_chunk_sections(info.offset));
    EXPECT_EQ(portable.chunk_info(info.offset).stored_bytes, info.stored_bytes + envelope_bytes);
    return true;
  });
}

TEST_P(PortableSections, GoFromOneFormToTheOther) {
  auto structured = make("s", false), to_portable = make("p", true), to_structured = make("t", false);
  write(structured);
  structured.for_each_chunk([&](const ChunkInfo& info) {
    to_portable.write_structured_chunk(info.offset, structured.read_structured_chunk(info.offset));
    Sections sections = to_portable.read_structured_chunk(info.offset);
    for (RawSection& section : sections) section.original_bytes = 0;  // may be unknown
    to_structured.write_structured_chunk(info.offset, sections);
    return true;
  });
  const File again = reopened(file_);
  expect_same(again.root().open_dataset("p"), structured);
  expect_same(again.root().open_dataset("t"), structured);
}

TEST_P(PortableSections, ReplaceWhatWasThereAndWhatTheCacheHolds) {
  auto source = make("s", true), target = make("t", true);
  write(source);
  target.write(77, Selection::box({5, 6}, {1, 1}));
  const Dims corner{4, 5};
  target.write_structured_chunk(corner, source.read_structured_chunk(corner));
  const Selection chunk = Selection::box({4, 5}, {4, 5});
  EXPECT_EQ(target.defined(chunk), source.defined(chunk));
  EXPECT_EQ(target.read<Ints>(chunk), source.read<Ints>(chunk));
}

TEST_P(PortableSections, DamagedAreRefusedOrHarmless) {
  auto source = make("s", true), target = make("t", true);
  write(source);
  const Dims corner{4, 5};
  const Sections good = source.read_structured_chunk(corner);
  target.write_structured_chunk(corner, good);
  const auto attempt = [&](const Sections& sections) {
    bool refused = false;
    try {
      target.write_structured_chunk(corner, sections);
    } catch (const Error& error) {
      refused = true;
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
    }
    EXPECT_EQ(target.read<Ints>().size(), 110u);
    EXPECT_LE(defined_count(target), 20u);
    return refused;
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::size_t refused = 0;
    for (std::size_t at = 0; at < good[i].bytes.size(); ++at) {
      Sections bad = good;
      bad[i].bytes[at] ^= std::byte(1u << at % 8);
      refused += attempt(bad);
      bad = good;
      bad[i].bytes.resize(at);
      refused += attempt(bad);
    }
    EXPECT_GE(refused, good[i].bytes.size()) << i;
    Sections bad = good;
    bad[i].original_bytes = ~std::uint64_t{0};
    EXPECT_TRUE(attempt(bad)) << i;
    bad = good;
    bad.pop_back();
    EXPECT_TRUE(attempt(bad)) << i;
  }
  EXPECT_TRUE(attempt({{}, {}}));  // a chunk that defines nothing
}

/// Chunks as they are stored, with their envelopes.
TEST_P(PortableSections, AreCopiedWithTheirEnvelopes) {
  auto source = make("s", true), target = make("t", true);
  write(source);
  source.for_each_chunk([&](const ChunkInfo& info) {
    const RawChunk chunk = source.read_chunk(info.offset);
    EXPECT_EQ(chunk.bytes.size(), info.stored_bytes);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(chunk.bytes.data()), 4), "FGSC");
    target.write_chunk(info.offset, chunk.bytes, chunk.filter_mask);
    return true;
  });
  expect_same(reopened(file_).root().open_dataset("t"), source);
}

INSTANTIATE_TEST_SUITE_P(
    Filters, PortableSections,
    ::testing::Values(Filters{}, Filters{{filters::packed_selection()}, {}},
                      Filters{{filters::deflate()}, {filters::shuffle(), filters::zstd()}},
                      Filters{{filters::packed_selection()}, {filters::deflate(), filters::fletcher32()}}));

/// HDF5 stores a chunk without its filter if the program says so. All sections are found in it.
TEST(PortableChunks, ThatAreStoredDenseHaveSections) {
  auto file = File::create_in_memory();
  auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple({8}),
                                                       sparse_chunks({4}).portable().fill(Fill::of(7)));
  const Ints dense{7, 1, 7, 2}, nothing{7, 7, 7, 7};
  data.write_chunk({0}, std::as_bytes(std::span(dense)), 1);
  data.write_chunk({4}, std::as_bytes(std::span(nothing)), 1);
  EXPECT_THAT(data.defined().offsets(), ElementsAre(1, 3));
  EXPECT_THAT(data.read<Ints>(), ElementsAre(7, 1, 7, 2, 7, 7, 7, 7));
  const Sections sections = data.read_structured_chunk({0});
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[1].bytes.size(), 8u);
  for (const RawSection& section : data.read_structured_chunk({4})) EXPECT_TRUE(section.bytes.empty());
  auto other = file.root().create_dataset<std::int32_t>("e", Dataspace::simple({8}),
                                                        sparse_chunks({4}).fill(Fill::of(7)));
  other.write_structured_chunk(Dims{0}, sections);
  EXPECT_EQ(other.read<Ints>(), data.read<Ints>());
}

TEST(PortableChunks, MayBeEmptyEnvelopes) {
  auto file = File::create_in_memory();
  auto data =
      file.root().create_dataset<std::int32_t>("d", Dataspace::simple({8}), sparse_chunks({4}).portable());
  data.write(Ints{1}, Selection::box({0}, {1}));
  std::vector<std::byte> envelope = data.read_chunk({0}).bytes;
  envelope.resize(envelope_bytes);
  EXPECT_THROW(data.write_chunk({4}, {}), Error);
  data.write_chunk({4}, envelope);  // it announces sections that are not there
  EXPECT_EQ(error_of([&] { (void)data.defined(); }), ErrorKind::corrupt);
  EXPECT_EQ(error_of([&] { (void)defined_count(data); }), ErrorKind::corrupt);
  EXPECT_EQ(error_of([&] { (void)data.read<Ints>(); }), ErrorKind::corrupt);
  EXPECT_EQ(error_of([&] { (void)data.read_structured_chunk({4}); }), ErrorKind::corrupt);
}

/// How a dataset has to look for HDF5's choice of an index, and which one that is.
struct IndexCase {
  const char* name;
  Version low;
  Dims dims, max, chunk;
  ChunkIndexKind kind;
};

class PortableIndex : public ::testing::TestWithParam<IndexCase> {};

TEST_P(PortableIndex, KeepsRandomElements) {
  const IndexCase& test = GetParam();
  AccessOptions access;
  access.versions = {test.low, Version::latest};
  File file = File::create_in_memory({}, access);
  auto data = file.root().create_dataset<std::int32_t>(
      "d", Dataspace::simple(test.dims, test.max),
      sparse_chunks(test.chunk).values({filters::deflate()}).portable().fill(Fill::of(3)));
  EXPECT_EQ(data.dataset_info().chunk_index, test.kind);
  std::uint64_t elements = 1;
  for (const std::uint64_t dim : test.dims) elements *= dim;
  std::mt19937_64 random(5);
  std::map<std::uint64_t, std::int32_t> twin;
  const auto check = [&](const Dataset& found) {
    const auto [offsets, values] = read_defined_offsets<std::int32_t>(found);
    std::map<std::uint64_t, std::int32_t> now;
    for (std::size_t i = 0; i < offsets.size(); ++i) now[offsets[i]] = values[i];
    EXPECT_EQ(now, twin);
    EXPECT_EQ(defined_count(found), twin.size());
    EXPECT_EQ(found.defined().elements(), twin.size());
  };
  for (int round = 0; round < 6; ++round) {
    std::map<std::uint64_t, std::int32_t> written;
    for (int i = 0; i < 20; ++i) written[random() % elements] = static_cast<int>(random() % 5);
    Dims offsets;
    Ints values;
    for (const auto& [offset, value] : written) {
      offsets.push_back(offset);
      values.push_back(value);
      twin[offset] = value;
    }
    write_offsets<std::int32_t>(data, offsets, values);
    if (round % 2 == 1) {
      const std::uint64_t first = random() % elements, count = std::min<std::uint64_t>(elements - first, 9);
      const std::vector<Selection::Run> erased{{first, count}};
      data.erase(Selection::of_runs(test.dims, erased));
      twin.erase(twin.lower_bound(first), twin.lower_bound(first + count));
    }
    check(data);
    check(reopened(file, OpenMode::read_only, access).root().open_dataset("d"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Indexes, PortableIndex,
    ::testing::Values(
        IndexCase{
            "BtreeVersion1", Version::earliest, {20, 30}, {20, unlimited}, {6, 7}, ChunkIndexKind::btree_v1},
        IndexCase{"SingleChunk", Version::latest, {6, 7}, {6, 7}, {6, 7}, ChunkIndexKind::single_chunk},
        IndexCase{"FixedArray", Version::latest, {20, 30}, {20, 30}, {6, 7}, ChunkIndexKind::fixed_array},
        IndexCase{"ExtensibleArray",
                  Version::latest,
                  {20, 30},
                  {20, unlimited},
                  {6, 7},
                  ChunkIndexKind::extensible_array},
        IndexCase{"BtreeVersion2",
                  Version::latest,
                  {20, 30},
                  {unlimited, unlimited},
                  {6, 7},
                  ChunkIndexKind::btree_v2}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(PortableChunks, AreSeenBySwmrReaders) {
  const Scratch scratch;
  AccessOptions access = bounds(Version::latest);
  File file = File::create(scratch / "f.h5", CreateMode::truncate, {}, access);
  auto data = file.root().create_dataset<std::int32_t>(
      "frames", Dataspace::simple({0, 8, 8}, {unlimited, 8, 8}),
      sparse_chunks({1, 8, 8}).values({filters::deflate()}).portable());
  file.start_swmr_write();
  File reader = File::open_swmr(scratch / "f.h5");
  const Dataset known = reader.root().open_dataset("frames");
  for (std::uint64_t frame = 0; frame < 30; ++frame) {
    FrameAppender appender(data);
    appender.append_offsets<std::int32_t>(Dims{frame, frame + 5}, Ints{static_cast<int>(frame), 7});
    appender.close();
    data.write(-1, Selection::box({frame / 2, 7, 7}, {1, 1, 1}));  // rewrites an older chunk
    file.flush();
    reader.refresh();
    ASSERT_EQ(known.space().dims()[0], frame + 1);
    const std::uint64_t rewritten = frame / 2 + 1;
    EXPECT_EQ(defined_count(known), 2 * (frame + 1) + rewritten);
    EXPECT_EQ(known.defined(Selection::box({frame / 2, 7, 7}, {1, 1, 1})).elements(), 1u);
  }
}

}  // namespace
}  // namespace filigree
