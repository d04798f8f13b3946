// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/shared_reference.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

TEST(SharedReference, ReadsVersion1) {
  const auto golden = from_hex("0100 6*00 10 7*00 700d 6*00 24*00");
  const auto m = expect_codec(SharedReference{}, golden, {}, Guard::none);
  EXPECT_EQ(m.version, 1);
  EXPECT_EQ(m.kind, SharedKind::header);
  EXPECT_EQ(m.header, to_address(0xd70));
  const auto mixed = from_hex("0100 6*00 1000 700d0000 24*00");
  EXPECT_EQ(expect_codec(SharedReference{}, mixed, {4, 2}, Guard::none).header, to_address(0xd70));
}

TEST(SharedReference, ReadsVersion2) {
  const auto m = expect_codec(SharedReference{}, from_hex("0202 b007 6*00"), {}, Guard::none);
  EXPECT_EQ(m.kind, SharedKind::header);
  EXPECT_EQ(m.header, to_address(0x7b0));
  EXPECT_EQ(expect_codec(SharedReference{}, from_hex("0202 b0070000"), {4, 4}, Guard::none).header,
            to_address(0x7b0));
  EXPECT_EQ(expect_codec(SharedReference{}, from_hex("0202 7603"), {2, 2}, Guard::none).header,
            to_address(0x376));
}

TEST(SharedReference, IgnoresTheKindOfVersion2) {
  const auto m = decode<SharedReference>(from_hex("0200 d003 6*00 6*00"), {});
  EXPECT_EQ(m.kind, SharedKind::header);
  EXPECT_EQ(m.header, to_address(0x3d0));
}

TEST(SharedReference, ReadsVersion3) {
  for (const Widths widths : {Widths{8, 8}, Widths{4, 4}, Widths{2, 2}}) {
    const auto m = expect_codec(SharedReference{}, from_hex("0301 00160000 00002400"), widths, Guard::none);
    EXPECT_EQ(m.kind, SharedKind::heap);
    EXPECT_EQ(to_hex(m.heap_id), "00160000 00002400");
  }
  const auto m = expect_codec(SharedReference{}, from_hex("0302 b007 6*00"), {}, Guard::none);
  EXPECT_EQ(m.header, to_address(0x7b0));
}

TEST(SharedReference, RejectsKindsThatAreNeverStored) {
  EXPECT_THROW(decode<SharedReference>(from_hex("0300 8*00"), {}), Error);
  EXPECT_THROW(decode<SharedReference>(from_hex("0303 8*00"), {}), Error);
  EXPECT_THROW(decode<SharedReference>(from_hex("0402 8*00"), {}), Error);
}

TEST(SharedReference, RefusesToWriteHeapIdsBeforeVersion3) {
  SharedReference m;
  m.kind = SharedKind::heap;
  EXPECT_THROW(encode(m, Widths{}), Error);
}

}  // namespace
}  // namespace filigree::format
