// SPDX-License-Identifier: Apache-2.0
#include "format/messages/link.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

constexpr Widths wide{};
constexpr Widths four{.offset_bytes = 4, .length_bytes = 4};
constexpr Widths two{.offset_bytes = 2, .length_bytes = 2};

LinkMessage expect_link(std::string_view hex, const Widths& widths = {}) {
  return expect_codec(LinkMessage{}, from_hex(hex), widths, Guard::none);
}

TEST(LinkMessage, ReadsASimpleHardLink) {
  const auto m = expect_link("0100 01 64 b3 7*00");
  EXPECT_EQ(m.kind, LinkKind::hard);
  EXPECT_EQ(m.name, "d");
  EXPECT_EQ(m.charset, CharacterSet::ascii);
  EXPECT_FALSE(m.creation_order);
  EXPECT_EQ(m.header, to_address(0xb3));
}

TEST(LinkMessage, ReadsUtf8NameWithCreationOrder) {
  const auto m = expect_link("0114 8*00 01 03 67c3a9 f3 7*00");
  EXPECT_EQ(m.name, "g\xc3\xa9");
  EXPECT_EQ(m.charset, CharacterSet::utf8);
  EXPECT_EQ(m.creation_order, 0);
}

TEST(LinkMessage, ReadsHardLinksOfNarrowFiles) {
  EXPECT_EQ(expect_link("0104 04 7*00 03 65666c b8070000", four).header, to_address(0x7b8));
  const auto m = expect_link("0104 03 7*00 01 63 000a", two);
  EXPECT_EQ(m.header, to_address(0xa00));
  EXPECT_EQ(m.creation_order, 3);
}

TEST(LinkMessage, ReadsSoftLink) {
  const auto m = expect_link("010c 01 01 7*00 04 736f6674 0200 2f67");
  EXPECT_EQ(m.kind, LinkKind::soft);
  EXPECT_EQ(m.name, "soft");
  EXPECT_EQ(m.target, "/g");
  EXPECT_EQ(m.creation_order, 1);
}

TEST(LinkMessage, ReadsLinkOfDenseStorage) {
  const auto m = expect_link("01 08 01 02 6161 0100 74");
  EXPECT_EQ(m.name, "aa");
  EXPECT_EQ(m.target, "t");
}

TEST(LinkMessage, ReadsExternalLink) {
  const auto m = expect_link("0108 40 03 657874 0900 00 6f2e683500 2f7800");
  EXPECT_EQ(m.kind, LinkKind::external);
  EXPECT_EQ(m.external, (ExternalTarget{"o.h5", "/x"}));
}

TEST(LinkMessage, ReadsUserDefinedLink) {
  const auto m = expect_link("0108 bb 02 7564 0300 616263");
  EXPECT_TRUE(is_user_defined(m.kind));
  EXPECT_EQ(m.kind, static_cast<LinkKind>(187));
  EXPECT_EQ(to_hex(m.user_data), "616263");
}

TEST(LinkMessage, ReadsLongNames) {
  const auto m = expect_link("0109 01 2c01 300*6e 0100 74");
  EXPECT_EQ(m.name, std::string(300, 'n'));

  LinkMessage longer;
  longer.name = std::string(70000, 'n');
  longer.header = to_address(1);
  const Buffer bytes = encode(longer, wide);
  EXPECT_EQ(to_hex(Bytes(bytes).first(7)), "01027011 01006e");
  EXPECT_EQ(decode<LinkMessage>(bytes, wide).name, longer.name);
}

TEST(LinkMessage, ReadsOptionalFields) {
  // Kind hard, character set ASCII and an eight-byte length, all spelled out.
  const auto m = decode<LinkMessage>(from_hex("011b 00 00 01 7*00 64 b3 7*00"), wide);
  EXPECT_EQ(m.name, "d");
  EXPECT_EQ(m.header, to_address(0xb3));
  EXPECT_EQ(to_hex(encode(m, wide)), "01000164 b3000000 00000000");
}

TEST(LinkMessage, AcceptsPaddingAndSlack) {
  EXPECT_EQ(decode<LinkMessage>(from_hex("0104 03 7*00 01 68 9004 6*00 4*00"), wide).name, "h");
  LinkMessage m;
  // Two bytes more than the strings need, within the value.
  const auto bytes = from_hex("0108 40 01 65 0700 00 6100 6200 ffff");
  EXPECT_EQ(decode(m, Bytes(bytes), wide), bytes.size());
  EXPECT_EQ(m.external, (ExternalTarget{"a", "b"}));
}

TEST(LinkMessage, RejectsInvalidValues) {
  const auto rejects = [](std::string_view hex) {
    EXPECT_THROW(decode<LinkMessage>(from_hex(hex), wide), Error) << hex;
  };
  rejects("0200 01 64 8*00");                  // version
  rejects("0120 01 64 8*00");                  // unknown flag
  rejects("0108 02 01 64 8*00");               // reserved kind
  rejects("0110 02 01 64 8*00");               // character set
  rejects("0100 00 8*00");                     // empty name
  rejects("0108 01 01 64 0000");               // empty target
  rejects("0103 8*ff 64 8*00");                // name beyond the body
  rejects("0108 40 01 65 0600 00 6100 6200");  // external value beyond the body
}

