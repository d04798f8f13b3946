// SPDX-License-Identifier: Apache-2.0
#include "format/messages/attribute_info.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(AttributeInfo, ReadsUnordered) {
  const auto m = expect_codec(AttributeInfo{}, from_hex("0000 16*ff"), {}, Guard::none);
  EXPECT_FALSE(m.tracks_order);
  EXPECT_FALSE(is_valid(m.heap));
  EXPECT_FALSE(is_valid(expect_codec(AttributeInfo{}, from_hex("0000 4*ff"), {2, 2}, Guard::none).name_tree));
}

TEST(AttributeInfo, ReadsTrackedAlone) {
  EXPECT_EQ(expect_codec(AttributeInfo{}, from_hex("0001 0900 16*ff"), {}, Guard::none).next_order, 9);
}

TEST(AttributeInfo, ReadsOrderedAtAllWidths) {
  const auto golden = from_hex("0003 0200 4c03 6*00 de03 6*00 0404 6*00");
  const auto m = expect_codec(AttributeInfo{}, golden, {}, Guard::none);
  EXPECT_TRUE(m.tracks_order);
  EXPECT_TRUE(m.indexes_order);
  EXPECT_EQ(m.next_order, 2);
  EXPECT_EQ(m.heap, to_address(0x34c));
  EXPECT_EQ(m.name_tree, to_address(0x3de));
  EXPECT_EQ(m.order_tree, to_address(0x404));
  const auto four =
      expect_codec(AttributeInfo{}, from_hex("0003 0200 f4020000 4a030000 68030000"), {4, 4}, Guard::none);
  EXPECT_EQ(four.order_tree, to_address(0x368));
  const auto two = expect_codec(AttributeInfo{}, from_hex("0003 0100 0601 3e01 5801"), {2, 2}, Guard::none);
  EXPECT_EQ(two.order_tree, to_address(0x158));
}

TEST(AttributeInfo, RejectsUnknownFlags) {
  EXPECT_THROW(decode<AttributeInfo>(from_hex("0004 16*ff"), {}), Error);
}

}  // namespace
}  // namespace filigree::format
