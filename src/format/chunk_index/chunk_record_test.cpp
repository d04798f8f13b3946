// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/chunk_record.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::ElementsAre;

ChunkRecord blank(bool filtered, std::uint64_t chunk_bytes, std::uint8_t rank, Widths widths = {}) {
  ChunkRecord record;
  record.layout = ChunkRecordLayout::make(filtered, chunk_bytes, 4, widths, rank);
  return record;
}

TEST(ChunkRecordCodec, ReadsElementOfFilteredChunk) {
  const auto golden = from_hex("db01 6*00 1000 04000000");
  const auto m = expect_codec(blank(true, 12, 0), golden, {}, Guard::none);
  EXPECT_EQ(m.address, to_address(0x1db));
  EXPECT_EQ(m.stored_bytes, 16u);
  EXPECT_EQ(m.filter_mask, 4u);
  EXPECT_EQ(m.layout.array_client(), 1);
}

TEST(ChunkRecordCodec, ReadsElementOfMissingChunk) {
  const auto golden = from_hex("8*ff");
  EXPECT_FALSE(is_valid(expect_codec(blank(false, 12, 0), golden, {}, Guard::none).address));
}

TEST(ChunkRecordCodec, ReadsTreeRecord) {
  const auto golden = from_hex("0208 6*00 01 7*00 00 7*00");
  const auto m = expect_codec(blank(false, 1, 2), golden, {}, Guard::none);
  EXPECT_EQ(m.scaled[0], 1u);
  EXPECT_EQ(m.scaled[1], 0u);
  EXPECT_EQ(m.layout.tree_type(), 10);
  EXPECT_EQ(m.layout.bytes({}), 24);
}

TEST(ChunkRecordCodec, ReadsTreeRecordOfFilteredChunk) {
  const auto golden = from_hex("1008 6*00 0c00 00000000 01 7*00 00 7*00");
  const auto m = expect_codec(blank(true, 4, 2), golden, {}, Guard::none);
  EXPECT_EQ(m.address, to_address(0x810));
  EXPECT_EQ(m.stored_bytes, 12u);
  EXPECT_EQ(m.scaled[0], 1u);
  EXPECT_EQ(m.layout.scaled_at({}), 14);
  EXPECT_EQ(m.layout.tree_type(), 11);
}

ChunkRecord structured(bool filtered, bool heap, std::uint8_t rank) {
  ChunkRecord record;
  record.layout = ChunkRecordLayout::make(filtered, 100, ChunkComposition::make(true, heap), rank);
  return record;
}

TEST(ChunkRecordCodec, ReadsElementOfStructuredChunk) {
  const auto m =
      expect_codec(structured(false, false, 0), from_hex("da08 6*00 7300 5b 7*00"), {}, Guard::none);
  EXPECT_EQ(m.layout.array_client(), 2);
  EXPECT_EQ(m.layout.bytes({}), 18);
  EXPECT_EQ(m.stored_bytes, 0x73u);
  EXPECT_EQ(m.sections.count, 2);
  EXPECT_THAT(m.sections.offsets, ElementsAre(0, 0x5b, 0));
  const auto none = expect_codec(structured(false, false, 0), from_hex("8*ff 10*00"), {}, Guard::none);
  EXPECT_FALSE(is_valid(none.address));
}

TEST(ChunkRecordCodec, ReadsElementOfFilteredSections) {
  const auto m = expect_codec(structured(true, true, 0),
                              from_hex("da08 6*00 83 7*00 43 7*00 77 7*00 50 7*00 60 7*00 70 7*00 01000000"
                                       "00000000 02000000"),
                              {}, Guard::none);
  EXPECT_EQ(m.layout.array_client(), 3);
  EXPECT_EQ(m.layout.bytes({}), 68);
  EXPECT_THAT(m.sections.offsets, ElementsAre(0, 0x43, 0x77));
  EXPECT_THAT(m.sections.unfiltered_bytes, ElementsAre(0x50, 0x60, 0x70));
  EXPECT_THAT(m.sections.filter_masks, ElementsAre(1, 0, 2));
}

