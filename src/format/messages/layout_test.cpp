// SPDX-License-Identifier: Apache-2.0
#include "format/messages/layout.hpp"

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
constexpr Widths narrowest{2, 4};

LayoutMessage expect_layout(std::string_view hex, const Widths& widths = {}) {
  return expect_codec(LayoutMessage{}, from_hex(hex), widths, Guard::none);
}

void expect_fault(std::string_view hex, std::string_view field) {
  try {
    decode<LayoutMessage>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
  }
}

TEST(LayoutCodec, ReadsVersion1) {
  const auto chunked = expect_layout("01030200 00000000 0010 6*00 14000000 14000000 04000000");
  EXPECT_EQ(chunked.layout, LayoutClass::chunked);
  EXPECT_EQ(chunked.index, ChunkIndexType::btree_v1);
  EXPECT_EQ(chunked.address, to_address(0x1000));
  EXPECT_THAT(chunked.dims, ElementsAre(20, 20, 4));
  const auto contiguous = expect_layout("01010100 00000000 0008 6*00 04000000");
  EXPECT_EQ(contiguous.layout, LayoutClass::contiguous);
  EXPECT_EQ(contiguous.address, to_address(0x800));
}

TEST(LayoutCodec, ReadsVersion2) {
  const auto unallocated = expect_layout("02010100 00000000 8*ff 01000000");
  EXPECT_FALSE(is_valid(unallocated.address));
  const auto compact = expect_layout("02020000 00000000 03000000 02000000 06000000 010002000300");
  EXPECT_EQ(compact.layout, LayoutClass::compact);
  EXPECT_EQ(to_hex(compact.compact_data), "01000200 0300");
}

TEST(LayoutCodec, ReadsVersion3) {
  const auto contiguous = expect_layout("0301 0008 6*00 30 7*00");
  EXPECT_EQ(contiguous.address, to_address(0x800));
  EXPECT_EQ(contiguous.contiguous_bytes, 48u);
  const auto compact = expect_layout("0300 1800 0100 0200 0300 18*00");
  EXPECT_EQ(compact.compact_data.size(), 24u);
  const auto chunked = expect_layout("0302 03 3004 6*00 02000000 03000000 04000000");
  EXPECT_EQ(chunked.address, to_address(0x430));
  EXPECT_THAT(chunked.dims, ElementsAre(2, 3, 4));
}

TEST(LayoutCodec, ReadsVersion3AtNarrowWidths) {
  const auto contiguous = expect_layout("0301 ffffffff 30000000", narrow);
  EXPECT_FALSE(is_valid(contiguous.address));
  EXPECT_EQ(expect_layout("0302 03 fc020000 02000000 03000000 04000000", narrow).address, to_address(0x2fc));
}

TEST(LayoutCodec, ReadsVersion4Storage) {
  EXPECT_EQ(expect_layout("0401 8*ff 30 7*00").contiguous_bytes, 48u);
  EXPECT_EQ(expect_layout("0400 0600 010002000300").compact_data.size(), 6u);
  const auto virtual_dataset = expect_layout("0403 0008 6*00 01000000");
  EXPECT_EQ(virtual_dataset.layout, LayoutClass::virtual_dataset);
  EXPECT_EQ(virtual_dataset.heap_index, 1u);
  EXPECT_EQ(expect_layout("0403 0008 01000000", narrowest).address, to_address(0x800));
}

TEST(LayoutCodec, ReadsSingleChunk) {
  const auto minimal = expect_layout("0402 00 03 01 040304 01 8*ff");
  EXPECT_EQ(minimal.index, ChunkIndexType::single_chunk);
  EXPECT_FALSE(minimal.single_chunk_filtered);
  const auto filtered = expect_layout("0402 02 03 01 040302 01 1c 7*00 00000000 0008 6*00");
  EXPECT_TRUE(filtered.single_chunk_filtered);
  EXPECT_EQ(filtered.single_chunk_bytes, 28u);
  EXPECT_EQ(filtered.address, to_address(0x800));
  EXPECT_EQ(expect_layout("0402 02 03 01 040302 01 1c000000 01000000 0008", narrowest).single_chunk_mask, 1u);
}

TEST(LayoutCodec, ReadsImplicitAndFixedArray) {
  EXPECT_EQ(expect_layout("0402 00 03 01 020304 02 0008 6*00").index, ChunkIndexType::implicit);
  const auto fixed = expect_layout("0402 01 03 01 020304 03 0a 8*ff");
  EXPECT_EQ(fixed.index, ChunkIndexType::fixed_array);
  EXPECT_TRUE(fixed.raw_partial_chunks);
  EXPECT_EQ(fixed.fixed_array_page_bits, 10);
  const auto wide = expect_layout("0402 00 03 02 2c01 0300 0400 03 0a 8*ff");
  EXPECT_THAT(wide.dims, ElementsAre(300, 3, 4));
}