TEST(LinkMessage, KeepsExternalValuesThatAreNoFileNameAndPath) {
  for (const std::string_view value : {"0500 10 6100 6200", "0500 00 6100 6262", "0300 00 00 00", "0000"}) {
    const auto bytes = from_hex("0108 40 01 65" + std::string(value));
    const auto m = decode<LinkMessage>(bytes, wide);
    EXPECT_EQ(m.kind, LinkKind::external) << value;
    EXPECT_EQ(m.external, ExternalTarget()) << value;
    EXPECT_EQ(to_hex(m.user_data), to_hex(Bytes(bytes).subspan(7))) << value;
    EXPECT_EQ(to_hex(encode(m, wide)), to_hex(bytes)) << value;
  }
}

TEST(LinkMessage, RefusesToWriteEmptyNames) {
  LinkMessage m;
  EXPECT_THROW(encode(m, wide), Error);
  m.name = "s";
  m.kind = LinkKind::soft;
  EXPECT_THROW(encode(m, wide), Error);
  m.target = std::string(65536, 'x');
  EXPECT_THROW(encode(m, wide), Error);
}

TEST(LinkInfo, ReadsUnorderedCompact) {
  const auto m = expect_codec(LinkInfo{}, from_hex("0000 16*ff"), wide, Guard::none);
  EXPECT_FALSE(m.tracks_order);
  EXPECT_FALSE(is_valid(m.heap));
}

TEST(LinkInfo, ReadsUnorderedDense) {
  const auto m = expect_codec(LinkInfo{}, from_hex("0000 ee 7*00 8001 6*00"), wide, Guard::none);
  EXPECT_EQ(m.heap, to_address(0xee));
  EXPECT_EQ(m.name_tree, to_address(0x180));
}

TEST(LinkInfo, ReadsOrderedAtAllWidths) {
  const auto m = expect_codec(LinkInfo{}, from_hex("0003 05 7*00 24*ff"), wide, Guard::none);
  EXPECT_TRUE(m.tracks_order);
  EXPECT_TRUE(m.indexes_order);
  EXPECT_EQ(m.next_order, 5);
  EXPECT_EQ(expect_codec(LinkInfo{}, from_hex("0003 05 7*00 12*ff"), four, Guard::none).next_order, 5);
  const auto narrow = expect_codec(LinkInfo{}, from_hex("0003 04 7*00 6*ff"), two, Guard::none);
  EXPECT_EQ(narrow.next_order, 4);
  EXPECT_FALSE(is_valid(narrow.order_tree));
  EXPECT_EQ(expect_codec(LinkInfo{}, from_hex("0001 04 7*00 4*ff"), two, Guard::none).next_order, 4);
}

TEST(LinkInfo, RejectsNegativeOrderAndUnknownFlags) {
  EXPECT_THROW(decode<LinkInfo>(from_hex("0001 8*ff 16*ff"), wide), Error);
  EXPECT_THROW(decode<LinkInfo>(from_hex("0004 16*ff"), wide), Error);
}

TEST(GroupInfo, ReadsEveryBranch) {
  const auto minimal = expect_codec(GroupInfo{}, from_hex("0000"), wide, Guard::none);
  EXPECT_FALSE(minimal.phase);
  EXPECT_FALSE(minimal.estimate);
  const auto dense = expect_codec(GroupInfo{}, from_hex("0001 0000 0000"), wide, Guard::none);
  ASSERT_TRUE(dense.phase);
  EXPECT_EQ(dense.phase->max_compact, 0);
  const auto both = expect_codec(GroupInfo{}, from_hex("0003 0300 0200 0700 0900"), wide, Guard::none);
  ASSERT_TRUE(both.phase && both.estimate);
  EXPECT_EQ(both.phase->max_compact, 3);
  EXPECT_EQ(both.phase->min_dense, 2);
  EXPECT_EQ(both.estimate->entries, 7);
  EXPECT_EQ(both.estimate->name_bytes, 9);
  const auto estimate = expect_codec(GroupInfo{}, from_hex("0002 0700 0900"), wide, Guard::none);
  EXPECT_FALSE(estimate.phase);
  EXPECT_EQ(estimate.estimate->entries, 7);
}

TEST(SymbolTableMessage, ReadsAllWidths) {
  const auto m = expect_codec(SymbolTableMessage{}, from_hex("88 7*00 a802 6*00"), wide, Guard::none);
  EXPECT_EQ(m.btree, to_address(0x88));
  EXPECT_EQ(m.heap, to_address(0x2a8));
  EXPECT_EQ(expect_codec(SymbolTableMessage{}, from_hex("88000000 a8020000"), four, Guard::none).heap,
            to_address(0x2a8));
  EXPECT_EQ(expect_codec(SymbolTableMessage{}, from_hex("6400 f200"), two, Guard::none).heap,
            to_address(0xf2));
}

TEST(LinkCodec, ReadsExternalLinksOfBetasWithoutAVersion) {
  // Kind 64, name "e", 5 bytes: "f", "/d", each with its NUL.
  const auto bytes = filigree::testing::from_hex("01 08 40 01 65 0500 66 00 2f 64 00");
  const auto link = decode<LinkMessage>(bytes, {});
  EXPECT_EQ(link.external.file, "f");
  EXPECT_EQ(link.external.path, "/d");
}

}  // namespace
}  // namespace filigree::format
