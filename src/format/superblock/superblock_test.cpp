// SPDX-License-Identifier: Apache-2.0
#include "format/superblock/superblock.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

TEST(SuperblockCodec, ReadsVersion0) {
  const auto golden = from_hex(
      "89484446 0d0a1a0a 00000000 00080800 0400 1000 00000000 8*00 8*ff b00d 6*00 8*ff"
      "| 8*00 60 7*00 01000000 00000000 88 7*00 a802 6*00");
  const auto m = expect_codec(Superblock{}, golden, {}, Guard::none);
  EXPECT_EQ(m.end_of_file, 3504u);
  EXPECT_EQ(m.root.header, to_address(0x60));
  EXPECT_EQ(m.root.cached_heap, to_address(0x2a8));
}

TEST(SuperblockCodec, ReadsVersion3) {
  const auto golden = from_hex("89484446 0d0a1a0a 03080800 8*00 8*ff 4502 6*00 30 7*00 98de1a33");
  const auto m = expect_codec(Superblock{}, golden, {}, Guard::checksum);
  EXPECT_EQ(m.end_of_file, 581u);
  EXPECT_FALSE(is_valid(m.extension));
}

}  // namespace
}  // namespace filigree::format