TEST(LayoutCodec, ReadsExtensibleArrayAndTree) {
  const auto array = expect_layout("0402 00 03 01 020304 04 20 04 04 10 0a 8*ff");
  EXPECT_EQ(array.index, ChunkIndexType::extensible_array);
  EXPECT_EQ(array.extensible_array.max_elements_bits, 32);
  EXPECT_EQ(array.extensible_array.min_data_block_elements, 16);
  const auto tree = expect_layout("0402 00 03 01 020304 05 00080000 64 28 8*ff");
  EXPECT_EQ(tree.index, ChunkIndexType::btree_v2);
  EXPECT_EQ(tree.btree_v2.node_bytes, 2048u);
  EXPECT_EQ(expect_layout("0402 00 03 01 020304 05 00080000 64 28 ffff", narrowest).btree_v2.merge_percent,
            40);
}

TEST(LayoutCodec, ReadsVersion5LikeVersion4) {
  const auto m = expect_layout("0502 00 02 05 0000000001 0100000000 03 0a 8*ff");
  EXPECT_EQ(m.version, 5);
  EXPECT_THAT(m.dims, ElementsAre(std::uint64_t{1} << 32, 1));
}

TEST(LayoutCodec, KeepsWiderDimensionsThanNeeded) {
  EXPECT_EQ(expect_layout("0402 00 02 04 02000000 04000000 02 0008 6*00").dim_bytes, 4);
}

TEST(LayoutCodec, ReadsOtherClassesOfVersion5LikeVersion4) {
  EXPECT_EQ(expect_layout("0500 0600 010002000300").compact_data.size(), 6u);
  EXPECT_EQ(expect_layout("0501 8*ff 30 7*00").contiguous_bytes, 48u);
  EXPECT_EQ(expect_layout("0503 0008 6*00 01000000").heap_index, 1u);
}

TEST(LayoutCodec, ReadsSparseChunksInAFixedArray) {
  const auto m = expect_layout("0504 00 0100 00 03 01 050504 08 02 01 00 03 0a 6408 6*00");
  EXPECT_EQ(m.layout, LayoutClass::structured);
  EXPECT_TRUE(m.in_chunks());
  EXPECT_EQ(m.composition, ChunkComposition::make(true, false));
  EXPECT_THAT(m.dims, ElementsAre(5, 5, 4));
  EXPECT_EQ(m.index, ChunkIndexType::fixed_array);
  EXPECT_EQ(m.address, to_address(0x864));
}

TEST(LayoutCodec, ReadsAllCompositions) {
  const auto sparse = expect_layout("0504 00 0300 01 02 01 0410 08 03 03 000102 05 00080000 64 28 8*ff");
  EXPECT_EQ(sparse.composition, ChunkComposition::make(true, true));
  EXPECT_TRUE(sparse.composition.has_heap());
  EXPECT_TRUE(sparse.raw_partial_chunks);
  const auto dense =
      expect_layout("0504 00 0200 00 02 01 0410 08 02 02 0001 04 20 04 04 10 0a 0008", narrowest);
  EXPECT_EQ(dense.composition, ChunkComposition::make(false, true));
  EXPECT_FALSE(dense.composition.sparse());
  EXPECT_TRUE(dense.composition.has_heap());
  // As prototypes wrote them: no bit for sparse, none for variable length.
  const auto early = expect_layout("0504 00 0000 00 02 01 0410 08 03 03 000102 03 0a 8*ff");
  EXPECT_TRUE(early.composition.sparse());
  EXPECT_TRUE(early.composition.has_heap());
  const auto sizeless = expect_layout("0504 00 0000 00 02 01 0404 08 02 01 00 05 00000000 64 28 0008 6*00");
  EXPECT_EQ(sizeless.btree_v2.node_bytes, 0u);
}

TEST(LayoutCodec, ReadsASingleStructuredChunk) {
  const auto minimal = expect_layout("0504 00 0100 00 03 01 050504 08 02 01 00 01 7300 5b 7*00 0008 6*00");
  EXPECT_EQ(minimal.single_chunk_bytes, 0x73u);
  EXPECT_EQ(minimal.single_chunk_sections.count, 2);
  EXPECT_EQ(minimal.single_chunk_sections.bytes(0, 0x73), 0x5bu);
  EXPECT_EQ(minimal.single_chunk_sections.bytes(1, 0x73), 0x18u);
  EXPECT_EQ(minimal.address, to_address(0x800));
  const auto filtered = expect_layout(
      "0504 00 0100 02 03 01 050504 08 02 01 00 01 7300 5b 7*00 5b 7*00 18 7*00 00000000 01000000 0008 6*00");
  EXPECT_TRUE(filtered.single_chunk_filtered);
  EXPECT_THAT(filtered.single_chunk_sections.unfiltered_bytes, ElementsAre(0x5b, 0x18, 0));
  EXPECT_THAT(filtered.single_chunk_sections.filter_masks, ElementsAre(0, 1, 0));
  const auto heap =
      expect_layout("0504 00 0300 00 02 01 0410 08 03 03 000102 01 83 7*00 43 7*00 77 7*00 00080000", narrow);
  EXPECT_EQ(heap.single_chunk_bytes, 0x83u);
  EXPECT_THAT(heap.single_chunk_sections.offsets, ElementsAre(0, 0x43, 0x77));
}

