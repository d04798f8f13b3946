// SPDX-License-Identifier: Apache-2.0
#include "format/selections/selection.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

EncodedSelection expect_selection(std::string_view hex) {
  return expect_codec(EncodedSelection{}, from_hex(hex), {}, Guard::none);
}

void expect_fault(std::string_view hex, ErrorKind kind, const std::string& field) {
  try {
    decode<EncodedSelection>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.message(), HasSubstr("'" + field + "'"));
  }
}

// From H5Sencode of HDF5 unless noted otherwise.

TEST(SelectionCodec, ReadsNoneAndAll) {
  EXPECT_EQ(expect_selection("00000000 01000000 00000000 00000000").type, SelectionType::none);
  EXPECT_EQ(expect_selection("03000000 01000000 00000000 00000000").type, SelectionType::all);
}

TEST(SelectionCodec, ReadsPointsOfVersion1) {
  const auto m = expect_selection(
      "01000000 01000000 00000000 18000000 02000000 02000000 03000000 02000000 00000000 04000000");
  EXPECT_EQ(m.rank, 2);
  EXPECT_EQ(m.number_bytes, 4);
  EXPECT_THAT(m.coordinates, ElementsAre(3, 2, 0, 4));
}

// The Debian library knows no points of version 2 and no hyperslabs of version 3: these bytes are laid out by
// hand from the format reference.

