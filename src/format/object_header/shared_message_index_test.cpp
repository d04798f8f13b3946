// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/shared_message_index.hpp"

#include "base/checksum.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

TEST(SharedMessageTable, ReadsAllWidths) {
  const auto wide = from_hex(
      "534d5442 0000 0a00 08000000 3200 2800 0400 6002 6*00 ba05 6*00"
      "| 0000 2010 14000000 3200 2800 0000 16*ff | 326e875c");
  const auto m = expect_codec(SharedMessageTable{.index_count = 2}, wide, {}, Guard::checksum);
  ASSERT_EQ(m.indexes.size(), 2u);
  EXPECT_EQ(m.indexes[0].kind, SharedIndexKind::list);
  EXPECT_EQ(m.indexes[0].message_types, 1u << 1 | 1u << 3);
  EXPECT_EQ(m.indexes[0].smallest_bytes, 8u);
  EXPECT_EQ(m.indexes[0].list_maximum, 50);
  EXPECT_EQ(m.indexes[0].btree_minimum, 40);
  EXPECT_EQ(m.indexes[0].messages, 4);
  EXPECT_EQ(m.indexes[0].records, to_address(0x260));
  EXPECT_EQ(m.indexes[0].heap, to_address(0x5ba));
  EXPECT_EQ(m.indexes[1].message_types, 1u << 5 | 1u << 12);
  EXPECT_FALSE(is_valid(m.indexes[1].records));

  const auto four = from_hex(
      "534d5442 0000 0a00 08000000 3200 2800 0400 28020000 82050000"
      "| 0000 2010 14000000 3200 2800 0000 8*ff | 1a347bc2");
  EXPECT_EQ(expect_codec(SharedMessageTable{.index_count = 2}, four, {4, 4}, Guard::checksum).indexes[0].heap,
            to_address(0x582));
  const auto two = from_hex("534d5442 0000 0a00 08000000 3200 2800 0200 0004 1c03 b380fdce");
  EXPECT_EQ(expect_codec(SharedMessageTable{.index_count = 1}, two, {2, 2}, Guard::checksum).indexes[0].heap,
            to_address(0x31c));
}

/// `body` with its checksum appended.
Buffer sealed(std::string_view hex) {
  Buffer bytes = from_hex(hex);
  std::byte sum[4];
  store_word(sum, lookup3(bytes), 4);
  bytes.insert(bytes.end(), sum, sum + 4);
  return bytes;
}

TEST(SharedMessageTable, RejectsImpossibleCounts) {
  const auto table = [](std::string_view hex, std::uint8_t count) {
    SharedMessageTable m{.index_count = count};
    decode(m, Bytes(sealed(hex)), {2, 2});
    return m;
  };
  constexpr std::string_view full_btree = "534d5442 0001 0a00 08000000 0200 0100 0300 0004 1c03";
  EXPECT_EQ(table(full_btree, 1).indexes.at(0).kind, SharedIndexKind::btree);
  EXPECT_THROW(table(full_btree, 0), Error);
  EXPECT_THROW(table("534d5442 0000 0a00 08000000 0200 0100 0300 0004 1c03", 1), Error);
  EXPECT_THROW(table("534d5442 0000 0a00 8*00 0000 4*ff | 0000 0800 8*00 0000 4*ff", 2), Error);
}

TEST(SharedMessageRecord, ReadsHeapRecord) {
  for (const Widths widths : {Widths{8, 8}, Widths{4, 4}, Widths{2, 2}}) {
    const auto golden = from_hex("00 8b3329f0 02000000 003a0000 00000c00");
    EXPECT_EQ(golden.size(), shared_message_record_bytes(widths));
    const auto m = expect_codec(SharedMessageRecord{}, golden, widths, Guard::none);
    EXPECT_EQ(m.location, SharedLocation::heap);
    EXPECT_EQ(m.references, 2u);
    EXPECT_EQ(to_hex(m.heap_id), "003a0000 00000c00");
    EXPECT_EQ(m.hash, shared_message_hash(MessageType::datatype, from_hex("10080000 04000000 00002000")));
  }
}

TEST(SharedMessageRecord, ReadsHeaderRecord) {
  const auto expect_record = [](std::string_view hex, const Widths& widths) {
    const auto m = expect_codec(SharedMessageRecord{}, from_hex(hex), widths, Guard::none);
    EXPECT_EQ(m.location, SharedLocation::header);
    EXPECT_EQ(m.type, MessageType::datatype);
    EXPECT_EQ(m.index, 0);
    EXPECT_EQ(m.header, to_address(0x7ba));
    EXPECT_EQ(m.hash, shared_message_hash(MessageType::datatype,
                                          from_hex("11203f00 08000000 00004000 340b0034 ff030000")));
  };
  expect_record("01 3107ffd4 00 03 0000 ba07 6*00", {});
  expect_record("01 3107ffd4 00 03 0000 ba070000 4*00", {4, 4});
  expect_record("01 3107ffd4 00 03 0000 ba07 6*00", {2, 2});
}

TEST(SharedMessageRecord, RejectsOtherLocations) {
  EXPECT_THROW(decode<SharedMessageRecord>(from_hex("02 16*00"), {}), Error);
}

TEST(SharedMessageList, ReadsAllWidths) {
  const auto wide = from_hex(
      "534d4c49 | 00 6bf3f59a 02000000 00160000 00002400 | 00 8b3329f0 02000000 003a0000 00000c00"
      "| 01 e17afbd2 00 01 0000 ba07 6*00 | 01 3107ffd4 00 03 0000 ba07 6*00 | 36f047b4");
  const auto m = expect_codec(SharedMessageList{.record_count = 4}, wide, {}, Guard::checksum);
  ASSERT_EQ(m.records.size(), 4u);
  EXPECT_EQ(m.records[1].location, SharedLocation::heap);
  EXPECT_EQ(m.records[2].type, MessageType::dataspace);
  EXPECT_EQ(m.records[3].header, to_address(0x7ba));

  const auto four = from_hex(
      "534d4c49 | 00 13a24937 02000000 00120000 00001400 | 00 8b3329f0 02000000 00260000 00000c00"
      "| 01 b0f67bbe 00 01 0000 2607 6*00 | 01 3107ffd4 00 03 0000 2607 6*00 | d90ea7d6");
  EXPECT_EQ(
      expect_codec(SharedMessageList{.record_count = 4}, four, {4, 4}, Guard::checksum).records[3].header,
      to_address(0x726));
  const auto two = from_hex(
      "534d4c49 | 00 c314e53a 03000000 00100000 00000c00 | 00 8b3329f0 02000000 001c0000 00000c00 | "
      "5187a5f6");
  EXPECT_EQ(
      expect_codec(SharedMessageList{.record_count = 2}, two, {2, 2}, Guard::checksum).records[0].references,
      3u);
}

TEST(SharedMessageList, DoesNotAllocateForAFalseCount) {
  SharedMessageList m{.record_count = 65535};
  EXPECT_THROW(decode(m, Bytes(sealed("534d4c49")), {}), Error);
  EXPECT_TRUE(m.records.empty());
}

}  // namespace
}  // namespace filigree::format
