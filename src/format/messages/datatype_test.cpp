// SPDX-License-Identifier: Apache-2.0
#include "format/messages/datatype.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;
using ::testing::ElementsAre;

constexpr Widths narrow{4, 4};
constexpr Widths narrowest{2, 2};

DatatypeMessage expect_type(std::string_view hex, const Widths& widths = {}) {
  return expect_codec(DatatypeMessage{}, from_hex(hex), widths, Guard::none);
}

TEST(DatatypeCodec, ReadsFixedPoint) {
  const auto i32 = expect_type("10080000 04000000 00002000");
  EXPECT_EQ(describe_type(i32), "32-bit little-endian integer");
  EXPECT_TRUE(same_type(i32, fixed_point(4, true)));
  const auto u16 = expect_type("10010000 02000000 00001000");
  EXPECT_EQ(describe_type(u16), "16-bit big-endian unsigned integer");
  EXPECT_TRUE(same_type(u16, fixed_point(2, false, true)));
}

TEST(DatatypeCodec, ReadsFloatingPoint) {
  EXPECT_EQ(describe_type(expect_type("11201f00 04000000 00002000 17080017 7f000000")),
            "32-bit little-endian float");
  const auto f64 = expect_type("11213f00 08000000 00004000 340b0034 ff030000");
  EXPECT_EQ(f64.order, ByteOrder::big);
  EXPECT_EQ(f64.floating, (FloatFields{63, 52, 11, 0, 52, 1023, Normalisation::msb_implied}));
}

TEST(DatatypeCodec, ReadsLongDouble) {
  const auto m = expect_type("11004f00 10000000 00005000 400f0040 ff3f0000");
  EXPECT_EQ(m.precision, 80);
  EXPECT_EQ(m.floating, (FloatFields{79, 64, 15, 0, 64, 16383, Normalisation::none}));
  EXPECT_EQ(describe_type(m), "80-bit little-endian float at bit 0 of 16 bytes");
}

TEST(DatatypeCodec, ReadsVaxFloat) {
  const auto m = expect_type("31611f00 04000000 00002000 17080017 81000000");
  EXPECT_EQ(m.order, ByteOrder::vax);
  EXPECT_EQ(m.floating.exponent_bias, 129u);
}

TEST(DatatypeCodec, ReadsTime) {
  const auto m = expect_type("12010000 04000000 2000");
  EXPECT_EQ(m.type_class, TypeClass::time);
  EXPECT_EQ(m.precision, 32);
  EXPECT_EQ(m.order, ByteOrder::big);
}

TEST(DatatypeCodec, ReadsStrings) {
  const auto padded = expect_type("13010000 05000000");
  EXPECT_EQ(describe_type(padded), "string of 5 bytes, NUL-padded, ASCII");
  const auto spaced = expect_type("13120000 05000000");
  EXPECT_TRUE(same_type(spaced, fixed_string(5, StringPadding::space_padded, CharacterSet::utf8)));
  EXPECT_FALSE(same_type(spaced, padded));
}

TEST(DatatypeCodec, ReadsBitfieldOfOddPrecision) {
  const auto m = expect_type("14040000 02000000 03000b00");
  EXPECT_EQ(m.bit_offset, 3);
  EXPECT_EQ(m.precision, 11);
  EXPECT_FALSE(m.low_padding);
  EXPECT_TRUE(m.high_padding);
}

TEST(DatatypeCodec, ReadsOpaqueTags) {
  EXPECT_EQ(expect_type("15080000 07000000 61626300 00000000").tag, "abc");
  EXPECT_EQ(expect_type("15080000 07000000 65696768 74636872").tag, "eightchr");
  EXPECT_EQ(expect_type("15000000 07000000").tag, "");
  const auto long_tag = expect_type("15100000 07000000 61626300 12*00");
  EXPECT_EQ(long_tag.tag_bytes, 16);
  EXPECT_EQ(describe_type(long_tag), "opaque of 7 bytes, tag \"abc\"");
}

TEST(DatatypeCodec, ReadsReferences) {
  EXPECT_EQ(describe_type(expect_type("17000000 08000000")), "object reference");
  EXPECT_EQ(describe_type(expect_type("17010000 0c000000")), "region reference");
  const auto revised = expect_type("47120000 12000000");
  EXPECT_EQ(revised.reference, ReferenceKind::revised_object);
  EXPECT_EQ(revised.reference_encoding, 1);
  // Some writers forgot to raise the version.
  EXPECT_TRUE(same_type(expect_type("17120000 12000000"), revised));
}

TEST(DatatypeCodec, ReadsEnumerationOverBigEndianBase) {
  const auto old = expect_type(
      "18030000 02000000 | 10090000 02000000 00001000 | 52454400 00000000 475245454e000000"
      "615f6c6f6e67657200000000 00000000 | 0001 0002 0103");
  EXPECT_THAT(old.enum_names, ElementsAre("RED", "GREEN", "a_longer"));
  EXPECT_EQ(to_hex(old.enum_values), "00010002 0103");
  EXPECT_EQ(old.base.at(0).order, ByteOrder::big);
  const auto packed = expect_type(
      "38030000 02000000 | 10090000 02000000 00001000 | 52454400 475245454e00 615f6c6f6e67657200 | 0001 0002 "
      "0103");
  EXPECT_TRUE(same_type(old, packed));
  EXPECT_EQ(describe_type(packed), "enumeration of 3 names over 16-bit big-endian integer");
}

