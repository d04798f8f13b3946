// SPDX-License-Identifier: Apache-2.0
#include "format/free_space/free_space.hpp"

#include "base/checksum.hpp"
#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

FreeSpaceList blank(const FreeSpaceHeader& header) {
  FreeSpaceList list;
  list.client = header.client;
  list.section_classes = header.section_classes;
  list.address_bits = header.address_bits;
  list.largest_section = header.largest_section;
  list.serialised_sections = header.serialised_sections;
  return list;
}

/// Appends the checksum that a list or header ends with.
Buffer sealed(Buffer bytes) {
  const std::uint32_t sum = lookup3(bytes);
  bytes.resize(bytes.size() + 4);
  store_word(bytes.data() + bytes.size() - 4, sum, 4);
  return bytes;
}

// A dense group of 200 soft links: eight holes of 7 bytes that nothing fits, and the end of the last block.
FreeSpaceHeader reference_header() {
  const auto golden = from_hex(
      "46534844 00 00 1302 6*00 09 7*00 09 7*00 8*00 0400 5000 7800 2000 000001 5*00 d40e 6*00 46 7*00 46 "
      "7*00"
      " 6c05c2ec");
  return expect_codec(FreeSpaceHeader{}, golden, {}, Guard::checksum);
}

Buffer reference_list() {
  return from_hex(
      "46535345 00 8202 6*00 | 08 070000 f9010000 00 f9030000 00 f9050000 00 f9070000 00 f9090000 00 "
      "f90b0000 00"
      "f90d0000 00 f90f0000 00 | 01 db0100 25120000 00 | d20cb8e4");
}

TEST(FreeSpaceCodec, ReadsHeapManager) {
  const FreeSpaceHeader header = reference_header();
  EXPECT_EQ(header.client, FreeSpaceClient::heap);
  EXPECT_EQ(header.free_bytes, 8u * 7 + 475);
  EXPECT_EQ(header.list_bytes, 70u);
  const FreeSpaceList list = expect_codec(blank(header), reference_list(), {}, Guard::checksum);
  EXPECT_EQ(list.sections.size(), 9u);
}

TEST(FreeSpaceCodec, DecodesAndEncodesSectionsInAnyOrder) {
  const FreeSpaceHeader header = reference_header();
  auto sections = decode_sections(header, to_address(0x282), reference_list(), {});
  ASSERT_EQ(sections.size(), 9u);
  EXPECT_EQ(sections[0], (FreeSection{0x1f9, 7, heap_section::single, {}}));
  EXPECT_EQ(sections[8], (FreeSection{0x1225, 475, heap_section::single, {}}));
  EXPECT_EQ(section_list_bytes(header, sections, {}), 70u);
  std::swap(sections[0], sections[8]);
  EXPECT_EQ(to_hex(encode_sections(header, to_address(0x282), sections, {})), to_hex(reference_list()));
}

TEST(FreeSpaceCodec, RejectsListOfAnotherManager) {
  EXPECT_THROW(decode_sections(reference_header(), to_address(0x280), reference_list(), {}), Error);
}

TEST(FreeSpaceCodec, ReadsClassDataOfFirstRows) {
  FreeSpaceHeader header = reference_header();
  header.serialised_sections = header.sections = 2;
  header.list_bytes = 17 + 2 * (1 + 3 + 4 + 1) + 10;
  const auto golden = sealed(from_hex(
      "46535345 00 8202 6*00 | 01 eb0100 00040000 00 | 01 000400 00100000 01 00000000 0400 0200 0600"));
  const auto list = expect_codec(blank(header), golden, {}, Guard::checksum);
  ASSERT_EQ(list.sections.size(), 2u);
  HeapSectionData data;
  data.address_bits = header.address_bits;
  decode(data, Bytes(list.sections[1].class_data), {});
  EXPECT_EQ(data.row, 4u);
  EXPECT_EQ(data.column, 2u);
  EXPECT_EQ(data.entries, 6u);
  expect_codec(HeapSectionData{.address_bits = 40}, from_hex("0000010000 0900 0000 0400"), {}, Guard::none);
  EXPECT_EQ(section_list_bytes(header, list.sections, {}), header.list_bytes);
}

TEST(FreeSpaceCodec, ReadsFileSectionsAtAllWidths) {
  for (const std::uint8_t width : {2, 4, 8}) {
    const Widths widths{width, width};
    FreeSpaceHeader header;
    header.client = FreeSpaceClient::file;
    header.section_classes = 3;
    header.address_bits = 63;
    header.largest_section = 4096;
    header.sections = header.serialised_sections = 3;
    const std::vector<FreeSection> sections{{0x100, 16, file_section::simple, {}},
                                            {0x200, 300, file_section::small, {}},
                                            {0x1000, 300, file_section::large, {}}};
    const Buffer list = encode_sections(header, to_address(0x30), sections, widths);
    header.list_bytes = header.list_allocated_bytes = list.size();
    EXPECT_EQ(list.size(), section_list_bytes(header, sections, widths));
    const std::string zeros = std::to_string(width - 1) + "*00";
    EXPECT_EQ(to_hex(list),
              to_hex(sealed(from_hex("46535345 00 30 " + zeros +
                                     " 01 1000 0001 6*00 00 | 02 2c01 0002 6*00 01 0010 6*00 02"))));
    expect_codec(blank(header), list, widths, Guard::checksum);
    EXPECT_EQ(decode_sections(header, to_address(0x30), list, widths), sections);
    expect_codec(header, encode(header, widths), widths, Guard::checksum);
  }
}

TEST(FreeSpaceCodec, AcceptsSlackBeforeTheChecksum) {
  FreeSpaceHeader header = reference_header();
  header.serialised_sections = header.sections = 1;
  const auto golden = sealed(from_hex("46535345 00 8202 6*00 | 01 eb0100 00040000 00 | 5*00"));
  header.list_bytes = header.list_allocated_bytes = golden.size();
  EXPECT_EQ(expect_codec(blank(header), golden, {}, Guard::checksum).slack_bytes, 5u);
  EXPECT_EQ(decode_sections(header, to_address(0x282), golden, {}).at(0).address, 0x400u);
}

// Release 1.8.0 stored sizes up to 65536 in two bytes.
TEST(FreeSpaceCodec, ReadsTheNarrowWidthsOfOldFiles) {
  FreeSpaceHeader header = reference_header();
  header.serialised_sections = header.sections = 2;
  const auto golden = sealed(from_hex("46535345 00 8202 6*00 | 01 1600 99040000 00 | 01 eb01 00040000 00"));
  header.list_bytes = header.list_allocated_bytes = golden.size();
  const auto sections = decode_sections(header, to_address(0x282), golden, {});
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0], (FreeSection{0x499, 22, heap_section::single, {}}));
  EXPECT_EQ(sections[1], (FreeSection{0x400, 0x1eb, heap_section::single, {}}));
  FreeSpaceList blank_narrow = blank(header);
  blank_narrow.narrow_widths = true;
  expect_codec(blank_narrow, golden, {}, Guard::checksum);
}

TEST(FreeSpaceCodec, RejectsCountsThatTheListCannotHold) {
  FreeSpaceHeader header = reference_header();
  header.serialised_sections = header.sections = ~std::uint64_t{0} / 2;
  const auto golden = sealed(from_hex("46535345 00 8202 6*00 | ffffffffffffff3f 160000 99040000 00"));
  header.list_bytes = header.list_allocated_bytes = golden.size();
  EXPECT_THROW(decode_sections(header, to_address(0x282), golden, {}), Error);
}

}  // namespace
}  // namespace filigree::format
