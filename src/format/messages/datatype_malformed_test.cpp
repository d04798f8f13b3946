// SPDX-License-Identifier: Apache-2.0
//
// Datatype messages that must be refused, and sizes that must not hurt.
#include "format/messages/datatype.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::from_hex;

constexpr std::string_view byte_type = " 10000000 01000000 00000800 ";
constexpr std::string_view float_type = " 11201f00 04000000 00002000 17080017 7f000000 ";

void expect_fault(std::string_view hex, std::string_view text, ErrorKind kind = ErrorKind::corrupt) {
  try {
    decode<DatatypeMessage>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
  }
}

std::string with(std::string_view head, std::string_view tail) {
  return std::string(head) + " " + std::string(tail);
}

TEST(MalformedDatatype, VersionOrClassUnknown) {
  expect_fault("00080000 04000000 00002000", "'version'");
  expect_fault("60080000 04000000 00002000", "'version'");
  expect_fault("1c000000 04000000 00002000", "'class'");
  expect_fault(with("3b010000 08000000", float_type), "needs version 5");
}

TEST(MalformedDatatype, SizeZero) {
  expect_fault("13000000 00000000", "'size' at byte 4 is zero");
  expect_fault("10080000 00000000 00002000", "'size' at byte 4 is zero");
  expect_fault("17000000 00000000", "'size' at byte 4 is zero");
}

TEST(MalformedDatatype, PrecisionBeyondSize) {
  expect_fault("10080000 04000000 00002100", "'precision' at byte 10 exceeds the size");
  expect_fault("10080000 04000000 01002000", "'precision' at byte 10 exceeds the size");
  expect_fault("10080000 04000000 ffffffff", "'precision' at byte 10 exceeds the size");
  expect_fault("14000000 02000000 00000000", "'precision' at byte 10 is zero");
  expect_fault("12000000 04000000 2100", "'precision' at byte 8 exceeds the size");
}

TEST(MalformedDatatype, InvalidFloatFields) {
  expect_fault("11202000 04000000 00002000 17080017 7f000000", "'float fields'");  // sign beyond the size
  expect_fault("11201f00 04000000 00002000 19080017 7f000000", "'float fields'");  // exponent beyond it
  expect_fault("11201f00 04000000 00002000 16080017 7f000000", "overlap");         // exponent in mantissa
  expect_fault("11201700 04000000 00002000 17080017 7f000000", "overlap");         // sign in exponent
  expect_fault("11200500 04000000 00002000 17080017 7f000000", "overlap");         // sign in mantissa
  expect_fault("11201f00 04000000 00002000 17000017 7f000000", "'exponent bits'");
  expect_fault("11201f00 04000000 00002000 17080000 7f000000", "'mantissa bits'");
  expect_fault("11301f00 04000000 00002000 17080017 7f000000", "'normalisation'");
  expect_fault("31601f00 04000000 00002000 17080017 81000000", "'byte order'");  // VAX bit alone
  expect_fault("11611f00 04000000 00002000 17080017 81000000", "needs version 3");
}

TEST(MalformedDatatype, StringCodesUnknown) {
  expect_fault("13030000 05000000", "'string padding'");
  expect_fault("13200000 05000000", "'character set'");
  expect_fault(with("19020000 10000000", byte_type), "'variable-length kind'");
  expect_fault(with("19310000 10000000", byte_type), "'string padding'");
  expect_fault(with("19010200 10000000", byte_type), "'character set'");
}

TEST(MalformedDatatype, OpaqueTagOfOddLength) { expect_fault("15030000 07000000 616263", "'tag bytes'"); }

TEST(MalformedDatatype, ReferenceKindUnknown) {
  expect_fault("17050000 08000000", "'reference kind'");
  expect_fault("47020000 12000000", "'reference encoding'");
  expect_fault("47220000 12000000", "'reference encoding'");
}

TEST(MalformedDatatype, VariableLengthOfWrongSize) {
  expect_fault(with("19010000 0c000000", byte_type), "'size'");
  // Inside another type not even the old writers' sizes pass.
  expect_fault(with("36010000 10000000 6100 00 39010000 08000000", byte_type), "'size'");
}

TEST(MalformedDatatype, CompoundMembersAtInvalidOffsets) {
  expect_fault("16000000 08000000", "'member count'");
  expect_fault(with("36010000 04000000 6100 04", byte_type), "exceeds the compound");
  expect_fault("36010000 04000000 6100 01 10000000 04000000 00002000", "exceeds the compound");
  const std::string overlapping =
      with("36020000 04000000 6100 02 10000000 02000000 00001000 | 6200 01 10000000 02000000 00001000", "");
  expect_fault(overlapping, "'members' at byte");
  expect_fault(with(with("36020000 04000000 6100 00", byte_type), with("6100 01", byte_type)),
               "'member names'");
}