TEST(ChunkRecordCodec, ReadsTreeRecordsOfStructuredChunks) {
  const auto m = expect_codec(structured(false, false, 2), from_hex("da08 6*00 7300 8*00 8*00 5b 7*00"), {},
                              Guard::none);
  EXPECT_EQ(m.layout.tree_type(), 12);
  EXPECT_EQ(m.layout.bytes({}), 34);
  EXPECT_EQ(m.layout.scaled_at({}), 10);
  EXPECT_EQ(m.sections.offsets[1], 0x5bu);
  const Widths narrow{4, 4};
  const auto filtered = expect_codec(
      structured(true, false, 1), from_hex("da080000 7300 03 7*00 5b 7*00 60 7*00 18 7*00 00000000 01000000"),
      narrow, Guard::none);
  EXPECT_EQ(filtered.layout.tree_type(), 13);
  EXPECT_EQ(filtered.scaled[0], 3u);
  EXPECT_THAT(filtered.sections.unfiltered_bytes, ElementsAre(0x60, 0x18, 0));
}

TEST(ChunkRecordCodec, DerivesTheWidthOfSizesFromTheFile) {
  const ChunkRecordLayout layout = structured(true, false, 2).layout;
  EXPECT_EQ(layout.size_bytes, 2);
  EXPECT_EQ(layout.fitted(layout.bytes({}), layout, {}).size_bytes, 2);
  EXPECT_EQ(layout.fitted(layout.bytes({}) + 6, layout, {}).size_bytes, 8);
  EXPECT_THROW(layout.fitted(layout.bytes({}) + 7, layout, {}), Error);
  EXPECT_THROW(layout.fitted(layout.bytes({}) - 2, layout, {}), Error);
  EXPECT_THROW(layout.fitted(0, layout, {}), Error);
}

TEST(ChunkRecordCodec, DerivesTheWidthOfDenseSizesOnlyFromWidthsThatWritersUse) {
  const auto wide = ChunkRecordLayout::make(true, 100, 5, {}, 0);
  const auto early = ChunkRecordLayout::make(true, 100, 4, {}, 0);
  EXPECT_EQ(wide.bytes({}), 20);
  EXPECT_EQ(wide.fitted(20, early, {}).size_bytes, 8);
  EXPECT_EQ(wide.fitted(14, early, {}).size_bytes, 2);
  EXPECT_EQ(wide.fitted(15, early, {}).size_bytes, 8) << "the index refuses elements of another size";
  const auto plain = ChunkRecordLayout::make(false, 100, 5, {}, 0);
  EXPECT_EQ(plain.fitted(14, ChunkRecordLayout::make(false, 100, 4, {}, 0), {}).size_bytes, 0);
}

TEST(ChunkRecordCodec, ReadsNarrowFiles) {
  const auto four = from_hex("10080000 0c00 00000000 01 7*00");
  EXPECT_EQ(expect_codec(blank(true, 4, 1, {4, 4}), four, {4, 4}, Guard::none).scaled[0], 1u);
  const auto two = from_hex("ffff");
  EXPECT_FALSE(is_valid(expect_codec(blank(false, 4, 0, {2, 2}), two, {2, 2}, Guard::none).address));
}

TEST(ChunkRecordCodec, SizesHaveOneExtraByte) {
  const auto width = [](std::uint64_t bytes, std::uint8_t version) {
    return ChunkRecordLayout::make(true, bytes, version, {8, 4}, 0).size_bytes;
  };
  EXPECT_EQ(width(255, 4), 2);
  EXPECT_EQ(width(256, 4), 3);
  EXPECT_EQ(width(65535, 4), 3);
  EXPECT_EQ(width(65536, 4), 4);
  EXPECT_EQ(width(0xffffffff, 4), 5);
  EXPECT_EQ(width(~std::uint64_t{0}, 4), 8);
  EXPECT_EQ(width(255, 5), 4);
}

TEST(ChunkRecordCodec, RejectsSizesThatDoNotFit) {
  ChunkRecord record = blank(true, 255, 0);
  record.address = to_address(16);
  record.stored_bytes = 65536;
  EXPECT_THROW(encode(record, {}), Error);
}

}  // namespace
}  // namespace filigree::format
