// SPDX-License-Identifier: Apache-2.0
#include "format/messages/object_messages.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(Comment, ReadsText) {
  EXPECT_EQ(expect_codec(Comment{}, from_hex("61207265 6d61726b 00"), {}, Guard::none).text, "a remark");
  EXPECT_EQ(decode<Comment>(from_hex("61207265 6d61726b 8*00"), {}).text, "a remark");
}

TEST(ModificationTimeOld, ReadsDigits) {
  const auto golden = from_hex("31393939 30373037 31393333 3138 0000");
  const auto m = expect_codec(ModificationTimeOld{}, golden, {}, Guard::none);
  EXPECT_EQ(m.digits, "19990707193318");
  EXPECT_EQ(find_seconds(m), 931375998);
}

TEST(ModificationTimeOld, ReturnsNothingForImpossibleDates) {
  EXPECT_EQ(find_seconds({.digits = "19700101000001"}), 1);
  EXPECT_EQ(find_seconds({.digits = "19991307193318"}), std::nullopt);
  EXPECT_EQ(find_seconds({.digits = "19990230193318"}), std::nullopt);
  EXPECT_EQ(find_seconds({.digits = "19990707243318"}), std::nullopt);
  EXPECT_EQ(find_seconds({.digits = "1999070719331x"}), std::nullopt);
  EXPECT_EQ(find_seconds({.digits = ""}), std::nullopt);
}

TEST(ModificationTimeOld, RejectsOtherCharacters) {
  EXPECT_THROW(decode<ModificationTimeOld>(from_hex("31393939 30373037 31393333 313a 0000"), {}), Error);
}

TEST(ModificationTime, ReadsSeconds) {
  const auto m = expect_codec(ModificationTime{}, from_hex("01000000 ae2bfa6a"), {}, Guard::none);
  EXPECT_EQ(m.seconds, 0x6afa2baeu);
}

TEST(ReferenceCount, ReadsLinks) {
  EXPECT_EQ(expect_codec(ReferenceCount{}, from_hex("00 02000000"), {}, Guard::none).links, 2u);
}

TEST(Continuation, ReadsAllWidths) {
  const auto m = expect_codec(Continuation{}, from_hex("e009 6*00 3a 7*00"), {}, Guard::none);
  EXPECT_EQ(m.block, to_address(0x9e0));
  EXPECT_EQ(m.bytes, 58u);
  EXPECT_EQ(expect_codec(Continuation{}, from_hex("14090000 35000000"), {4, 4}, Guard::none).bytes, 53u);
  EXPECT_EQ(expect_codec(Continuation{}, from_hex("6300 2f00"), {2, 2}, Guard::none).block, to_address(0x63));
  EXPECT_EQ(expect_codec(Continuation{}, from_hex("6300 2f000000"), {2, 4}, Guard::none).bytes, 47u);
}

TEST(Continuation, RejectsAnUndefinedBlock) {
  EXPECT_THROW(decode<Continuation>(from_hex("8*ff 3a 7*00"), {}), Error);
}

void expect_two_files(std::string_view hex, const Widths& widths, Address heap) {
  const auto m = expect_codec(ExternalFiles{}, from_hex(hex), widths, Guard::none);
  EXPECT_EQ(m.allocated, 2);
  EXPECT_EQ(m.heap, heap);
  ASSERT_EQ(m.files.size(), 2u);
  EXPECT_EQ(m.files[0].name_offset, 8u);
  EXPECT_EQ(m.files[0].file_offset, 4u);
  EXPECT_EQ(m.files[0].bytes, 40u);
  EXPECT_EQ(m.files[1].name_offset, 24u);
  EXPECT_EQ(m.files[1].bytes, unlimited);
}

TEST(ExternalFiles, ReadsAllWidths) {
  expect_two_files("01000000 0200 0200 9809 6*00 08 7*00 04 7*00 28 7*00 18 7*00 8*00 8*ff", {},
                   to_address(0x998));
  expect_two_files("01000000 0200 0200 d4080000 08000000 04000000 28000000 18000000 4*00 4*ff", {4, 4},
                   to_address(0x8d4));
  expect_two_files("01000000 0200 0200 b006 0800 0400 2800 1800 0000 ffff", {2, 2}, to_address(0x6b0));
}

TEST(ExternalFiles, RejectsInvalidValues) {
  EXPECT_THROW(decode<ExternalFiles>(from_hex("01000000 0000 0000 b006"), {2, 2}), Error);
  EXPECT_THROW(decode<ExternalFiles>(from_hex("01000000 0100 0200 b006 12*00"), {2, 2}), Error);
  EXPECT_THROW(decode<ExternalFiles>(from_hex("01000000 0200 0200 b006 0800 0400 ffff 6*00"), {2, 2}), Error);
  EXPECT_THROW(decode<ExternalFiles>(from_hex("01000000 ffff ffff b006 12*00"), {2, 2}), Error);
}

}  // namespace
}  // namespace filigree::format
