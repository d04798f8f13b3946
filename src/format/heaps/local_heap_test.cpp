// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/local_heap.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(LocalHeapCodec, ReadsPrefix) {
  const auto golden = from_hex("48454150 00000000 58 7*00 30 7*00 c802 6*00");
  const auto m = expect_codec(LocalHeapPrefix{}, golden, {}, Guard::none);
  EXPECT_EQ(m.data_bytes, 88u);
  EXPECT_EQ(m.free_head, 0x30u);
  EXPECT_EQ(m.data, to_address(0x2c8));
  EXPECT_EQ(local_heap_prefix_bytes({}), golden.size());
}

TEST(LocalHeapCodec, PadsThePrefixOfNarrowFiles) {
  const auto four = from_hex("48454150 00000000 50000000 30000000 9c010000 00000000");
  EXPECT_EQ(expect_codec(LocalHeapPrefix{}, four, {4, 4}, Guard::none).data, to_address(0x184 + 24));
  const auto two = from_hex("48454150 00000000 5000 3000 0201 0000");
  EXPECT_EQ(expect_codec(LocalHeapPrefix{}, two, {2, 2}, Guard::none).data, to_address(0xf2 + 16));
  EXPECT_EQ(local_heap_prefix_bytes({4, 4}), four.size());
  EXPECT_EQ(local_heap_prefix_bytes({2, 2}), two.size());
}

TEST(LocalHeapCodec, ReadsFreeBlock) {
  const auto m = expect_codec(LocalHeapFreeBlock{}, from_hex("01 7*00 28 7*00"), {}, Guard::none);
  EXPECT_EQ(m.next, no_free_block);
  EXPECT_EQ(m.bytes, 40u);
  EXPECT_EQ(expect_codec(LocalHeapFreeBlock{}, from_hex("0100 4800"), {2, 2}, Guard::none).bytes, 72u);
}

}  // namespace
}  // namespace filigree::format
