// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/btree1.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::ElementsAre;

BTree1Node group_tree() { return {}; }

BTree1Node chunk_tree(std::uint8_t rank) {
  BTree1Node node;
  node.type = BTree1Type::chunk;
  node.k = 32;
  node.key_offsets = static_cast<std::uint8_t>(rank + 1);
  return node;
}

TEST(BTree1Codec, ReadsGroupLeaf) {
  const auto golden = from_hex("54524545 00000100 8*ff 8*ff 8*00 3004 6*00 28 7*00");
  const auto m = expect_codec(group_tree(), golden, {}, Guard::none);
  EXPECT_THAT(m.names, ElementsAre(0, 0x28));
  EXPECT_THAT(m.children, ElementsAre(to_address(0x430)));
  EXPECT_EQ(m.allocated_bytes({}), 544u);
}

TEST(BTree1Codec, ReadsEmptyGroup) {
  const auto golden = from_hex("54524545 00000000 8*ff 8*ff");
  const auto m = expect_codec(group_tree(), golden, {}, Guard::none);
  EXPECT_TRUE(m.names.empty());
  EXPECT_FALSE(is_valid(m.left));
}

TEST(BTree1Codec, ReadsGroupRootAboveLeaves) {
  const auto golden = from_hex(
      "5452454500010400 16*ff 8*00 c861 7*00 07 6*00 a85f 7*00 0e 6*00 8893 7*00 15 6*00 4873 6*00 28 7*00");
  const auto m = expect_codec(group_tree(), golden, {}, Guard::none);
  EXPECT_EQ(m.level, 1);
  EXPECT_EQ(m.children.size(), 4u);
  EXPECT_EQ(m.names.front(), 0u);
}

TEST(BTree1Codec, ReadsChunkLeafWithSentinel) {
  const auto golden = from_hex(
      "54524545 01000200 8*ff 8*ff"
      "| 04000000 00000000 8*00 8*00 a80d 6*00 | 04000000 00000000 02 7*00 8*00 ac0d 6*00"
      "| 8*00 04 7*00 02 7*00");
  const auto m = expect_codec(chunk_tree(1), golden, {}, Guard::none);
  EXPECT_EQ(m.chunks[1], (BTree1ChunkKey{4, 0, {2, 0}}));
  EXPECT_EQ(m.chunks[2], (BTree1ChunkKey{0, 0, {4, 2}}));
  EXPECT_EQ(m.children[0], to_address(0xda8));
  EXPECT_EQ(m.allocated_bytes({}), 2096u);
}

TEST(BTree1Codec, ReadsNarrowFiles) {
  const auto four = from_hex("54524545 00000100 4*ff 4*ff 4*00 fc020000 28000000");
  EXPECT_THAT(expect_codec(group_tree(), four, {4, 4}, Guard::none).names, ElementsAre(0, 0x28));
  const auto mixed = from_hex("54524545 00000100 4*ff 4*ff 8*00 94030000 28000000 00000000");
  EXPECT_EQ(expect_codec(group_tree(), mixed, {4, 8}, Guard::none).children[0], to_address(0x394));
  const auto two = from_hex("54524545 00000100 ffff ffff 0000 6202 2800");
  EXPECT_EQ(expect_codec(group_tree(), two, {2, 2}, Guard::none).children[0], to_address(0x262));
  const auto chunks = from_hex(
      "54524545 01000200 ffff ffff"
      "| 04000000 00000000 8*00 8*00 ee09 | 04000000 00000000 02 7*00 8*00 f209 | 8*00 02 7*00 02 7*00");
  EXPECT_EQ(expect_codec(chunk_tree(1), chunks, {2, 2}, Guard::none).chunks[1],
            (BTree1ChunkKey{4, 0, {2, 0}}));
}

TEST(BTree1Codec, RejectsMoreChildrenThanTheNodeHolds) {
  const auto golden = from_hex("54524545 00000300 8*ff 8*ff 8*00 10 7*00 8*00 20 7*00 8*00 30 7*00 8*00");
  BTree1Node node;
  node.k = 1;
  EXPECT_THROW(decode(node, Bytes(golden), {}), Error);
  node.k = 2;
  decode(node, Bytes(golden), {});
  EXPECT_EQ(node.children.size(), 3u);
}

TEST(BTree1Codec, RejectsTheOtherTree) {
  const auto golden = from_hex("54524545 00000000 8*ff 8*ff");
  BTree1Node node = chunk_tree(1);
  EXPECT_THROW(decode(node, Bytes(golden), {}), Error);
}

TEST(BTree1Codec, RejectsUndefinedChild) {
  const auto golden = from_hex("54524545 00000100 8*ff 8*ff 8*00 8*ff 8*00");
  EXPECT_THROW(decode<BTree1Node>(golden, {}), Error);
}

}  // namespace
}  // namespace filigree::format
