// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/symbol_node.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(SymbolNodeCodec, ReadsEveryKindOfEntry) {
  const auto golden = from_hex(
      "534e4f44 01000400"
      "| 08 7*00 2003 6*00 8*00 16*00"
      "| 20 7*00 a815 6*00 01 7*00 d015 6*00 f017 6*00"
      "| 10 7*00 8*ff 02 7*00 18 15*00"
      "| 28 7*00 6818 6*00 8*00 16*00");
  const auto m = expect_codec(SymbolNode{}, golden, {}, Guard::none);
  ASSERT_EQ(m.entries.size(), 4u);
  EXPECT_EQ(m.entries[0].header, to_address(0x320));
  EXPECT_EQ(m.entries[1].cache, EntryCache::group);
  EXPECT_EQ(m.entries[1].cached_heap, to_address(0x17f0));
  EXPECT_EQ(m.entries[2].cache, EntryCache::soft_link);
  EXPECT_EQ(m.entries[2].link_offset, 0x18u);
  EXPECT_FALSE(is_valid(m.entries[2].header));
  EXPECT_EQ(m.allocated_bytes({}), 328u);
}

TEST(SymbolNodeCodec, ReadsNarrowFiles) {
  const auto two = from_hex(
      "534e4f44 01000300"
      "| 0800 5201 8*00 16*00 | 2000 ee11 01 7*00 1612 a412 12*00 | 1000 ffff 02 7*00 18 15*00");
  EXPECT_EQ(expect_codec(SymbolNode{}, two, {2, 2}, Guard::none).entries[1].cached_btree, to_address(0x1216));
  const auto four = from_hex("534e4f44 01000100 | 20000000 2c130000 01 7*00 54130000 68140000 8*00");
  EXPECT_EQ(expect_codec(SymbolNode{}, four, {4, 4}, Guard::none).entries[0].cached_heap, to_address(0x1468));
  const auto mixed = from_hex("534e4f44 01000100 | 20 7*00 e4130000 01 7*00 0c140000 a4150000 8*00");
  EXPECT_EQ(expect_codec(SymbolNode{}, mixed, {4, 8}, Guard::none).entries[0].name_offset, 0x20u);
}

TEST(SymbolNodeCodec, RejectsMoreEntriesThanTheNodeHolds) {
  const auto golden = from_hex("534e4f44 01000300 120*00");
  SymbolNode node;
  node.leaf_k = 1;
  EXPECT_THROW(decode(node, Bytes(golden), {}), Error);
  node.leaf_k = 2;
  decode(node, Bytes(golden), {});
  EXPECT_EQ(node.entries.size(), 3u);
}

}  // namespace
}  // namespace filigree::format
