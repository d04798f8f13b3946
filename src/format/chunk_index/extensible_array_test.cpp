// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/extensible_array.hpp"

#include <gmock/gmock.h>

#include "format/chunk_index/array_page.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::Each;
using ::testing::ElementsAre;

TEST(ExtensibleArrayCodec, ReadsHeader) {
  const auto golden = from_hex(
      "45414844 00 00 08 20 04 10 04 0a | 02 7*00 8c02 6*00 | 02 7*00 3442 6*00 | 410d03 5*00 4408 6*00 |"
      "1702 6*00 1a3acccd");
  const auto m = expect_codec(ExtensibleArrayHeader{}, golden, {}, Guard::checksum);
  EXPECT_EQ(m.element_bytes, 8);
  EXPECT_EQ(m.parameters.max_elements_bits, 32);
  EXPECT_EQ(m.parameters.index_block_elements, 4);
  EXPECT_EQ(m.parameters.min_data_block_elements, 16);
  EXPECT_EQ(m.parameters.min_data_block_pointers, 4);
  EXPECT_EQ(m.parameters.page_bits, 10);
  EXPECT_EQ(m.super_blocks, 2u);
  EXPECT_EQ(m.super_block_bytes, 652u);
  EXPECT_EQ(m.data_block_bytes, 16948u);
  EXPECT_EQ(m.index_end, 200001u);
  EXPECT_EQ(m.slots, 4u + 64 + 2048);
}

TEST(ExtensibleArrayCodec, ReadsHeaderOfFilteredChunks) {
  const auto golden = from_hex(
      "45414844 00 01 0e 20 04 10 04 0a | 8*00 8*00 8*00 8*00 | 03 7*00 04 7*00 | 2b05 6*00 98606afb");
  EXPECT_EQ(expect_codec(ExtensibleArrayHeader{}, golden, {}, Guard::checksum).client, 1);
}

TEST(ExtensibleArrayCodec, ReadsIndexBlock) {
  const auto golden = from_hex(
      "45414942 0000 cf01 6*00 | 0008 6*00 0108 6*00 0208 6*00 0308 6*00 | 9504 6*00 40*ff | 200*ff |"
      "3301cbec");
  ExtensibleArrayIndexBlock blank;
  blank.element_total_bytes = 32;
  blank.data_block_count = 6;
  blank.super_block_count = 25;
  const auto m = expect_codec(blank, golden, {}, Guard::checksum);
  EXPECT_EQ(m.header, to_address(0x1cf));
  EXPECT_EQ(m.data_blocks[0], to_address(0x495));
  EXPECT_FALSE(is_valid(m.data_blocks[1]));
  EXPECT_THAT(m.super_blocks, Each(Address::undefined));
}

TEST(ExtensibleArrayCodec, ReadsSuperBlockWithoutPages) {
  const auto golden = from_hex("45415342 0000 cf01 6*00 f0000000 | 7703 6*00 24*ff | fc080bab");
  ExtensibleArraySuperBlock blank;
  blank.data_block_count = 4;
  const auto m = expect_codec(blank, golden, {}, Guard::checksum);
  EXPECT_EQ(m.first_element, 240u);
  EXPECT_THAT(m.data_blocks,
              ElementsAre(to_address(0x377), Address::undefined, Address::undefined, Address::undefined));
}

TEST(ExtensibleArrayCodec, ReadsSuperBlockWithPages) {
  const auto golden =
      from_hex("45415342 0000 cf01 6*00 f0ff0100 | 8*00 10 55*00 | 248*ff 16*ff 0010 6*00 240*ff | b894d091");
  ExtensibleArraySuperBlock blank;
  blank.bitmap_bytes = 64;
  blank.data_block_count = 64;
  const auto m = expect_codec(blank, golden, {}, Guard::checksum);
  // Two pages each; the second one of data block 33.
  EXPECT_TRUE(page_bit(m.page_bitmap, 33 * 2 + 1));
  EXPECT_FALSE(page_bit(m.page_bitmap, 33 * 2));
  EXPECT_EQ(m.data_blocks[33], to_address(0x1000));
}

TEST(ExtensibleArrayCodec, ReadsDataBlock) {
  const auto golden =
      from_hex("45414442 0000 cf01 6*00 00000000 | 0408 6*00 0508 6*00 0608 6*00 0708 6*00 96*ff | 57dbd5c5");
  ExtensibleArrayDataBlock blank;
  blank.element_total_bytes = 16 * 8;
  EXPECT_EQ(load_word(expect_codec(blank, golden, {}, Guard::checksum).elements.data() + 8, 8), 0x805u);
}

TEST(ExtensibleArrayCodec, ReadsDataBlockBeforeItsPages) {
  const auto golden = from_hex("454144420000cf01000000000000f0070300d3163e7b");
  const auto m = expect_codec(ExtensibleArrayDataBlock{}, golden, {}, Guard::checksum);
  EXPECT_EQ(m.first_element, 198640u);
}

