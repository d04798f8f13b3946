// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/fractal_heap.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

// Ten soft links in one direct block.
const char* const small_links_heap =
    "465248500007000000020010 10*00 8*ff 0f01 6*00 8202 7*00 02 7*00 02 14*00 0a 39*00 04000002 8*00 01 "
    "5*00 20000100ee04 8*00 0868326f";

// Nine attributes, three of them huge.
const char* const attributes_heap =
    "465248500008000000020010000003 7*00 6804 6*00 9a61 6*00 1602 7*00 80 7*00 24 7*00 60 6*00 06 7*00 "
    "9f79 6*00 03 23*00 04000004 8*00 01 5*00 28000100d206 6*00 04006a47d04f";

FractalHeapIndirectBlock blank_indirect(unsigned rows, bool filtered) {
  FractalHeapIndirectBlock block;
  block.rows = rows;
  block.width = 4;
  block.direct_rows = 9;
  block.offset_bytes = 4;
  block.filtered = filtered;
  return block;
}

TEST(FractalHeapCodec, ReadsHeadersOfLinksAndAttributes) {
  const auto links = expect_codec(FractalHeapHeader{}, from_hex(small_links_heap), {}, Guard::checksum);
  EXPECT_EQ(links.id_bytes, 7u);
  EXPECT_EQ(links.managed_objects, 10u);
  EXPECT_EQ(links.free_bytes, 271u);
  EXPECT_EQ(links.root, to_address(1262));
  EXPECT_FALSE(links.filtered());
  const auto attributes = expect_codec(FractalHeapHeader{}, from_hex(attributes_heap), {}, Guard::checksum);
  EXPECT_EQ(attributes.root_rows, 4u);
  EXPECT_EQ(attributes.huge_objects, 3u);
  EXPECT_EQ(attributes.next_huge_id, 3u);
  EXPECT_EQ(attributes.iterator, 24576u);
}

TEST(FractalHeapCodec, ReadsFilteredHeader) {
  const auto golden = from_hex(
      "465248500007001200020010 10*00 8*ff a901 6*00 7002 7*00 02 7*00 02 14*00 03 39*00 04000002 8*00 01 "
      "5*00 20000100dc04 8*00 39 11*00 02020100010001000600000003 5*00 b91c1907");
  const auto header = expect_codec(FractalHeapHeader{}, golden, {}, Guard::checksum);
  EXPECT_EQ(header.root_stored_bytes, 57u);
  EXPECT_EQ(header.pipeline.size(), 18u);
}

TEST(FractalHeapCodec, KeepsHeaderAtNarrowWidths) {
  for (const Widths widths : {Widths{4, 4}, Widths{2, 4}, Widths{4, 8}, Widths{8, 4}}) {
    FractalHeapHeader header;
    header.free_bytes = 271;
    header.managed_objects = 10;
    const Buffer bytes = encode(header, widths);
    EXPECT_EQ(bytes.size(), 26u + 12 * widths.length_bytes + 3 * widths.offset_bytes);
    EXPECT_EQ(expect_codec(FractalHeapHeader{}, bytes, widths, Guard::checksum).managed_objects, 10u);
  }
}

TEST(FractalHeapCodec, RejectsImpossibleShapes) {
  const auto refused = [](auto change) {
    FractalHeapHeader header;
    change(header);
    EXPECT_THROW(encode(header, {}), Error);
  };
  refused([](auto& h) { h.table_width = 3; });
  refused([](auto& h) { h.table_width = 0; });
  refused([](auto& h) { h.start_block = 500; });
  refused([](auto& h) { h.start_block = 16; });
  refused([](auto& h) { h.start_block = 131072; });
  refused([](auto& h) { h.max_direct = 0; });
  refused([](auto& h) { h.max_bits = 10; });
  refused([](auto& h) { h.max_bits = 65; });
  refused([](auto& h) { h.root_rows = 23; });
  refused([](auto& h) { h.id_bytes = 6; });
  refused([](auto& h) { h.id_bytes = 5000; });
  refused([](auto& h) { h.max_managed = 65536; });
  refused([](auto& h) { h.table_width = 1024; });
}

