// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/fixed_array.hpp"

#include <gmock/gmock.h>

#include "format/chunk_index/array_page.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(FixedArrayCodec, ReadsHeaderOfFilteredChunks) {
  const auto golden = from_hex("46414844 00 01 0e 0a 04 7*00 eb01 6*00 2dc2ae58");
  const auto m = expect_codec(FixedArrayHeader{}, golden, {}, Guard::checksum);
  EXPECT_EQ(m.client, 1);
  EXPECT_EQ(m.element_bytes, 14);
  EXPECT_EQ(m.elements, 4u);
  EXPECT_FALSE(m.paged());
  EXPECT_EQ(m.data_block, to_address(0x1eb));
}

TEST(FixedArrayCodec, ReadsHeaderOfPagedArray) {
  const auto golden = from_hex("464148440000080ab80b00000000000000100000000000004f4780c0");
  const auto m = expect_codec(FixedArrayHeader{}, golden, {}, Guard::checksum);
  EXPECT_EQ(m.elements, 3000u);
  EXPECT_TRUE(m.paged());
  EXPECT_EQ(m.pages(), 3u);
}

TEST(FixedArrayCodec, ReadsBlockOfFewElements) {
  const auto golden = from_hex(
      "46414442 00 01 bf01 6*00 | db01 6*00 1000 4*00 | 8*ff 6*00 | 3502 6*00 1000 4*00 | 8*ff 6*00 |"
      "7cc924d8");
  FixedArrayBlock blank;
  blank.client = 1;
  blank.element_total_bytes = 4 * 14;
  const auto m = expect_codec(blank, golden, {}, Guard::checksum);
  EXPECT_EQ(m.header, to_address(0x1bf));
  EXPECT_EQ(load_word(m.elements.data() + 28, 8), 0x235u);
}

TEST(FixedArrayCodec, ReadsArrayOfStructuredChunks) {
  const auto golden = from_hex("46414844 00 02 12 0a 04 7*00 8008 6*00 2ada3c2d");
  const auto header = expect_codec(FixedArrayHeader{}, golden, {}, Guard::checksum);
  EXPECT_EQ(header.client, 2);
  EXPECT_EQ(header.element_bytes, 18);
  FixedArrayBlock blank;
  blank.client = 2;
  blank.element_total_bytes = 4 * 18;
  const auto block = expect_codec(
      blank,
      from_hex(
          "46414442 00 02 6408 6*00 | da08 6*00 7300 5b 7*00 | 8*ff 10*00 8*ff 10*00 8*ff 10*00 | 5d6f836e"),
      {}, Guard::checksum);
  EXPECT_EQ(block.header, to_address(0x864));
}

TEST(FixedArrayCodec, ReadsTheVersionOfPrototypesForStructuredChunksOnly) {
  FixedArrayHeader header;
  header.client = 3;
  header.element_bytes = 42;
  header.version = 1;
  EXPECT_EQ(expect_codec(FixedArrayHeader{}, encode(header, {}), {}, Guard::checksum).version, 1);
  header.client = 1;
  EXPECT_THROW(encode(header, {}), Error);
  FixedArrayBlock block;
  block.client = 2;
  block.version = 1;
  FixedArrayBlock blank;
  blank.client = 2;
  EXPECT_EQ(expect_codec(blank, encode(block, {}), {}, Guard::checksum).version, 1);
}

TEST(FixedArrayCodec, ReadsBlockOfPagesWithTheFirstPageInTheHighestBit) {
  const auto golden = from_hex("464144420000cf0100000000000020d08296b0");
  FixedArrayBlock blank;
  blank.bitmap_bytes = 1;
  const auto m = expect_codec(blank, golden, {}, Guard::checksum);
  EXPECT_FALSE(page_bit(m.page_bitmap, 0));
  EXPECT_FALSE(page_bit(m.page_bitmap, 1));
  EXPECT_TRUE(page_bit(m.page_bitmap, 2));
}

TEST(FixedArrayCodec, SetsAndReadsTheSameBits) {
  Buffer bitmap(2);
  set_page_bit(bitmap, 2);
  set_page_bit(bitmap, 8);
  EXPECT_EQ(filigree::testing::to_hex(bitmap), "2080");
}

TEST(FixedArrayCodec, RejectsTheBlockOfAnotherClient) {
  const auto golden = from_hex("464144420000cf0100000000000020d08296b0");
  FixedArrayBlock blank;
  blank.client = 1;
  blank.bitmap_bytes = 1;
  EXPECT_THROW(decode(blank, Bytes(golden), {}), Error);
}

TEST(FixedArrayCodec, SizesFollowTheWidths) {
  for (const unsigned width : {2u, 4u, 8u}) {
    const Widths widths{static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(width)};
    FixedArrayHeader header;
    header.element_bytes = static_cast<std::uint8_t>(width);
    header.elements = 7;
    header.data_block = to_address(0x123);
    const Buffer bytes = encode(header, widths);
    EXPECT_EQ(bytes.size(), 12 + 2 * width);
    const auto m = expect_codec(FixedArrayHeader{}, bytes, widths, Guard::checksum);
    EXPECT_EQ(m.elements, 7u);
    EXPECT_EQ(m.data_block, to_address(0x123));
  }
}

TEST(ArrayPageCodec, IsElementsAndChecksum) {
  ArrayPage page{16, from_hex("0008 6*00 8*ff")};
  const Buffer bytes = encode(page, {});
  EXPECT_EQ(bytes.size(), 20u);
  EXPECT_EQ(expect_codec(ArrayPage{16, {}}, bytes, {}, Guard::checksum).elements, page.elements);
}

}  // namespace
}  // namespace filigree::format
