// SPDX-License-Identifier: Apache-2.0
#include "format/messages/file_messages.hpp"

#include <gmock/gmock.h>

#include "base/checksum.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;
using ::testing::ElementsAre;

TEST(SharedMessageTableInfo, ReadsAllWidths) {
  const auto m = expect_codec(SharedMessageTableInfo{}, from_hex("00 61 7*00 02"), {}, Guard::none);
  EXPECT_EQ(m.table, to_address(0x61));
  EXPECT_EQ(m.indexes, 2);
  EXPECT_EQ(expect_codec(SharedMessageTableInfo{}, from_hex("00 51000000 02"), {4, 4}, Guard::none).indexes,
            2);
  EXPECT_EQ(expect_codec(SharedMessageTableInfo{}, from_hex("00 4900 01"), {2, 2}, Guard::none).indexes, 1);
  EXPECT_THROW(decode<SharedMessageTableInfo>(from_hex("00 4900 00"), {2, 2}), Error);
}

TEST(BTreeK, ReadsInStoredOrder) {
  const auto m = expect_codec(BTreeK{}, from_hex("00 1800 0a00 0500"), {}, Guard::none);
  EXPECT_EQ(m.chunk_k, 24);
  EXPECT_EQ(m.group_internal_k, 10);
  EXPECT_EQ(m.group_leaf_k, 5);
  EXPECT_THROW(decode<BTreeK>(from_hex("00 0000 0a00 0500"), {}), Error);
}

constexpr std::string_view split_info =
    "01010303 01010000 8*00 2501 6*00 7*ff 7f 8*00 25732d6d 2e683500 25732d72 2e683500";

TEST(DriverInfoMessage, ReadsSplitFile) {
  const auto golden = from_hex("00 4e435341 6d756c74 3800 " + std::string(split_info));
  const auto m = expect_codec(DriverInfoMessage{}, golden, {}, Guard::none);
  EXPECT_EQ(m.id, multi_driver_id);
  EXPECT_EQ(m.info, from_hex(split_info));
}

TEST(DriverInfoMessage, RejectsEmptyInfo) {
  EXPECT_THROW(decode<DriverInfoMessage>(from_hex("00 4e435341 6d756c74 0000"), {}), Error);
}

TEST(DriverInfoBlock, ReadsFamily) {
  const auto golden = from_hex("00000000 08000000 4e435341 66616d69 0010 6*00");
  const auto m = expect_codec(DriverInfoBlock{}, golden, {}, Guard::none);
  EXPECT_EQ(m.id, family_driver_id);
  const auto info = expect_codec(FamilyDriverInfo{}, m.info, {}, Guard::none);
  EXPECT_EQ(info.member_bytes, 4096u);
}

TEST(FamilyDriverInfo, RejectsEmptyMembers) {
  EXPECT_THROW(decode<FamilyDriverInfo>(from_hex("8*00"), {}), Error);
}

TEST(MultiDriverInfo, ReadsSplitFile) {
  for (const Widths widths : {Widths{8, 8}, Widths{4, 4}, Widths{2, 2}}) {
    const auto m = expect_codec(MultiDriverInfo{}, from_hex(split_info), widths, Guard::none);
    EXPECT_THAT(members_of(m.map), ElementsAre(1, 3));
    ASSERT_EQ(m.members.size(), 2u);
    EXPECT_EQ(m.members[0].name, "%s-m.h5");
    EXPECT_EQ(m.members[0].allocated_end, 0x125u);
    EXPECT_EQ(m.members[1].name, "%s-r.h5");
    EXPECT_EQ(m.members[1].start, 0x7fffffffffffffffu);
  }
}