TEST(DatatypeCodec, ReadsVariableLength) {
  const auto text = expect_type("19010100 10000000 | 10000000 01000000 00000800");
  EXPECT_EQ(text.variable, VariableKind::string);
  EXPECT_EQ(describe_type(text), "variable-length string, UTF-8");
  expect_type("19010000 0c000000 | 10000000 01000000 00000800", narrow);
  expect_type("19010000 0a000000 | 10000000 01000000 00000800", narrowest);
  const auto sequence = expect_type(
      "39000000 10000000 | 36020000 08000000 | 7800 00 10080000 02000000 00001000"
      "| 7900 04 11211f00 04000000 00002000 17080017 7f000000");
  EXPECT_EQ(describe_type(sequence), "variable-length sequence of compound of 2 members");
}

TEST(DatatypeCodec, CorrectsMemorySizeOfOldVariableLengthTypes) {
  const auto m = decode<DatatypeMessage>(Bytes(from_hex("19110000 04000000 10000000 01000000 00000800")), {});
  EXPECT_EQ(m.size, 16u);
  EXPECT_EQ(m.padding, StringPadding::nul_padded);
}

TEST(DatatypeCodec, ReadsArrays) {
  const auto old = expect_type(
      "2a000000 06000000 | 02000000 03000000 02000000 00000000 01000000 | 10000000 01000000 00000800");
  EXPECT_THAT(old.dims, ElementsAre(3, 2));
  const auto packed = expect_type("3a000000 06000000 | 02 03000000 02000000 | 10000000 01000000 00000800");
  EXPECT_TRUE(same_type(old, packed));
  EXPECT_EQ(describe_type(packed), "array [3, 2] of 8-bit unsigned integer");
}

TEST(DatatypeCodec, ReadsArraysTaggedVersion1) {
  const auto m = expect_type(
      "1a000000 50000000 | 01000000 04000000 00000000 | 26020000 14000000"
      "| 69000000 00000000 00000000 10080000 04000000 00002000"
      "| 66000000 00000000 04000000 1a000000 10000000 01000000 04000000 00000000"
      "  11201f00 04000000 00002000 17080017 7f000000");
  EXPECT_EQ(m.version, 1);
  EXPECT_EQ(m.base.at(0).version, 2);
  EXPECT_EQ(m.base.at(0).members.at(1).type.dims.at(0), 4u);
}

constexpr std::string_view compound_v1 =
    "16020000 08000000"
    "| 7800000000000000 00000000 00 000000 00000000 00000000 16*00 10080000 02000000 00001000"
    "| 7900000000000000 04000000 00 000000 00000000 00000000 16*00 11211f00 04000000 00002000 17080017 "
    "7f000000";

TEST(DatatypeCodec, ReadsCompounds) {
  const auto old = expect_type(compound_v1);
  ASSERT_EQ(old.members.size(), 2u);
  EXPECT_EQ(old.members[1].name, "y");
  EXPECT_EQ(old.members[1].byte_offset, 4u);
  EXPECT_EQ(describe_type(old), "compound of 2 members");
  const auto second = expect_type(
      "26020000 08000000 | 7800000000000000 00000000 10080000 02000000 00001000"
      "| 7900000000000000 04000000 11211f00 04000000 00002000 17080017 7f000000");
  const auto packed = expect_type(
      "36020000 08000000 | 7800 00 10080000 02000000 00001000"
      "| 7900 04 11211f00 04000000 00002000 17080017 7f000000");
  EXPECT_TRUE(same_type(old, second));
  EXPECT_TRUE(same_type(old, packed));
}

TEST(DatatypeCodec, ReadsCompoundInCompoundInArray) {
  const std::string inner(compound_v1);
  const auto old = expect_type(
      "2a000000 3c000000 | 01000000 03000000 00000000 | 16020000 14000000"
      "| 696e000000000000 08000000 00 000000 00000000 00000000 16*00 " +
      inner + "| 6b00000000000000 00000000 00 000000 00000000 00000000 16*00 10000000 08000000 00004000");
  const auto packed = expect_type(
      "3a000000 3c000000 | 01 03000000 | 36020000 14000000 | 696e00 08 36020000 08000000 7800 00 10080000 "
      "02000000"
      "00001000 7900 04 11211f00 04000000 00002000 17080017 7f000000 | 6b00 00 10000000 08000000 00004000");
  EXPECT_TRUE(same_type(old, packed));
  EXPECT_EQ(packed.base.at(0).members.at(0).type.members.at(1).name, "y");
}

