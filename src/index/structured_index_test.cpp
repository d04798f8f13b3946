// SPDX-License-Identifier: Apache-2.0
//
// Indexes of structured chunks: what is theirs alone. That they hold what they are given is for the tests of
// all indexes.
#include <cstring>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/btrees/btree2.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "testing/expect_error.hpp"
#include "testing/hex.hpp"
#include "testing/index_twin.hpp"

namespace filigree::index {
namespace {

using filigree::testing::expect_error;
using format::ChunkComposition;
using testing::from_hex;
using testing::to_hex;
using Dims = std::vector<std::uint64_t>;

void put(Buffer& file, std::size_t at, std::string_view hex) {
  const Buffer bytes = from_hex(hex);
  std::copy(bytes.begin(), bytes.end(), file.begin() + at);
}

ChunkLocation sparse_location(std::uint64_t address, std::uint64_t bytes, std::uint64_t values_at) {
  ChunkLocation location{to_address(address), bytes, 0};
  location.sections.count = 2;
  location.sections.offsets[1] = values_at;
  return location;
}

/// A 10 x 10 dataset of 4-byte elements with chunks of 5 x 5, of which the first one is there
/// (docs/format/structured-chunks.md).
struct WorkedSample {
  static constexpr std::string_view layout_bytes = "0504 00 0100 00 03 01 050504 08 02 01 00 03 0a 6408 6*00";
  static constexpr std::string_view header_bytes = "46414844 00 02 12 0a 04 7*00 8008 6*00 2ada3c2d";
  static constexpr std::string_view block_bytes =
      "46414442 00 02 6408 6*00 | da08 6*00 7300 5b 7*00 | 8*ff 10*00 8*ff 10*00 8*ff 10*00 | 5d6f836e";

