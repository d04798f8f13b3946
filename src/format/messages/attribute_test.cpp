// SPDX-License-Identifier: Apache-2.0
#include "format/messages/attribute.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

constexpr std::string_view version1 =
    "0100 0600 0c00 1800 | 756e697473000000 | 10080000 02000000 00001000 00000000"
    "| 01010100 00000000 03 7*00 03 7*00";

/// The data has no length of its own, so that cutting it cannot be noticed here: the suite runs
/// on the message without data, and the data is then added.
AttributeMessage expect_attribute(std::string_view head, std::string_view data, const Widths& widths = {}) {
  expect_codec(AttributeMessage{}, from_hex(head), widths, Guard::none);
  const Buffer whole = from_hex(std::string(head) + " " + std::string(data));
  const auto m = decode<AttributeMessage>(Bytes(whole), widths);
  EXPECT_EQ(to_hex(encode(m, widths)), to_hex(whole));
  return m;
}

void expect_fault(std::string_view hex, std::string_view field) {
  try {
    decode<AttributeMessage>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
  }
}

TEST(AttributeCodec, ReadsVersion1) {
  const auto m = expect_attribute(version1, "0100 feff 0300 0000");
  EXPECT_EQ(m.name, "units");
  const auto type = decode_datatype(m, {});
  EXPECT_EQ(describe_type(type), "16-bit little-endian integer");
  const auto space = decode_dataspace(m, {});
  EXPECT_EQ(element_count(space), 3u);
  EXPECT_EQ(to_hex(attribute_elements(m, type, space)), "0100feff 0300");
}

TEST(AttributeCodec, ReadsVersion1AtNarrowWidths) {
  const Widths narrow{4, 4};
  const auto m = expect_attribute(
      "0100 0600 0c00 1000 | 756e697473000000 | 10080000 02000000 00001000 00000000"
      "| 01010100 00000000 03000000 03000000",
      "0100 feff 0300 0000", narrow);
  EXPECT_EQ(element_count(decode_dataspace(m, narrow)), 3u);
}

TEST(AttributeCodec, ReadsVersion2WithSharedDatatype) {
  const auto m =
      expect_attribute("0201 0200 0a00 0800 6b00 | 0202 2003 6*00 | 01000000 00000000", "00000001");
  EXPECT_TRUE(m.shared_datatype);
  EXPECT_FALSE(m.shared_dataspace);
  EXPECT_EQ(to_hex(m.datatype), "02022003 00000000 0000");
  EXPECT_EQ(decode_dataspace(m, {}).kind, DataspaceKind::scalar);
  try {
    decode_datatype(m, {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  }
}

TEST(AttributeCodec, ReadsVersion3) {
  const auto m =
      expect_attribute("0300 0300 0c00 0400 01 | c3a500 | 10000000 01000000 00000800 | 02000000", "01");
  EXPECT_EQ(m.name, "\xc3\xa5");
  EXPECT_EQ(m.character_set, CharacterSet::utf8);
  EXPECT_EQ(to_hex(attribute_elements(m, decode_datatype(m, {}), decode_dataspace(m, {}))), "01");
}

TEST(AttributeCodec, ReadsVersion3WithNullDataspace) {
  const auto m = expect_attribute(
      "0300 0800 0c00 0400 00 | 6e6f7468696e6700 | 10080000 02000000 00001000 | 02000002", "");
  EXPECT_EQ(m.name, "nothing");
  EXPECT_TRUE(attribute_elements(m, decode_datatype(m, {}), decode_dataspace(m, {})).empty());
}

TEST(AttributeCodec, AcceptsExtraBytesAfterTheDatatype) {
  const auto m =
      expect_attribute("0300 0200 1400 0400 00 | 6b00 | 10000000 01000000 00000800 8*00 | 02000000", "07");
  EXPECT_EQ(m.datatype.size(), 20u);
  EXPECT_EQ(decode_datatype(m, {}).size, 1u);
}

TEST(AttributeCodec, AcceptsANameFieldPaddedWithNuls) {
  const auto m =
      expect_attribute("0300 0800 0c00 0400 00 | 6b 7*00 | 10000000 01000000 00000800 | 02000000", "07");
  EXPECT_EQ(m.name, "k");
}

TEST(AttributeCodec, DetectsMissingElements) {
  const auto m = decode<AttributeMessage>(Bytes(from_hex(std::string(version1) + " 0100 feff")), {});
  try {
    attribute_elements(m, decode_datatype(m, {}), decode_dataspace(m, {}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::truncated);
  }
}

TEST(AttributeCodec, NamesTheAttributeWhoseTypeIsBroken) {
  const auto m = decode<AttributeMessage>(
      Bytes(from_hex("0300 0200 0800 0400 00 6b00 | 13000000 00000000 | 02000000")), {});
  try {
    decode_datatype(m, {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "attribute 'k': datatype: field 'size' at byte 4 is zero");
  }
}

TEST(AttributeCodec, RejectsInvalidValues) {
  expect_fault("0400 0200 0000 0000 00 6b00", "version");
  expect_fault("0304 0200 0000 0000 00 6b00", "flags");
  expect_fault("0300 0000 0000 0000 00", "name bytes");
  expect_fault("0300 0200 0000 0000 02 6b00", "character set");
  expect_fault("0300 0200 0000 0000 00 6b6b", "name");
  expect_fault("0300 0400 0000 0000 00 6b006b00", "name");
  expect_fault("0300 0200 0900 0000 00 6b00 8*00", "datatype");
}

TEST(AttributeCodec, RefusesToEncodeSharedPartsInVersion1) {
  AttributeMessage m;
  m.name = "k";
  m.shared_datatype = true;
  EXPECT_THROW(encode(m, {}), Error);
}

}  // namespace
}  // namespace filigree::format
