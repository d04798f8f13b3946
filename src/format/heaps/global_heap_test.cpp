// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/global_heap.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

constexpr Address where = to_address(0x1da8);

/// Three strings as HDF5 writes them, and free space.
Buffer reference_collection() {
  return from_hex(
      "47434f4c 01000000 0010 6*00"
      "| 01 7*00 14 7*00 20*78 4*00"
      "| 02 7*00 0b 7*00 68656c6c 6f20776f 726c64 5*00"
      "| 03 7*00 03 7*00 616263 5*00"
      "| 8*00 900f 6*00 3968*00");
}

TEST(GlobalHeapCodec, ReadsHeaders) {
  EXPECT_EQ(expect_codec(GlobalHeapHeader{}, from_hex("47434f4c 01000000 0010 6*00"), {}, Guard::none)
                .collection_bytes,
            4096u);
  const auto m =
      expect_codec(GlobalHeapObjectHeader{}, from_hex("0200 0000 00000000 0b 7*00"), {}, Guard::none);
  EXPECT_EQ(m.index, 2);
  EXPECT_EQ(m.bytes, 11u);
}

TEST(GlobalHeapCodec, PadsHeadersOfNarrowFiles) {
  for (const Widths widths : {Widths{4, 4}, Widths{2, 2}}) {
    expect_codec(GlobalHeapHeader{}, from_hex("47434f4c 01000000 0010 6*00"), widths, Guard::none);
    EXPECT_EQ(
        expect_codec(GlobalHeapObjectHeader{}, from_hex("0200 0000 00000000 0b 7*00"), widths, Guard::none)
            .bytes,
        11u);
  }
}

TEST(GlobalHeapCodec, FindsTheObjectsOfACollection) {
  for (const Widths widths : {Widths{8, 8}, Widths{4, 4}, Widths{2, 2}}) {
    const Buffer bytes = reference_collection();
    const auto layout = decode_global_heap(bytes, widths, where);
    ASSERT_EQ(layout.objects.size(), 3u);
    EXPECT_EQ(layout.objects[1].index, 2);
    EXPECT_EQ(as_text(Bytes(bytes).subspan(layout.objects[1].offset, layout.objects[1].bytes)),
              "hello world");
    EXPECT_EQ(layout.free_offset, 0x70u);
  }
}

TEST(GlobalHeapCodec, AcceptsFreeSpaceWithoutAnObject) {
  const auto small = from_hex("47434f4c 01000000 30 7*00 | 01 7*00 03 7*00 616263 5*00 | 8*00");
  EXPECT_EQ(decode_global_heap(small, {}, where).free_offset, 0x28u);
  const auto zeros = from_hex("47434f4c 01000000 60 7*00 | 01 7*00 03 7*00 616263 5*00 | 56*00");
  EXPECT_EQ(decode_global_heap(zeros, {}, where).free_offset, 0x28u);
}

TEST(GlobalHeapCodec, RejectsInconsistentCollections) {
  const auto refuse = [](std::string_view text) {
    EXPECT_THROW(decode_global_heap(from_hex(text), {}, where), Error) << text;
  };
  refuse("47434f4c 01000000 08 7*00 16*00");                    // smaller than its header
  refuse("47434f4c 01000000 34 7*00 36*00");                    // not a multiple of 8
  refuse("47434f4c 01000000 30 7*00 24*00");                    // cut
  refuse("47434f4c 01000000 30 7*00 | 01 7*00 11 7*00 16*00");  // object past the end
  refuse("47434f4c 01000000 30 7*00 | 01 7*00 8*ff 16*00");     // far past it
  refuse("47434f4c 01000000 40 7*00 | 01 7*00 08 7*00 8*61 | 01 7*00 08 7*00 8*61");  // index twice
  refuse("47434f4c 01000000 40 7*00 | 8*00 18 7*00 8*61 | 01 7*00 08 7*00 8*61");     // free space not last
}

TEST(GlobalHeapCodec, SurvivesEveryBitFlip) {
  const Buffer golden = reference_collection();
  for (std::size_t bit = 0; bit < 0x80 * 8; ++bit) {
    Buffer bytes = golden;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    try {
      for (const auto& object : decode_global_heap(bytes, {}, where).objects)
        EXPECT_LE(object.offset + object.bytes, bytes.size());
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find("global heap"), std::string_view::npos);
    }
  }
}

}  // namespace
}  // namespace filigree::format