  WorkedSample() : file(0x94d) {
    put(file, 0x864, header_bytes);
    put(file, 0x880, block_bytes);
  }
  format::LayoutMessage layout() const {
    return format::decode<format::LayoutMessage>(Bytes(from_hex(layout_bytes)), {});
  }
  Buffer file;
  DatasetFacts facts{{10, 10}, {10, 10}, false};
  ChunkLocation chunk = sparse_location(0x8da, 0x73, 0x5b);
};

TEST(StructuredIndex, ReadsTheWorkedSample) {
  const WorkedSample sample;
  testing::MemoryStore memory({}, sample.file);
  const auto index = make_index(*memory, sample.layout(), sample.facts);
  EXPECT_EQ(index->find(Dims{0, 0}), sample.chunk);
  EXPECT_FALSE(index->find(Dims{1, 1}));
  EXPECT_EQ(index->count(), 1u);
  EXPECT_EQ(index->stored_bytes(), 0x73u);
}

TEST(StructuredIndex, WritesTheWorkedSample) {
  const WorkedSample sample;
  testing::MemoryStore memory({}, Buffer(0x864));
  const IndexChoice choice{5, false, false, ChunkComposition::make(true, false)};
  auto index = make_index(*memory, choose_index(sample.facts, Dims{5, 5}, 4, choice), sample.facts);
  index->insert(Dims{0, 0}, sample.chunk);
  EXPECT_EQ(to_hex(format::encode(index->layout(), {})), to_hex(from_hex(WorkedSample::layout_bytes)));
  const Buffer file = memory.image();
  EXPECT_EQ(to_hex(Bytes(file).subspan(0x864, 28)), to_hex(from_hex(WorkedSample::header_bytes)));
  EXPECT_EQ(to_hex(Bytes(file).subspan(0x880, 90)), to_hex(from_hex(WorkedSample::block_bytes)));
  index->remove(Dims{0, 0});
  const Buffer emptied = memory.image();
  EXPECT_EQ(to_hex(Bytes(emptied).subspan(0x88e, 18)), to_hex(from_hex("8*ff 10*00")));
}

TEST(StructuredIndex, WritesTheSingleChunkOfTheWorkedSample) {
  testing::MemoryStore memory({}, Buffer(0x1000));
  for (const bool filtered : {false, true}) {
    const DatasetFacts facts{{5, 5}, {5, 5}, filtered};
    const IndexChoice choice{5, false, false, ChunkComposition::make(true, false)};
    auto index = make_index(*memory, choose_index(facts, Dims{5, 5}, 4, choice), facts);
    const Buffer fresh = format::encode(index->layout(), {});
    ChunkLocation chunk = sparse_location(0x800, 0x73, 0x5b);
    if (filtered) chunk.sections.unfiltered_bytes = {0x5b, 0x18, 0};
    index->insert(Dims{0, 0}, chunk);
    EXPECT_EQ(
        to_hex(format::encode(index->layout(), {})),
        to_hex(from_hex(filtered ? "0504 00 0100 02 03 01 050504 08 02 01 00 01 7300 5b 7*00"
                                   " 5b 7*00 18 7*00 4*00 4*00 0008 6*00"
                                 : "0504 00 0100 00 03 01 050504 08 02 01 00 01 7300 5b 7*00 0008 6*00")));
    index->destroy([&](ChunkCoordinates, const ChunkLocation& gone) { EXPECT_EQ(gone, chunk); });
    EXPECT_EQ(to_hex(format::encode(index->layout(), {})), to_hex(fresh));
  }
}

TEST(StructuredIndex, IsChosenWithoutPreallocation) {
  using Kind = format::ChunkIndexType;
  const auto chosen = [](const Dims& extent, const Dims& most, const Dims& chunk) {
    const IndexChoice choice{3, true, false, ChunkComposition::make(true, true)};
    const auto layout = choose_index({extent, most, false}, chunk, 16, choice);
    EXPECT_EQ(layout.version, 5);
    EXPECT_EQ(layout.layout, format::LayoutClass::structured);
    return layout.index;
  };
  EXPECT_EQ(chosen({4, 4}, {no_limit, no_limit}, {2, 2}), Kind::btree_v2);
  EXPECT_EQ(chosen({4, 4}, {4, no_limit}, {2, 2}), Kind::extensible_array);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {4, 4}), Kind::single_chunk);
  EXPECT_EQ(chosen({4, 4}, {4, 4}, {2, 4}), Kind::fixed_array);
  EXPECT_EQ(chosen({0}, {no_limit}, {std::uint64_t{1} << 34}), Kind::extensible_array);
}

TEST(StructuredIndex, RefusesWhatItCannotRepresent) {
  for (const IndexCase& c : index_cases()) {
    SCOPED_TRACE(c.name);
    IndexTwin twin(c);
    const Dims zero(c.extent.size(), 0);
    const auto refused = [&](std::string_view text, auto change) {
      ChunkLocation location = twin.some_location(99);
      change(location);
      expect_error(ErrorKind::invalid_argument, text, [&] { twin.index->insert(zero, location); });
    };
    refused("sections", [](auto& l) { l.sections.count = l.sections.count == 3 ? 2 : 3; });
    if (!c.structured()) continue;
    refused("not contiguous", [](auto& l) { l.sections.offsets[1] = l.stored_bytes + 1; });
    refused("not contiguous", [](auto& l) { l.sections.offsets[0] = 1; });
    refused("filter mask", [](auto& l) { l.filter_mask = 1; });
    if (c.choice.composition.sections == 3)
      refused("not contiguous", [](auto& l) { l.sections.offsets = {0, 50, 49}; });
    if (!c.filtered) {
      refused("no filters", [](auto& l) { l.sections.unfiltered_bytes[0] = 5; });
      refused("no filters", [](auto& l) { l.sections.filter_masks[1] = 1; });
    }
    EXPECT_EQ(twin.index->count(), 0u);
  }
}