TEST(ExtensibleArrayCodec, SizesFollowTheWidths) {
  for (const std::uint8_t width : {2, 4, 8}) {
    const Widths widths{width, width};
    ExtensibleArrayHeader header;
    header.element_bytes = width;
    header.index_end = 77;
    const Buffer bytes = encode(header, widths);
    EXPECT_EQ(bytes.size(), 16u + 7 * width);
    EXPECT_EQ(expect_codec(ExtensibleArrayHeader{}, bytes, widths, Guard::checksum).index_end, 77u);
    ExtensibleArraySuperBlock block;
    block.data_block_count = 2;
    block.data_blocks = {to_address(0x40), Address::undefined};
    const Buffer super = encode(block, widths);
    EXPECT_EQ(super.size(), 14u + 3 * width);
    ExtensibleArraySuperBlock blank;
    blank.data_block_count = 2;
    EXPECT_EQ(expect_codec(blank, super, widths, Guard::checksum).data_blocks, block.data_blocks);
  }
}

TEST(ExtensibleArrayGeometry, LocatesElementsLikeTheReference) {
  const ExtensibleArrayGeometry geometry{ExtensibleArrayParameters{}};
  EXPECT_EQ(geometry.groups(), 29u);
  EXPECT_EQ(geometry.direct_groups(), 4u);
  EXPECT_EQ(geometry.direct_blocks(), 6u);
  EXPECT_EQ(geometry.offset_bytes(), 4);
  const auto far = geometry.locate(200000);
  EXPECT_EQ(far.group, 13u);
  EXPECT_EQ(far.block, 33u);
  EXPECT_EQ(far.element, 200000u - 4 - 198640);
  EXPECT_EQ(geometry.group(13).pages, 2u);
  EXPECT_EQ(geometry.locate(4).group, 0u);
  EXPECT_EQ(geometry.locate(4 + 240).group, 4u);
}

TEST(ExtensibleArrayGeometry, CoversEveryElementOnce) {
  ExtensibleArrayParameters parameters;
  parameters.max_elements_bits = 12;
  parameters.min_data_block_elements = 2;
  const ExtensibleArrayGeometry geometry(parameters);
  std::uint64_t index = parameters.index_block_elements;
  std::uint64_t block_number = 0;
  for (unsigned u = 0; u < geometry.groups(); ++u) {
    const auto group = geometry.group(u);
    EXPECT_EQ(group.first_block, block_number);
    for (std::uint64_t block = 0; block < group.blocks; ++block, ++block_number) {
      for (std::uint64_t element = 0; element < group.block_elements; ++element, ++index) {
        const auto location = geometry.locate(index);
        ASSERT_EQ(location.group, u) << index;
        ASSERT_EQ(location.block, block) << index;
        ASSERT_EQ(location.element, element) << index;
      }
    }
  }
  EXPECT_EQ(geometry.locate(index).group, geometry.groups());
  EXPECT_EQ(geometry.locate(~std::uint64_t{0}).group, geometry.groups());
}

TEST(ExtensibleArrayCodec, ReadsTheVersionOfPrototypesForStructuredChunksOnly) {
  const auto expect_both = [](auto block) {
    block.client = 3;
    auto blank = block;
    block.version = 1;
    EXPECT_EQ(expect_codec(blank, encode(block, {}), {}, Guard::checksum).version, 1);
    block.client = 1;
    EXPECT_THROW(encode(block, {}), Error);
  };
  ExtensibleArrayHeader header;
  header.element_bytes = 42;
  expect_both(header);
  expect_both(ExtensibleArrayIndexBlock{});
  expect_both(ExtensibleArraySuperBlock{});
  expect_both(ExtensibleArrayDataBlock{});
}

TEST(ExtensibleArrayGeometry, RejectsParametersThatContradictEachOther) {
  const auto refused = [](auto change) {
    ExtensibleArrayParameters parameters;
    change(parameters);
    EXPECT_THROW(ExtensibleArrayGeometry{parameters}, Error);
  };
  refused([](auto& p) { p.min_data_block_elements = 3; });
  refused([](auto& p) { p.min_data_block_elements = 0; });
  refused([](auto& p) { p.min_data_block_pointers = 6; });
  refused([](auto& p) { p.max_elements_bits = 3; });
  refused([](auto& p) { p.max_elements_bits = 65; });
  refused([](auto& p) { p.page_bits = 32; });
  refused([](auto& p) { p.page_bits = 4; });  // pages below the index block, which has no bitmap
  ExtensibleArrayParameters widest;
  widest.max_elements_bits = 64;
  EXPECT_THROW(ExtensibleArrayGeometry{widest}.group(60), Error);
}

}  // namespace
}  // namespace filigree::format