TEST(SelectionCodec, ReadsPointsOfVersion2InEveryWidth) {
  EXPECT_THAT(expect_selection("01000000 02000000 02 02000000 0200 0300 0200 0000 0400").coordinates,
              ElementsAre(3, 2, 0, 4));
  EXPECT_THAT(expect_selection("01000000 02000000 04 01000000 02000000 00000100 ffffffff").coordinates,
              ElementsAre(0x10000, 0xffffffffu));
  EXPECT_THAT(expect_selection("01000000 02000000 08 01000000 01 7*00 00f2052a01000000").coordinates,
              ElementsAre(5'000'000'000));
}

TEST(SelectionCodec, ReadsBlocksOfVersion1) {
  const auto m = expect_selection(
      "02000000 01000000 00000000 28000000 02000000 02000000"
      "00000000 00000000 00000000 01000000  03000000 02000000 04000000 04000000");
  EXPECT_FALSE(m.regular);
  EXPECT_THAT(m.coordinates, ElementsAre(0, 0, 0, 1, 3, 2, 4, 4));
}

TEST(SelectionCodec, ReadsARegularHyperslabOfVersion2) {
  const auto m = expect_selection(
      "02000000 02000000 01 24000000 01000000"
      "00f2052a01000000 0100000000000000 0100000000000000 0300000000000000");
  EXPECT_TRUE(m.regular);
  EXPECT_EQ(m.number_bytes, 8);
  EXPECT_THAT(m.slab, ElementsAre(HyperslabDimension{5'000'000'000, 1, 1, 3}));
  EXPECT_THAT(m.coordinates, IsEmpty());
}

TEST(SelectionCodec, ReadsAnUnlimitedHyperslabOfVersion2) {
  const auto m = expect_selection(
      "02000000 02000000 01 44000000 02000000 01 7*00 03 7*00 8*ff 02 7*00  00 7*00 01 7*00 01 7*00 06 7*00");
  EXPECT_THAT(m.slab, ElementsAre(HyperslabDimension{1, 3, unlimited, 2}, HyperslabDimension{0, 1, 1, 6}));
}

TEST(SelectionCodec, ReadsARegularHyperslabOfVersion3InEveryWidth) {
  const auto two =
      expect_selection("02000000 03000000 01 02 02000000 0300 0100 0100 0200  0200 0100 0100 0300");
  EXPECT_THAT(two.slab, ElementsAre(HyperslabDimension{3, 1, 1, 2}, HyperslabDimension{2, 1, 1, 3}));
  const auto four = expect_selection("02000000 03000000 01 04 01000000 00000100 03000000 ffffffff 02000000");
  EXPECT_THAT(four.slab, ElementsAre(HyperslabDimension{0x10000, 3, unlimited, 2}));
  const auto eight = expect_selection("02000000 03000000 01 08 01000000 6*00 0100 03 7*00 01 7*00 8*ff");
  EXPECT_THAT(eight.slab, ElementsAre(HyperslabDimension{std::uint64_t{1} << 48, 3, 1, unlimited}));
}

TEST(SelectionCodec, ReadsAllOnesInTheStartAsANumber) {
  const auto m = expect_selection("02000000 03000000 01 02 01000000 ffff ffff 0100 ffff");
  EXPECT_THAT(m.slab, ElementsAre(HyperslabDimension{65535, 65535, 1, unlimited}));
}

TEST(SelectionCodec, ReadsBlocksOfVersion3InEveryWidth) {
  const auto two =
      expect_selection("02000000 03000000 00 02 02000000 0200 0000 0000 0000 0100  0300 0200 0400 0400");
  EXPECT_FALSE(two.regular);
  EXPECT_THAT(two.coordinates, ElementsAre(0, 0, 0, 1, 3, 2, 4, 4));
  const auto four = expect_selection("02000000 03000000 00 04 01000000 01000000 00000100 ffffffff");
  EXPECT_THAT(four.coordinates, ElementsAre(0x10000, 0xffffffffu));
  const auto eight = expect_selection("02000000 03000000 00 08 01000000 01 7*00 7*00 01 7*ff 01");
  EXPECT_THAT(eight.coordinates, ElementsAre(std::uint64_t{1} << 56, (std::uint64_t{2} << 56) - 1));
}

TEST(SelectionCodec, ReportsTheBytesUsedAndLeavesTheRest) {
  EncodedSelection m;
  const Buffer bytes = from_hex("01000000 02000000 02 02000000 0100 0300 0200 | aabbcc");
  EXPECT_EQ(decode(m, bytes, {}), bytes.size() - 3);
}

TEST(SelectionCodec, IgnoresAWrongLengthLikeTheReference) {
  const auto m = decode<EncodedSelection>(
      Bytes(from_hex("01000000 01000000 00000000 63000000 01000000 01000000 03000000")), {});
  EXPECT_THAT(m.coordinates, ElementsAre(3));
}

TEST(SelectionCodec, RejectsInvalidValues) {
  constexpr auto corrupt = ErrorKind::corrupt;
  expect_fault("04000000 01000000 8*00", corrupt, "type");
  expect_fault("00000000 02000000 8*00", corrupt, "version");
  expect_fault("01000000 03000000 8*00", corrupt, "version");
  expect_fault("02000000 00000000 8*00", corrupt, "version");
  expect_fault("02000000 04000000 8*00", corrupt, "version");
  expect_fault("02000000 02000000 00 04000000 01000000 32*01", corrupt, "flags");
  expect_fault("02000000 03000000 02 02 01000000 32*01", corrupt, "flags");
  expect_fault("02000000 03000000 01 03 01000000 32*01", corrupt, "number bytes");
  expect_fault("02000000 03000000 00 00 01000000 32*01", corrupt, "number bytes");
  expect_fault("01000000 02000000 10 01000000 32*01", corrupt, "number bytes");
  expect_fault("02000000 03000000 01 02 00000000 32*01", corrupt, "rank");
  expect_fault("02000000 03000000 01 02 21000000 264*01", corrupt, "rank");
}

TEST(SelectionCodec, RejectsACountThatTheBytesCannotHold) {
  constexpr auto truncated = ErrorKind::truncated;
  expect_fault("01000000 01000000 00000000 18000000 02000000 ffffffff 64*00", truncated, "coordinates");
  expect_fault("02000000 03000000 00 08 20000000 8*ff 64*00", truncated, "coordinates");
  // Times the rank and the width this is 0 modulo 2^64.
  expect_fault("01000000 02000000 08 20000000 0000000000000001 64*00", truncated, "coordinates");
}

TEST(SelectionCodec, RefusesToWriteAmbiguousSelections) {
  EncodedSelection m;
  m.type = SelectionType::hyperslab;
  m.version = 3;
  m.number_bytes = 2;
  m.rank = 1;
  m.regular = true;
  m.slab = {{0, 1, 65535, 1}};
  EXPECT_THROW(encode(m, {}), Error);
  m.number_bytes = 4;
  EXPECT_EQ(encode(m, {}).size(), 30u);
  m.regular = false;
  m.coordinates = {1, 0x100000000};
  EXPECT_THROW(encode(m, {}), Error);
}

TEST(EncodedExtentCodec, ReadsTheExtentOfAnEncodedDataspace) {
  const auto m =
      expect_codec(EncodedExtent{}, from_hex("01 00 08 08000000 01000000 00000000"), {}, Guard::none);
  EXPECT_EQ(m.length_bytes, 8);
  EXPECT_EQ(m.message.size(), 8u);
  EXPECT_EQ(
      expect_codec(EncodedExtent{}, from_hex("010002 06000000 02010001 0500"), {}, Guard::none).length_bytes,
      2);
}

TEST(EncodedExtentCodec, RejectsOtherBytes) {
  for (const char* hex : {"020008 00000000", "010108 00000000", "010003 00000000", "010000 00000000"})
    EXPECT_THROW(decode<EncodedExtent>(Bytes(from_hex(hex)), {}), Error) << hex;
}

}  // namespace
}  // namespace filigree::format