TEST(LayoutCodec, ReadsBothMarksOfAMissingSingleChunk) {
  const std::string start = "0504 00 0000 00 03 01 050504 08 02 01 00 01 0000 8*00 ";
  const auto undefined = expect_layout(start + "8*ff");
  EXPECT_FALSE(is_valid(undefined.address));
  EXPECT_FALSE(undefined.single_chunk_marked_empty);
  const auto marked = expect_layout(start + "fe 7*ff");
  EXPECT_FALSE(is_valid(marked.address));
  EXPECT_TRUE(marked.single_chunk_marked_empty);
  EXPECT_TRUE(expect_layout(start + "feffffff", narrow).single_chunk_marked_empty);
  EXPECT_TRUE(is_valid(expect_layout(start + "fdffffff", narrow).address));
}

TEST(LayoutCodec, DoesNotTakeTheMarkForAMissingChunkElsewhere) {
  const auto sized = expect_layout("0504 00 0000 00 03 01 050504 08 02 01 00 01 7300 5b 7*00 fe 7*ff");
  EXPECT_EQ(sized.address, to_address(0xfffffffffffffffe));
  const auto array = expect_layout("0504 00 0000 00 03 01 050504 08 02 01 00 03 0a fe 7*ff");
  EXPECT_EQ(array.address, to_address(0xfffffffffffffffe));
  EXPECT_TRUE(is_valid(expect_layout("0402 00 02 01 0204 01 fe 7*ff").address));
}

TEST(LayoutCodec, ForgetsTheMarkWhenTheChunkExists) {
  auto m = expect_layout("0504 00 0000 00 03 01 050504 08 02 01 00 01 0000 8*00 fe 7*ff");
  m.address = to_address(0x800);
  m.single_chunk_bytes = 0x73;
  m.single_chunk_sections.offsets[1] = 0x5b;
  EXPECT_EQ(to_hex(encode(m, {})),
            to_hex(from_hex("0504 00 0000 00 03 01 050504 08 02 01 00 01 7300 5b 7*00 0008 6*00")));
}

TEST(LayoutCodec, ReadsStructuredChunksOfVersion6) {
  const auto m = expect_layout("0604 00 0100 00 03 01 050504 08 02 01 00 03 0a 6408 6*00");
  EXPECT_EQ(m.version, 6);
  EXPECT_EQ(m.composition, ChunkComposition::make(true, false));
  EXPECT_EQ(m.address, to_address(0x864));
  expect_fault("0604 01 0100 00 03 01 050504 08 02 01 00 03 0a 8*ff", "property version");
}

TEST(LayoutCodec, ReadsAWideFieldOfOffsetBytes) {
  const auto m = decode<LayoutMessage>(
      Bytes(from_hex("0504 00 0100 00 03 01 050504 08 7*00 02 01 00 03 0a 6408 6*00")), {});
  EXPECT_EQ(m.composition, ChunkComposition::make(true, false));
  EXPECT_EQ(m.address, to_address(0x864));
  EXPECT_EQ(to_hex(encode(m, {})),
            to_hex(from_hex("0504 00 0100 00 03 01 050504 08 02 01 00 03 0a 6408 6*00")));
}

TEST(LayoutCodec, ReadsDraftsWithTheIndexBeforeTheSections) {
  for (const char* const index : {"03 0a", "04 20 04 04 10 0a", "05 00080000 64 28"}) {
    const std::string start = "0504 00 0100 00 03 01 050504 ", sections = "08 02 01 00 ",
                      address = "6408 6*00 ";
    const auto m = decode<LayoutMessage>(Bytes(from_hex(start + index + " " + address + sections)), {});
    EXPECT_EQ(m.composition, ChunkComposition::make(true, false));
    EXPECT_EQ(m.address, to_address(0x864));
    EXPECT_EQ(to_hex(encode(m, {})), to_hex(from_hex(start + sections + index + " " + address)));
  }
  expect_fault("0504 00 0100 00 03 01 050504 03 0a 6408 6*00 04 02 01 00", "offset bytes");
  expect_fault("0504 00 0100 00 03 01 050504 01 7300 5b 7*00 6408 6*00 08 02 01 00", "offset bytes");
}