TEST(StructuredIndex, RefusesSizesTooLargeForTheirField) {
  for (const IndexCase& c : index_cases()) {
    if (!c.structured() || c.choice.composition.has_heap()) continue;
    SCOPED_TRACE(c.name);
    IndexTwin twin(c);
    ChunkLocation location = twin.some_location(1);
    location.stored_bytes = 0xffff;
    twin.index->insert(Dims(c.extent.size(), 0), location);
    location.stored_bytes = 0x10000;
    expect_error(ErrorKind::limit, "", [&] { twin.index->insert(Dims(c.extent.size(), 0), location); });
  }
}

TEST(StructuredIndex, ReportsSectionsOutOfOrder) {
  WorkedSample sample;
  testing::MemoryStore memory({}, sample.file);
  // Behind the end of the chunk; the block's checksum is right.
  auto block = format::FixedArrayBlock{};
  block.client = 2;
  block.element_total_bytes = 72;
  format::decode(block, Bytes(sample.file).subspan(0x880), {});
  store_word(block.elements.data() + 10, 0x74, 8);
  format::encode(block, MutableBytes(sample.file).subspan(0x880, 90), {});
  testing::MemoryStore lying({}, sample.file);
  const auto index = make_index(*lying, sample.layout(), sample.facts);
  expect_error(ErrorKind::corrupt, "chunk (0, 0)", [&] { index->find(Dims{0, 0}); });
  expect_error(ErrorKind::corrupt, "sections", [&] { index->count(); });
  ChunkLocation found;
  expect_error(ErrorKind::corrupt, "sections", [&] { index->find(Dims{0, 0}, {&found, 1}); });
}

TEST(StructuredIndex, ReportsSectionsOutOfOrderInTheLayoutMessage) {
  testing::MemoryStore memory({}, Buffer(0x1000));
  const auto layout = format::decode<format::LayoutMessage>(
      Bytes(from_hex("0504 00 0100 00 03 01 050504 08 02 01 00 01 7300 74 7*00 0008 6*00")), {});
  const auto index = make_index(*memory, layout, {{5, 5}, {5, 5}, false});
  expect_error(ErrorKind::corrupt, "sections", [&] { index->find(Dims{0, 0}); });
}

/// Gives the block at `at` the version 1.
template <class T>
void set_version(Buffer& file, std::size_t at, T block) {
  const std::size_t bytes = format::decode(block, Bytes(file).subspan(at), {});
  block.version = 1;
  format::encode(block, MutableBytes(file).subspan(at, bytes), {});
}

TEST(StructuredIndex, ReadsAndExtendsTheVersionsOfPrototypes) {
  WorkedSample sample;
  set_version(sample.file, 0x864, format::FixedArrayHeader{});
  format::FixedArrayBlock blank;
  blank.client = 2;
  blank.element_total_bytes = 72;
  set_version(sample.file, 0x880, blank);
  testing::MemoryStore memory({}, sample.file);
  auto index = make_index(*memory, sample.layout(), sample.facts);
  EXPECT_EQ(index->find(Dims{0, 0}), sample.chunk);
  index->insert(Dims{1, 1}, sample.chunk);
  index.reset();
  testing::MemoryStore again({}, memory.image());
  EXPECT_EQ(make_index(*again, sample.layout(), sample.facts)->find(Dims{1, 1}), sample.chunk);
}

/// Every structure of an index that begins with one of the signatures, whatever its parameters are: the
/// version is the fifth byte, and the checksum behind it the first that fits.
unsigned set_all_versions(Buffer& file, std::initializer_list<std::string_view> signatures) {
  unsigned changed = 0;
  for (const std::string_view signature : signatures) {
    for (std::size_t at = 0; at + 8 < file.size(); ++at) {
      if (std::memcmp(file.data() + at, signature.data(), 4) != 0) continue;
      for (std::size_t bytes = 8; at + bytes + 4 <= file.size(); ++bytes) {
        if (lookup3(Bytes(file).subspan(at, bytes)) != load_word(file.data() + at + bytes, 4)) continue;
        file[at + 4] = std::byte{1};
        store_word(file.data() + at + bytes, lookup3(Bytes(file).subspan(at, bytes)), 4);
        ++changed;
        break;
      }
    }
  }
  return changed;
}

