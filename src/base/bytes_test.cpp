// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.hpp"

#include <array>

#include <gtest/gtest.h>

#include "base/address.hpp"

namespace filigree {
namespace {

TEST(Words, AreLittleEndianAtEveryWidth) {
  constexpr std::uint64_t value = 0x8877665544332211;
  for (unsigned width = 0; width <= 8; ++width) {
    std::array<std::byte, 9> bytes;
    bytes.fill(std::byte{0xee});
    store_word(bytes.data(), value, width);
    for (unsigned i = 0; i < width; ++i) EXPECT_EQ(bytes[i], static_cast<std::byte>(0x11 * (i + 1)));
    EXPECT_EQ(bytes[width], std::byte{0xee}) << "wrote beyond " << width;
    EXPECT_EQ(load_word(bytes.data(), width), width == 0 ? 0 : value & widest_word(width));
  }
}

TEST(Words, WidestWordIsAllOnes) {
  EXPECT_EQ(widest_word(0), 0u);
  EXPECT_EQ(widest_word(1), 0xffu);
  EXPECT_EQ(widest_word(4), 0xffffffffu);
  EXPECT_EQ(widest_word(8), ~std::uint64_t{0});
}

TEST(Words, BytesToHoldGrowsAtPowersOf256) {
  EXPECT_EQ(bytes_to_hold(0), 1u);
  EXPECT_EQ(bytes_to_hold(255), 1u);
  EXPECT_EQ(bytes_to_hold(256), 2u);
  EXPECT_EQ(bytes_to_hold(0xffffff), 3u);
  EXPECT_EQ(bytes_to_hold(~std::uint64_t{0}), 8u);
}

TEST(Words, Pad8RoundsUp) {
  EXPECT_EQ(pad8(0), 0u);
  EXPECT_EQ(pad8(1), 8u);
  EXPECT_EQ(pad8(8), 8u);
  EXPECT_EQ(pad8(9), 16u);
}

TEST(Bytes, ConvertToTextAndBack) {
  const std::string_view text("a\0b", 3);
  EXPECT_EQ(as_bytes(text).size(), 3u);
  EXPECT_EQ(as_text(as_bytes(text)), text);
}

TEST(Address, PrintsAsHexadecimalOrUndefined) {
  EXPECT_EQ(to_string(to_address(0x1f4)), "0x1f4");
  EXPECT_EQ(to_string(to_address(0)), "0x0");
  EXPECT_EQ(to_string(Address::undefined), "undefined");
  EXPECT_EQ(to_string(to_address(0x10) + 0x20), "0x30");
}

}  // namespace
}  // namespace filigree