TEST(MalformedDatatype, Version1MemberDimensions) {
  const auto member = [](std::string_view rank, std::string_view dims) {
    return "16010000 04000000 6100000000000000 00000000 " + std::string(rank) + " 000000 00000000 00000000 " +
           std::string(dims) + std::string(byte_type);
  };
  EXPECT_NO_THROW(decode<DatatypeMessage>(Bytes(from_hex(member("01", "04000000 12*00"))), {}));
  expect_fault(member("05", "16*01"), "'member rank'");
  expect_fault(member("01", "16*00"), "'member dimension'");
  expect_fault(member("01", "05000000 12*00"), "exceeds the compound");
  expect_fault(member("04", "16*ff"), "exceeds the compound");
}

TEST(MalformedDatatype, Enumerations) {
  expect_fault(with("38010000 04000000", with(float_type, "6100 00000000")), "is not an integer");
  expect_fault(with("38010000 02000000", with(byte_type, "6100 0000")), "is not as large");
  expect_fault(with("38010000 01000000", with(byte_type, "00 00")), "'name' at byte 20 is empty");
  expect_fault(with("38020000 01000000", with(byte_type, "6100 6100 0001")), "'names'");
}

TEST(MalformedDatatype, ArrayDimensions) {
  expect_fault(with("3a000000 01000000 00", byte_type), "'rank'");
  expect_fault(with("3a000000 01000000 21 132*01", byte_type), "'rank'");
  expect_fault(with("3a000000 01000000 01 00000000", byte_type), "'dimension'");
  expect_fault(with("3a000000 05000000 01 04000000", byte_type), "does not match the array's dimensions");
  // 2^32 * 2^32 elements must not wrap round to the size.
  expect_fault(with("3a000000 01000000 03 01000080 ffffffff ffffffff", byte_type),
               "does not match the array's");
}

TEST(MalformedDatatype, ComplexForms) {
  expect_fault(with("5b000000 08000000", float_type), "'complex form'");
  expect_fault(with("5b030000 08000000", float_type), "'complex form'");
  expect_fault(with("5b010000 09000000", float_type), "'size'");
  expect_fault(with("5b010000 02000000", byte_type), "is not a floating-point type");
}

TEST(MalformedDatatype, NestedVersionAboveTheOuter) {
  expect_fault(with("1a000000 02000000 01000000 02000000 00000000 3a000000 01000000 01 01000000", byte_type),
               "'version'");
  expect_fault(with("29000000 10000000 39000000 10000000", byte_type), "'version' at byte 8");
}

std::string nested_arrays(unsigned depth) {
  std::string hex;
  for (unsigned i = 0; i < depth; ++i) hex += "3a000000 01000000 01 01000000 ";
  return hex + std::string(byte_type);
}

TEST(MalformedDatatype, NestingHasALimit) {
  EXPECT_NO_THROW(decode<DatatypeMessage>(Bytes(from_hex(nested_arrays(max_type_depth - 1))), {}));
  expect_fault(nested_arrays(max_type_depth), "nests too deeply");
  expect_fault(nested_arrays(5000), "nests too deeply");
}

TEST(MalformedDatatype, NarrowOffsetsAreTriedAtMostTwice) {
  // Each level could be read with two offset widths; trying both at every level would never end.
  std::string hex;
  for (unsigned i = 0; i < max_type_depth + 1; ++i) hex += "36010000 00010000 6100 00 ";
  expect_fault(hex, "'version'");
}

TEST(MalformedDatatype, DeepModelIsNotEncoded) {
  auto type = fixed_point(1, false);
  for (unsigned i = 0; i < max_type_depth; ++i) {
    DatatypeMessage outer;
    outer.version = 3;
    outer.type_class = TypeClass::array;
    outer.dims = {1};
    outer.base.push_back(type);
    type = outer;
  }
  EXPECT_THROW(encode(type, {}), Error);
  DatatypeMessage without_base;
  without_base.type_class = TypeClass::array;
  without_base.dims = {1};
  EXPECT_THROW(encode(without_base, {}), Error);
}

DatatypeMessage many_members(unsigned count) {
  DatatypeMessage type;
  type.version = 3;
  type.type_class = TypeClass::compound;
  type.size = count;
  type.members.resize(count);
  for (unsigned i = 0; i < count; ++i) {
    type.members[i].name = std::to_string(i);
    type.members[i].byte_offset = count - 1 - i;
    type.members[i].type = fixed_point(1, false);
  }
  return type;
}

TEST(MalformedDatatype, MemberCounts) {
  const auto most = encode(many_members(65535), {});
  EXPECT_EQ(decode<DatatypeMessage>(Bytes(most), {}).members.size(), 65535u);
  auto repeated = many_members(65535);
  repeated.members.back().name = "0";
  EXPECT_THROW(encode(repeated, {}), Error);
  EXPECT_THROW(encode(many_members(65536), {}), Error);
  expect_fault(with("36ffff00 ffff0000 6100 0000", byte_type), "'members'", ErrorKind::truncated);
  expect_fault(with("38ffff00 01000000", byte_type), "'names'", ErrorKind::truncated);
}

}  // namespace
}  // namespace filigree::format