TEST(DatatypeCodec, ReadsArrayMembersOfVersion1Compound) {
  const auto m = expect_type(
      "16020000 88000000"
      "| 696e745f6172726179000000 00000000 00000000 01 000000 00000000 00000000 04000000 00000000 00000000 "
      "00000000"
      "  10090000 04000000 00002000"
      "| 666c6f61745f617272617900 00000000 10000000 02 000000 00010000 00000000 05000000 06000000 00000000 "
      "00000000"
      "  11211f00 04000000 00002000 17080017 7f000000");
  EXPECT_THAT(m.members.at(1).dims, ElementsAre(5, 6));
  EXPECT_EQ(member_bytes(m.members.at(1)), 120u);
  const auto array = member_type(m.members.at(1));
  EXPECT_EQ(describe_type(array), "array [5, 6] of 32-bit big-endian float");

  auto modern = m;
  modern.version = 2;
  for (auto& member : modern.members) {
    member.type = member_type(member);
    member.dims.clear();
  }
  EXPECT_TRUE(same_type(m, modern));
  modern.members[1].type.dims = {6, 5};
  EXPECT_FALSE(same_type(m, modern));
}

TEST(DatatypeCodec, DerivesTheOffsetWidthFromTheCompoundSize) {
  const auto m = expect_type(
      "36020000 2c010000 | 7000 0000 10000000 01000000 00000800 | 7100 0201 10000000 01000000 00000800");
  EXPECT_EQ(m.members.at(1).byte_offset, 258u);
  EXPECT_FALSE(m.short_offsets);
}

TEST(DatatypeCodec, ReadsNarrowOffsetsOfRelease180) {
  const auto m = expect_type(
      "36020000 2c010000 | 7000 00 10000000 01000000 00000800 | 7100 82 10000000 01000000 00000800");
  EXPECT_TRUE(m.short_offsets);
  EXPECT_EQ(m.members.at(1).byte_offset, 130u);
}

TEST(DatatypeCodec, ReadsComplex) {
  const auto m = expect_type("5b010000 08000000 | 11201f00 04000000 00002000 17080017 7f000000");
  EXPECT_EQ(describe_type(m), "complex of 32-bit little-endian float");
  expect_type(
      "5a000000 20030000 | 02 0a000000 0a000000 | 5b010000 08000000 11201f00 04000000 00002000 17080017 "
      "7f000000");
  expect_type(
      "56010000 08000000 | 666c6f61745f636f6d706c65785f6d656d00 00"
      "| 5b010000 08000000 11201f00 04000000 00002000 17080017 7f000000");
  expect_type("59000000 10000000 | 5b010000 08000000 11201f00 04000000 00002000 17080017 7f000000");
}

TEST(DatatypeCodec, IgnoresBytesAfterTheType) {
  DatatypeMessage m;
  EXPECT_EQ(decode(m, Bytes(from_hex("13010000 05000000 16*00")), {}), 8u);
}

TEST(DatatypeConstructors, MatchTheReference) {
  EXPECT_EQ(to_hex(encode(fixed_point(4, true), {})), "10080000 04000000 00002000");
  EXPECT_EQ(to_hex(encode(fixed_point(2, false, true), {})), "10010000 02000000 00001000");
  EXPECT_EQ(to_hex(encode(ieee_float(2), {})), "11200f00 02000000 00001000 0a05000a 0f000000");
  EXPECT_EQ(to_hex(encode(ieee_float(4), {})), "11201f00 04000000 00002000 17080017 7f000000");
  EXPECT_EQ(to_hex(encode(ieee_float(8, true), {})), "11213f00 08000000 00004000 340b0034 ff030000");
  EXPECT_EQ(to_hex(encode(fixed_string(5, StringPadding::nul_padded, CharacterSet::ascii), {})),
            "13010000 05000000");
  EXPECT_EQ(to_hex(encode(variable_string(CharacterSet::utf8, 8), {})),
            "19010100 10000000 10000000 01000000 00000800");
  EXPECT_EQ(to_hex(encode(variable_string(CharacterSet::ascii, 4), narrow)),
            "19010000 0c000000 10000000 01000000 00000800");
}

TEST(DatatypeConstructors, RejectImpossibleSizes) {
  EXPECT_THROW(fixed_point(0, true), Error);
  EXPECT_THROW(fixed_point(8192, true), Error);
  EXPECT_THROW(ieee_float(3), Error);
  EXPECT_THROW(fixed_string(0, StringPadding::nul_padded, CharacterSet::ascii), Error);
}

TEST(SameType, DetectsEveryDifference) {
  EXPECT_FALSE(same_type(fixed_point(4, true), fixed_point(4, false)));
  EXPECT_FALSE(same_type(fixed_point(4, true), fixed_point(4, true, true)));
  EXPECT_FALSE(same_type(fixed_point(4, true), fixed_point(8, true)));
  EXPECT_FALSE(same_type(fixed_point(4, true), ieee_float(4)));
  EXPECT_FALSE(same_type(variable_string(CharacterSet::ascii, 8), variable_string(CharacterSet::utf8, 8)));
  auto renamed = decode<DatatypeMessage>(Bytes(from_hex(compound_v1)), {});
  const auto original = renamed;
  EXPECT_TRUE(same_type(original, renamed));
  renamed.members[0].name = "z";
  EXPECT_FALSE(same_type(original, renamed));
}

}  // namespace
}  // namespace filigree::format
