// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/object_header.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::HasSubstr;

constexpr HeaderShape version1{.version = 1};
constexpr HeaderShape version2{.version = 2};
constexpr HeaderShape version2_indexed{.version = 2, .has_creation_index = true};

std::vector<MessageSlot> walk(std::string_view hex, HeaderShape shape, std::uint32_t area_at = 0) {
  std::uint32_t gap = 99;
  auto slots = walk_messages(from_hex(hex), area_at, shape, to_address(0x60), gap);
  EXPECT_EQ(gap, 0u);
  return slots;
}

std::string walk_fault(std::string_view hex, HeaderShape shape, std::uint32_t area_at = 0) {
  try {
    std::uint32_t gap = 0;
    walk_messages(from_hex(hex), area_at, shape, to_address(0x60), gap);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    return error.what();
  }
  ADD_FAILURE() << "no fault found";
  return {};
}

TEST(MessageType, NamesKnownAndUnknownNumbers) {
  EXPECT_EQ(to_string(MessageType::filter_pipeline), "filter pipeline");
  EXPECT_EQ(to_string(MessageType::cache_image), "cache image");
  EXPECT_EQ(to_string(MessageType::section_filters), "section filters");
  EXPECT_EQ(to_string(static_cast<MessageType>(26)), "unknown");
  EXPECT_TRUE(is_known(static_cast<MessageType>(25)));
  EXPECT_FALSE(is_known(static_cast<MessageType>(26)));
}

TEST(MessageType, FiveTypesAreShareable) {
  std::vector<unsigned> shareable;
  for (unsigned t = 0; t < 256; ++t) {
    if (is_shareable(static_cast<MessageType>(t))) shareable.push_back(t);
  }
  EXPECT_THAT(shareable, ::testing::ElementsAre(1, 3, 5, 11, 12));
}

TEST(MessageType, RejectsContradictingFlags) {
  using namespace message_flag;
  for (unsigned flags = 0; flags < 256; ++flags) {
    const bool legal = (flags & 0x06) != 0x06 && (flags & 0x28) != 0x28 && (flags & 0x30) != 0x20;
    EXPECT_EQ(illegal_message_flags(static_cast<std::uint8_t>(flags)).empty(), legal) << flags;
  }
}

TEST(MessagePrefix, RejectsShareableFlagOfTypesThatAreNeverShared) {
  // HDF5 checks types that it knows: 9 is unused, and 25 unknown.
  for (const char* type : {"01", "03", "04", "05", "09", "0b", "0c", "19"})
    EXPECT_EQ(walk(std::string(type) + " 0000 40", version2).size(), 1u) << type;
  for (const char* type : {"02", "06", "07", "08", "0a", "0d", "10", "11", "17", "18"})
    EXPECT_THAT(walk_fault(std::string(type) + " 0000 40", version2), HasSubstr("never shared")) << type;
}

TEST(ObjectHeaderPrefixV1, ReadsTwoLinksAndSixMessages) {
  const auto golden = from_hex("0100 0600 02000000 18000000 00000000");
  const auto m = expect_codec(ObjectHeaderPrefixV1{}, golden, {}, Guard::none);
  EXPECT_EQ(m.messages, 6);
  EXPECT_EQ(m.links, 2u);
  EXPECT_EQ(m.area_bytes, 24u);
}

TEST(ObjectHeaderPrefixV2, ReadsTheShortestPrefix) {
  const auto m = expect_codec(ObjectHeaderPrefixV2{}, from_hex("4f484452 020078"), {}, Guard::none);
  EXPECT_EQ(m.size_width, 1);
  EXPECT_EQ(m.area_bytes, 0x78u);
  EXPECT_FALSE(m.times);
  EXPECT_FALSE(m.attribute_phase);
  EXPECT_FALSE(m.tracks_attribute_order);
}