TEST(LayoutCodec, DerivesTheWidthOfSizes) {
  const auto width = [](std::uint64_t bytes, bool heap) {
    return unsigned{ChunkComposition::make(true, heap).size_bytes(bytes)};
  };
  EXPECT_EQ(width(100, false), 2u);
  EXPECT_EQ(width(255, false), 2u);
  EXPECT_EQ(width(256, false), 3u);
  EXPECT_EQ(width(~std::uint64_t{0}, false), 8u);
  EXPECT_EQ(width(100, true), 8u);
  EXPECT_EQ(unsigned{ChunkComposition::make(false, true).size_bytes(100)}, 8u);
}

TEST(LayoutCodec, ReportsMoreSectionsAsUnsupported) {
  try {
    decode<LayoutMessage>(Bytes(from_hex("0504 00 0100 00 03 01 050504 08 04 01 00 03 0a 8*ff")), {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  }
}

TEST(LayoutCodec, RejectsInvalidStructuredChunks) {
  expect_fault("0504 01 0100 00 03 01 050504 08 02 01 00 03 0a 8*ff", "property version");
  expect_fault("0504 00 0400 00 03 01 050504 08 02 01 00 03 0a 8*ff", "chunk type");
  expect_fault("0504 00 0100 04 03 01 050504 08 02 01 00 03 0a 8*ff", "flags");
  expect_fault("0504 00 0100 00 01 01 04 08 02 01 00 03 0a 8*ff", "dimensions");
  expect_fault("0504 00 0100 00 03 01 050004 08 02 01 00 03 0a 8*ff", "dimension");
  expect_fault("0504 00 0100 00 03 01 050504 07 02 01 00 03 0a 8*ff", "offset bytes");
  expect_fault("0504 00 0100 00 03 01 050504 08 00 01 00 03 0a 8*ff", "offset bytes");
  expect_fault("0504 00 0100 00 03 01 050504 08 01 01 00 03 0a 8*ff", "sections");
  expect_fault("0504 00 0100 00 03 01 050504 08 0d 01 00 03 0a 8*ff", "sections");
  expect_fault("0504 00 0300 00 03 01 050504 08 02 01 00 03 0a 8*ff", "sections");
  expect_fault("0504 00 0200 00 03 01 050504 08 03 01 00 03 0a 8*ff", "sections");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 03 000102 03 0a 8*ff", "metadata sections");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 01 01 03 0a 8*ff", "lacks the selection");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 00 03 0a 8*ff", "lacks the selection");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 02 0100 03 0a 8*ff", "metadata section");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 02 0000 03 0a 8*ff", "metadata section");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 02 0002 03 0a 8*ff", "metadata section");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 01 00 02 8*ff", "index type");
  expect_fault("0504 00 0100 00 03 01 050504 08 02 01 00 00 8*ff", "index type");
  expect_fault("0504 00 0100 02 03 01 050504 08 02 01 00 03 0a 8*ff", "index type");
  expect_fault("0505 16*00", "class");
}

TEST(LayoutCodec, RejectsInvalidValues) {
  expect_fault("0001", "version");
  expect_fault("0704 16*00", "version");
  for (const char* const other : {"0600 16*00", "0601 16*00", "0602 16*00", "0603 16*00", "0605 16*00"})
    expect_fault(other, "class");
  expect_fault("0303 16*00", "class");
  expect_fault("0404 16*00", "class");
  expect_fault("0302 01 8*ff 04000000", "dimensions");
  expect_fault("0302 22 8*ff 136*01", "dimensions");
  expect_fault("0302 02 8*ff 00000000 04000000", "dimension");
  expect_fault("02000100 00000000 8*ff", "dimensions");
  expect_fault("0402 04 02 01 0204 02 8*ff", "flags");
  expect_fault("0402 02 02 01 0204 02 8*ff", "index type");
  expect_fault("0402 00 02 00 02 8*ff", "dimension bytes");
  expect_fault("0402 00 02 09 18*01 02 8*ff", "dimension bytes");
  expect_fault("0402 00 02 01 0204 00 8*ff", "index type");
  expect_fault("0402 00 02 01 0204 06 8*ff", "index type");
  expect_fault("0402 00 02 01 0204 03 00 8*ff", "page bits");
  expect_fault("0402 00 02 01 0204 03 20 8*ff", "page bits");
  expect_fault("0402 00 02 01 0204 04 41 04 04 10 0a 8*ff", "maximum elements bits");
  expect_fault("0402 00 02 01 0204 05 00000000 64 28 8*ff", "node bytes");
  expect_fault("0402 00 02 01 0204 05 00080000 65 28 8*ff", "split percent");
  expect_fault("0300 ffff 00", "data");
}

}  // namespace
}  // namespace filigree::format