TEST(MultiDriverInfo, ReadsSixFiles) {
  const auto golden = from_hex(
      "8*00 8*00 0801 6*00 7*aa 2a 2002 6*00 54 7*55 8*00 fe 6*ff 7f 8*00 a8 7*aa 78 7*00 52 6*55 d5 28 7*00"
      "| 25732d73 2e683500 25732d62 2e683500 25732d72 2e683500 25732d67 2e683500 25732d6c 2e683500"
      "25732d6f 2e683500");
  const auto m = expect_codec(MultiDriverInfo{}, golden, {}, Guard::none);
  EXPECT_THAT(members_of(m.map), ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_EQ(m.members.size(), 6u);
  EXPECT_EQ(m.members[1].start, 0x2aaaaaaaaaaaaaaau);
  EXPECT_EQ(m.members[5].allocated_end, 40u);
  EXPECT_EQ(m.members[5].name, "%s-o.h5");
}

TEST(MultiDriverInfo, OrdersMembersByFirstUse) {
  EXPECT_THAT(members_of({3, 0, 0, 3, 2, 1}), ElementsAre(3, 2, 1));
  EXPECT_THROW(decode<MultiDriverInfo>(from_hex("07 7*00 96*00 48*00"), {}), Error);
}

TEST(FileSpaceInfo, ReadsVersion0) {
  const auto persist =
      expect_codec(FileSpaceInfo{}, from_hex("0001 01 7*00 7e1f 6*00 8*ff f31f 6*00 24*ff"), {}, Guard::none);
  EXPECT_EQ(persist.version, 0);
  EXPECT_EQ(persist.strategy, FileSpaceStrategy::managers_and_aggregators);
  EXPECT_TRUE(persist.persist);
  EXPECT_EQ(persist.managers[0], to_address(0x1f7e));
  EXPECT_EQ(persist.managers[2], to_address(0x1ff3));
  EXPECT_FALSE(is_valid(persist.managers[6]));

  const auto all = expect_codec(FileSpaceInfo{}, from_hex("0002 02 7*00"), {}, Guard::none);
  EXPECT_EQ(all.strategy, FileSpaceStrategy::managers_and_aggregators);
  EXPECT_FALSE(all.persist);
  EXPECT_EQ(all.threshold, 2u);
  const auto aggregators = expect_codec(FileSpaceInfo{}, from_hex("0003 0a 7*00"), {}, Guard::none);
  EXPECT_EQ(aggregators.strategy, FileSpaceStrategy::aggregators);
  const auto none = expect_codec(FileSpaceInfo{}, from_hex("0004 01 7*00"), {}, Guard::none);
  EXPECT_EQ(none.strategy, FileSpaceStrategy::none);
  EXPECT_EQ(expect_codec(FileSpaceInfo{}, from_hex("0001 0100 7e1f 10*ff"), {2, 2}, Guard::none).managers[0],
            to_address(0x1f7e));
}

TEST(FileSpaceInfo, Version0HasNoPaging) {
  EXPECT_THROW(decode<FileSpaceInfo>(from_hex("0000 01 7*00"), {}), Error);
  FileSpaceInfo m;
  m.version = 0;
  m.strategy = FileSpaceStrategy::paged;
  EXPECT_THROW(encode(m, Widths{}), Error);
}

TEST(FileSpaceInfo, ReadsVersion1WithoutManagers) {
  const auto m =
      expect_codec(FileSpaceInfo{}, from_hex("010300 01 7*00 0010 6*00 0a00 8*ff"), {}, Guard::none);
  EXPECT_EQ(m.strategy, FileSpaceStrategy::none);
  EXPECT_FALSE(m.persist);
  EXPECT_EQ(m.page_bytes, 4096u);
  EXPECT_EQ(m.page_end_metadata_threshold, 10);
  EXPECT_FALSE(is_valid(m.end_before_free_space));
}

TEST(FileSpaceInfo, ReadsVersion1WithManagersAtAllWidths) {
  const auto m = expect_codec(
      FileSpaceInfo{}, from_hex("010101 03 7*00 0002 6*00 0000 0006 6*00 0006 6*00 88*ff"), {}, Guard::none);
  EXPECT_EQ(m.strategy, FileSpaceStrategy::paged);
  EXPECT_TRUE(m.persist);
  EXPECT_EQ(m.threshold, 3u);
  EXPECT_EQ(m.page_bytes, 512u);
  EXPECT_EQ(m.end_before_free_space, to_address(0x600));
  EXPECT_EQ(m.managers[0], to_address(0x600));
  const auto four = from_hex("010101 03000000 00020000 0000 00060000 00060000 44*ff");
  EXPECT_EQ(expect_codec(FileSpaceInfo{}, four, {4, 4}, Guard::none).managers[0], to_address(0x600));
  const auto two = from_hex("010101 0300 0002 0000 0010 0010 10*ff 0014 10*ff");
  EXPECT_EQ(expect_codec(FileSpaceInfo{}, two, {2, 2}, Guard::none).managers[6], to_address(0x1400));
}

TEST(FileSpaceInfo, RejectsTinyPages) {
  EXPECT_THROW(decode<FileSpaceInfo>(from_hex("010100 0300 0001 0000 ffff"), {2, 2}), Error);
  EXPECT_NO_THROW(decode<FileSpaceInfo>(from_hex("010000 0300 0001 0000 ffff"), {2, 2}));
}

TEST(CacheImageMessage, ReadsAllWidths) {
  const auto m = expect_codec(CacheImageMessage{}, from_hex("00 5609 6*00 7801 6*00"), {}, Guard::none);
  EXPECT_EQ(m.block, to_address(0x956));
  EXPECT_EQ(m.bytes, 376u);
  EXPECT_EQ(expect_codec(CacheImageMessage{}, from_hex("00 16090000 34010000"), {4, 4}, Guard::none).bytes,
            308u);
  EXPECT_EQ(expect_codec(CacheImageMessage{}, from_hex("00 d608 f200"), {2, 2}, Guard::none).bytes, 242u);
}

TEST(CacheImage, ReadsAllWidths) {
  const auto wide =
      expect_codec(CacheImage{},
                   from_hex("4d444349 0000 5801 6*00 02000000"
                            "| 05030100 0000 0000 0000 01000000 b3 7*00 83 7*00"
                            "| 4f484452 020078 02120000 0000 16*ff 0a020001 0000 00580000 88*00 c5b9c8ac"
                            "| 05030100 0000 0000 0000 02000000 30 7*00 83 7*00"
                            "| 4f484452 020078 02120000 0000 16*ff 0a020001 0000 060c0000 01000167 b3 7*00 "
                            "00480000 72*00 a212ae34"
                            "| 70ef8ddd"),
                   {}, Guard::checksum);
  ASSERT_EQ(wide.entries.size(), 2u);
  EXPECT_EQ(wide.entries[0].client, 5);
  EXPECT_EQ(wide.entries[0].flags, cache_entry_flag::dirty | cache_entry_flag::in_lru);
  EXPECT_EQ(wide.entries[0].ring, 1);
  EXPECT_EQ(wide.entries[0].lru_rank, 1);
  EXPECT_EQ(wide.entries[0].address, to_address(0xb3));
  EXPECT_EQ(wide.entries[1].address, to_address(0x30));
  EXPECT_EQ(wide.entries[1].bytes.size(), 131u);

  const auto four =
      expect_codec(CacheImage{},
                   from_hex("4d444349 0000 14010000 02000000"
                            "| 05030100 0000 0000 0000 01000000 8b000000 6b000000"
                            "| 4f484452 020060 020a0000 0000 8*ff 0a020001 0000 00480000 72*00 1bc20d9a"
                            "| 05030100 0000 0000 0000 02000000 20000000 6b000000"
                            "| 4f484452 020060 020a0000 0000 8*ff 0a020001 0000 06080000 01000167 8b000000 "
                            "003c0000 60*00 0a69ce9f"
                            "| 998290c4"),
                   {4, 4}, Guard::checksum);
  EXPECT_EQ(four.entries.at(1).address, to_address(0x20));

  const auto two = expect_codec(
      CacheImage{},
      from_hex(
          "4d444349 0000 f200 02000000"
          "| 05030100 0000 0000 0000 01000000 7700 5f00"
          "| 4f484452 020054 02060000 0000 4*ff 0a020001 0000 00400000 64*00 90c3e49a"
          "| 05030100 0000 0000 0000 02000000 1800 5f00"
          "| 4f484452 020054 02060000 0000 4*ff 0a020001 0000 06060000 01000167 7700 00360000 54*00 dc192765"
          "| 897c309a"),
      {2, 2}, Guard::checksum);
  EXPECT_EQ(two.entries.at(1).address, to_address(0x18));
}

TEST(CacheImage, ReadsFlushDependencies) {
  // An indirect heap block as HDF5 describes it, with its bytes truncated to two.
  auto golden = from_hex(
      "4d444349 0000 3e 7*00 01000000 | 0c0d0100 0500 0500 0100 4*ff 9813 6*00 02 7*00 2b02 6*00 4648");
  std::byte sum[4];
  store_word(sum, lookup3(golden), 4);
  golden.insert(golden.end(), sum, sum + 4);
  const auto m = expect_codec(CacheImage{}, golden, {}, Guard::checksum);
  ASSERT_EQ(m.entries.size(), 1u);
  EXPECT_EQ(m.entries[0].children, 5);
  EXPECT_EQ(m.entries[0].dirty_children, 5);
  EXPECT_EQ(m.entries[0].lru_rank, -1);
  EXPECT_THAT(m.entries[0].parents, ElementsAre(to_address(0x22b)));
  EXPECT_EQ(to_hex(m.entries[0].bytes), "4648");
}

TEST(CacheImage, RejectsALengthThatDoesNotMatchTheEntries) {
  Buffer bytes = encode(CacheImage{}, Widths{});
  bytes[6] ^= std::byte{1};
  store_word(bytes.data() + 18, lookup3(Bytes(bytes).first(18)), 4);
  EXPECT_THROW(decode<CacheImage>(bytes, {}), Error);
}

}  // namespace
}  // namespace filigree::format