TEST(StructuredIndex, ReadsAndExtendsGrowingIndexesOfPrototypes) {
  for (const Dims& most : {Dims{no_limit, 10}, Dims{no_limit, no_limit}}) {
    const DatasetFacts facts{{10, 10}, most, false};
    const IndexChoice choice{5, false, false, ChunkComposition::make(true, false)};
    testing::MemoryStore memory({}, Buffer(0x100));
    auto index = make_index(*memory, choose_index(facts, Dims{1, 1}, 4, choice), facts);
    const ChunkLocation chunk = sparse_location(0x80, 0x23, 0x5);
    for (std::uint64_t i = 0; i < 100; i += 3) index->insert(Dims{i / 10, i % 10}, chunk);
    const auto layout = index->layout();
    index.reset();
    Buffer image = memory.image();
    EXPECT_GE(set_all_versions(image, {"EAHD", "EAIB", "EADB", "BTHD", "BTIN", "BTLF"}), 2u);
    testing::MemoryStore old({}, image);
    auto again = make_index(*old, layout, facts);
    EXPECT_EQ(again->count(), 34u);
    EXPECT_EQ(again->find(Dims{9, 9}), chunk);
    again->insert(Dims{9, 8}, chunk);
    EXPECT_EQ(again->count(), 35u);
  }
}

/// An array or tree as writers made it that give every size as many bytes as its chunk needs: the layout
/// with a heap says 8, the file 2.
TEST(StructuredIndex, TakesTheWidthOfSizesFromTheFile) {
  for (const Dims& most : {Dims{10, 10}, Dims{no_limit, 10}, Dims{no_limit, no_limit}}) {
    testing::MemoryStore memory({}, Buffer(0x1000));
    const DatasetFacts facts{{10, 10}, most, true};
    const auto layout_for = [&](bool sparse) {
      const IndexChoice choice{5, false, false, ChunkComposition::make(sparse, !sparse)};
      return choose_index(facts, Dims{5, 5}, 4, choice);
    };
    auto narrow = make_index(*memory, layout_for(true), facts);
    const ChunkLocation chunk = sparse_location(0x100, 0x73, 0x5b);
    narrow->insert(Dims{0, 1}, chunk);
    auto layout = layout_for(false);
    layout.address = narrow->layout().address;
    narrow.reset();
    auto index = make_index(*memory, layout, facts);
    EXPECT_EQ(index->find(Dims{0, 1}), chunk);
    ChunkLocation large = chunk;
    large.stored_bytes = 0x10000;
    expect_error(ErrorKind::limit, "", [&] { index->insert(Dims{1, 0}, large); });
    index->insert(Dims{1, 0}, chunk);
    EXPECT_EQ(index->count(), 2u);
  }
}

TEST(StructuredIndex, RefusesLayoutsWithoutAnIndex) {
  testing::MemoryStore memory;
  const DatasetFacts facts{{4, 4}, {4, 4}, false};
  const IndexChoice choice{5, false, false, ChunkComposition::make(true, false)};
  const auto good = choose_index(facts, Dims{2, 2}, 4, choice);
  EXPECT_NO_THROW(make_index(*memory, good, facts));
  const auto refused = [&](auto change) {
    format::LayoutMessage layout = good;
    change(layout);
    EXPECT_THROW(make_index(*memory, layout, facts), Error);
  };
  refused([](auto& l) { l.index = format::ChunkIndexType::implicit; });
  refused([](auto& l) { l.index = format::ChunkIndexType::btree_v1; });
  refused([](auto& l) { l.version = 4; });
  refused([](auto& l) { l.composition.sections = 4; });
  refused([](auto& l) { l.composition.sections = 0; });
  refused([](auto& l) { l.layout = format::LayoutClass::chunked; });
}

}  // namespace
}  // namespace filigree::index