TEST(ObjectHeaderPrefixV2, ReadsTimesAndTwoByteSize) {
  const auto golden = from_hex("4f484452 0221 ae2bfa6a ae2bfa6b ae2bfa6c ae2bfa6d 0001");
  const auto m = expect_codec(ObjectHeaderPrefixV2{}, golden, {}, Guard::none);
  ASSERT_TRUE(m.times);
  EXPECT_EQ(m.times->access, 0x6afa2baeu);
  EXPECT_EQ(m.times->modification, 0x6bfa2baeu);
  EXPECT_EQ(m.times->change, 0x6cfa2baeu);
  EXPECT_EQ(m.times->birth, 0x6dfa2baeu);
  EXPECT_EQ(m.area_bytes, 256u);
}

TEST(ObjectHeaderPrefixV2, ReadsPhaseChangeAndAttributeOrder) {
  const auto golden = from_hex("4f484452 023d 4*ae 4*ae 4*ae 4*ae 0100 0000 a601");
  const auto m = expect_codec(ObjectHeaderPrefixV2{}, golden, {}, Guard::none);
  EXPECT_TRUE(m.tracks_attribute_order);
  EXPECT_TRUE(m.indexes_attribute_order);
  ASSERT_TRUE(m.attribute_phase);
  EXPECT_EQ(m.attribute_phase->max_compact, 1);
  EXPECT_EQ(m.attribute_phase->min_dense, 0);
  EXPECT_EQ(m.area_bytes, 422u);
}

TEST(ObjectHeaderPrefixV2, ReadsWideSizes) {
  const auto four = expect_codec(ObjectHeaderPrefixV2{}, from_hex("4f484452 0202 01020304"), {}, Guard::none);
  EXPECT_EQ(four.area_bytes, 0x04030201u);
  const auto eight =
      expect_codec(ObjectHeaderPrefixV2{}, from_hex("4f484452 0203 0102030405060708"), {}, Guard::none);
  EXPECT_EQ(eight.area_bytes, 0x0807060504030201u);
}

TEST(ObjectHeaderPrefixV2, RejectsUnknownFlagsAndInvertedPhase) {
  EXPECT_THROW(decode<ObjectHeaderPrefixV2>(from_hex("4f484452 024078"), {}), Error);
  EXPECT_THROW(decode<ObjectHeaderPrefixV2>(from_hex("4f484452 021005000600 78"), {}), Error);
}

TEST(ObjectHeaderPrefixV2, RefusesToWriteAnOddSizeWidth) {
  ObjectHeaderPrefixV2 m;
  m.size_width = 3;
  EXPECT_THROW(encode(m, Widths{}), Error);
  m.size_width = 0;
  EXPECT_THROW(encode(m, Widths{}), Error);
}

TEST(MessagePrefix, ReadsAllThreeShapes) {
  const auto old =
      expect_codec(MessagePrefix{.shape = version1}, from_hex("0600 1800 00 000000"), {}, Guard::none);
  EXPECT_EQ(old.type, MessageType::link);
  EXPECT_EQ(old.body_bytes, 24);
  const auto minimal =
      expect_codec(MessagePrefix{.shape = version2}, from_hex("18 1100 84"), {}, Guard::none);
  EXPECT_EQ(minimal.type, MessageType::cache_image);
  EXPECT_EQ(minimal.flags, message_flag::dont_share | message_flag::fail_if_unknown_always);
  const auto indexed =
      expect_codec(MessagePrefix{.shape = version2_indexed}, from_hex("15 1c00 04 0700"), {}, Guard::none);
  EXPECT_EQ(indexed.creation_index, 7);
}

TEST(WalkMessages, ParsesVersion1Area) {
  const auto slots = walk(
      "0100 1800 00000000 01010100 00000000 03 7*00 03 7*00 | 0300 1000 01000000 10080000 02000000 00001000 "
      "4*00"
      "| 0500 0800 01000000 02030201 00000000 | 0000 1000 00000000 16*00",
      version1, 16);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_EQ(slots[0].type, MessageType::dataspace);
  EXPECT_EQ(slots[0].prefix_at, 16u);
  EXPECT_EQ(slots[0].body_at, 24u);
  EXPECT_EQ(slots[0].body_bytes, 24u);
  EXPECT_EQ(slots[1].type, MessageType::datatype);
  EXPECT_EQ(slots[1].flags, message_flag::constant);
  EXPECT_EQ(slots[1].prefix_at, 48u);
  EXPECT_EQ(slots[3].type, MessageType::nil);
  EXPECT_EQ(slots[3].body_at + slots[3].body_bytes, 16u + 96u);
}