TEST(FractalHeapCodec, ReadsIndirectBlocks) {
  const auto four = expect_codec(
      blank_indirect(4, false),
      from_hex(
          "4648494200ca01 10*00 1a21 6*00 1a1f 6*00 1a1d 6*00 1a1b 6*00 1a19 6*00 1a17 6*00 1a15 6*00 1a13 "
          "6*00 1a0f 6*00 56*ff 835ea3f5"),
      {}, Guard::checksum);
  EXPECT_EQ(four.heap, to_address(458));
  EXPECT_EQ(four.children[8].address, to_address(0xf1a));
  EXPECT_FALSE(is_valid(four.children[9].address));
}

TEST(FractalHeapCodec, ReadsFilteredIndirectBlocks) {
  const auto block = expect_codec(
      blank_indirect(4, true),
      from_hex(
          "46484942009a01 10*00 7c24 6*00 73 11*00 0324 6*00 79 11*00 8823 6*00 7b 11*00 0d23 6*00 7b 11*00 "
          "8f22 6*00 7e 11*00 1522 6*00 7a 11*00 9b21 6*00 7a 11*00 2021 6*00 7b 11*00 7520 6*00 ab 11*00 "
          "d11f "
          "6*00 a4 11*00 3c1f 6*00 95 11*00 8*ff 12*00 8*ff 12*00 8*ff 12*00 8*ff 12*00 8*ff 12*00 496a48ad"),
      {}, Guard::checksum);
  EXPECT_EQ(block.children[0], (FractalHeapIndirectBlock::Child{to_address(0x247c), 0x73, 0}));
  // Rows of indirect blocks hold addresses alone.
  auto tall = blank_indirect(10, true);
  tall.children.resize(40);
  EXPECT_EQ(encoded_bytes(tall, {}), 9u + 8 + 4 + 36 * 20 + 4 * 8);
  expect_codec(blank_indirect(10, true), encode(tall, {}), {}, Guard::checksum);
}

TEST(FractalHeapCodec, ReadsDirectBlockPrefix) {
  FractalHeapDirectPrefix blank;
  blank.offset_bytes = 4;
  const auto prefix = expect_codec(blank, from_hex("4648444200ca01 10*00 b6a13958"), {}, Guard::none);
  EXPECT_EQ(prefix.checksum, 0x5839a1b6u);
  blank.has_checksum = false;
  expect_codec(blank, from_hex("4648444200ca01 6*00 00c00900"), {}, Guard::none);
}

TEST(DoublingTable, MatchesHeapsOfTheReference) {
  const DoublingTable table(FractalHeapHeader{}, {});
  EXPECT_EQ(table.max_root_rows(), 22u);
  EXPECT_EQ(table.direct_rows(), 9u);
  EXPECT_EQ(table.overhead(), 21u);
  EXPECT_EQ(table.covered(8), 262144u);
  EXPECT_EQ(table.covered(22), std::uint64_t{1} << 32);
  EXPECT_EQ(table.child_rows(9), 7u);
  // HDF5 reports these numbers after 30000 objects of 22 bytes.
  EXPECT_EQ(table.usable(16), 66284140u + 30000 * 22);
  EXPECT_EQ(table.usable(8), 151472u + 5000 * 22);
}

TEST(DoublingTable, FindsEveryCellOfEveryRow) {
  const DoublingTable table(FractalHeapHeader{}, {});
  for (unsigned cell = 0; cell < 22 * 4; ++cell) {
    const std::uint64_t start = table.cell_offset(cell);
    const std::uint64_t bytes = table.block_bytes(cell / 4);
    for (const std::uint64_t offset : {start, start + bytes / 2, start + bytes - 1}) {
      const auto found = table.find(offset);
      EXPECT_EQ(found.row * 4 + found.column, cell) << offset;
      EXPECT_EQ(found.offset, start);
      EXPECT_EQ(found.bytes, bytes);
    }
  }
}