TEST(WalkMessages, ParsesVersion2Area) {
  const auto slots =
      walk("02 1200 00 0000 16*ff | 0a 0200 01 0000 | 06 0c00 00 01000164 b3 7*00 | 00 4800 00 72*00",
           version2, 7);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_EQ(slots[0].type, MessageType::link_info);
  EXPECT_EQ(slots[0].prefix_at, 7u);
  EXPECT_EQ(slots[0].body_at, 11u);
  EXPECT_EQ(slots[2].type, MessageType::link);
  EXPECT_EQ(slots[2].prefix_at, 0x53u - 0x30u);
  EXPECT_EQ(slots[3].body_at + slots[3].body_bytes, 0xafu - 0x30u);
}

TEST(WalkMessages, ReportsTheGapOfVersion2) {
  const auto area = from_hex("10 1000 00 0500 0707 6*00 6f 7*00 | 0000");
  std::uint32_t gap = 0;
  const auto slots = walk_messages(area, 27, version2_indexed, to_address(0x490), gap);
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].type, MessageType::continuation);
  EXPECT_EQ(slots[0].creation_index, 5);
  EXPECT_EQ(slots[0].body_at, 33u);
  EXPECT_EQ(gap, 2u);
}

TEST(WalkMessages, AcceptsAGapBesideNil) {
  std::uint32_t gap = 0;
  EXPECT_EQ(walk_messages(from_hex("00 0100 00 00 | 000000"), 7, version2, to_address(0), gap).size(), 1u);
  EXPECT_EQ(gap, 3u);
}

TEST(WalkMessages, AcceptsTheGapThatTheReferenceLeavesInCopiesOfVersion1) {
  // H5Ocopy of a committed 7-byte string type whose header ended in an empty NIL message.
  std::uint32_t gap = 0;
  EXPECT_EQ(walk_messages(from_hex("0300 0800 05000000 13010000 07000000 | 6*00"), 16, version1,
                          to_address(0x490), gap)
                .size(),
            1u);
  EXPECT_EQ(gap, 6u);
}

TEST(WalkMessages, AcceptsAnEmptyArea) {
  EXPECT_TRUE(walk("", version1).empty());
  EXPECT_TRUE(walk("", version2).empty());
}

TEST(WalkMessages, KeepsUnknownTypes) {
  EXPECT_EQ(walk("0102 0000 00000000", version1).at(0).type, static_cast<MessageType>(0x201));
  EXPECT_EQ(walk("fe 0000 30", version2).at(0).type, static_cast<MessageType>(0xfe));
}

TEST(WalkMessages, NamesTheByteOfAFault) {
  EXPECT_EQ(walk_fault("0000 0000 00000000 0300 0c00 00000000 12*00", version1, 16),
            "object header at 0x60: message at byte 24 has 12 bytes, not a multiple of 8");
  EXPECT_THAT(walk_fault("00 0900 00 8*00", version2, 7), HasSubstr("byte 7 has 9 bytes and runs past"));
  EXPECT_THAT(walk_fault("03 0000 06", version2), HasSubstr("both shared and not to be shared"));
}

TEST(WalkMessages, SurvivesEveryTruncation) {
  const auto area = from_hex("10 0200 00 0500 0707 | 01 0100 00 0600 ff");
  for (std::size_t kept = 0; kept <= area.size(); ++kept) {
    const Buffer cut(area.begin(), area.begin() + kept);
    std::uint32_t gap = 0;
    try {
      const auto slots = walk_messages(cut, 7, version2_indexed, to_address(0), gap);
      EXPECT_EQ(slots.size(), kept < 8 ? 0u : kept < 15 ? 1u : 2u);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("object header"));
    }
  }
}

}  // namespace
}  // namespace filigree::format