HeapIdLayout layout_of(std::uint16_t id_bytes, Widths widths = {}, bool filtered = false) {
  FractalHeapHeader header;
  header.id_bytes = id_bytes;
  if (filtered) header.pipeline.resize(4);
  return HeapIdLayout(header, widths);
}

TEST(HeapIdCodec, ReadsManagedIds) {
  const auto id = from_hex("00 1e000000 0900");
  const auto layout = layout_of(7);
  const HeapId decoded = decode_heap_id(id, layout);
  EXPECT_EQ(decoded.kind, HeapIdKind::managed);
  EXPECT_EQ(decoded.offset, 30u);
  EXPECT_EQ(decoded.length, 9u);
  EXPECT_EQ(encode_heap_id(decoded, layout), id);
}

TEST(HeapIdCodec, ReadsTinyIdsOfAllLengths) {
  for (const std::uint16_t id_bytes : {7, 8, 17, 18, 19, 20, 300, 4097}) {
    const auto layout = layout_of(id_bytes);
    const unsigned longest = id_bytes <= 18 ? std::min(id_bytes - 1, 16) : std::min(id_bytes - 2, 4096);
    ASSERT_EQ(layout.longest_tiny(), longest);
    for (const unsigned length : {1u, longest / 2, longest}) {
      const Buffer object(length, std::byte{0x5a});
      HeapId id;
      id.kind = HeapIdKind::tiny;
      id.tiny = object;
      const Buffer stored = encode_heap_id(id, layout);
      ASSERT_EQ(stored.size(), id_bytes);
      const HeapId decoded = decode_heap_id(stored, layout);
      ASSERT_EQ(decoded.kind, HeapIdKind::tiny);
      EXPECT_EQ(to_hex(decoded.tiny), to_hex(object));
    }
    HeapId id;
    id.kind = HeapIdKind::tiny;
    const Buffer object(longest + 1);
    id.tiny = object;
    EXPECT_THROW(encode_heap_id(id, layout), Error);
  }
  EXPECT_EQ(to_hex(decode_heap_id(from_hex("22 616263 000000"), layout_of(7)).tiny), "616263");
  EXPECT_EQ(decode_heap_id(from_hex("21 02 300*11"), layout_of(302)).tiny.size(), 0x103u);
}

TEST(HeapIdCodec, ReadsHugeIdsByKeyAndDirect) {
  const auto by_key = from_hex("10 0201 4*00");
  EXPECT_EQ(decode_heap_id(by_key, layout_of(7)).key, 0x102u);
  EXPECT_EQ(encode_heap_id(decode_heap_id(by_key, layout_of(7)), layout_of(7)), by_key);
  const auto direct = from_hex("10 00200000 88130000");
  const auto layout = layout_of(9, {4, 4});
  ASSERT_TRUE(layout.huge_direct);
  const HeapId decoded = decode_heap_id(direct, layout);
  EXPECT_EQ(decoded.address, to_address(0x2000));
  EXPECT_EQ(decoded.object_bytes, 5000u);
  EXPECT_EQ(encode_heap_id(decoded, layout), direct);
  EXPECT_FALSE(layout_of(9, {4, 4}, true).huge_direct);
  const auto filtered = from_hex("10 00200000 64000000 01000000 88130000");
  const HeapId packed = decode_heap_id(filtered, layout_of(17, {4, 4}, true));
  EXPECT_EQ(packed.length, 100u);
  EXPECT_EQ(packed.filter_mask, 1u);
  EXPECT_EQ(packed.object_bytes, 5000u);
  EXPECT_EQ(encode_heap_id(packed, layout_of(17, {4, 4}, true)), filtered);
}

TEST(HeapIdCodec, RejectsInvalidIds) {
  for (const char* bad : {"", "00 1e000000 09", "40 1e000000 0900", "30 1e000000 0900", "00 1e000000 0000",
                          "2f 616263 000000"}) {
    EXPECT_THROW(decode_heap_id(from_hex(bad), layout_of(7)), Error) << bad;
  }
}

}  // namespace
}  // namespace filigree::format
