// SPDX-License-Identifier: Apache-2.0
#include "format/messages/held_datatype.hpp"

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "testing/codec_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;

// The accepted bytes are those of H5Tencode of HDF5 1.10.8 without the first two.

TEST(HeldDatatype, HasVariableLengthStringsOfPointerSize) {
  const auto held =
      expect_codec(HeldDatatype{}, from_hex("19 01 01 00 08 00 00 00 10 00 00 00 01 00 00 00 00 00 08 00"),
                   {8, 8}, Guard::none);
  EXPECT_EQ(held.type.size, 8u);
  EXPECT_EQ(held.type.character_set, CharacterSet::utf8);
}

TEST(HeldDatatype, HasSequencesOfLengthAndPointerSize) {
  const auto held =
      expect_codec(HeldDatatype{}, from_hex("19 00 00 00 10 00 00 00 10 08 00 00 02 00 00 00 00 00 10 00"),
                   {8, 8}, Guard::none);
  EXPECT_EQ(held.type.size, 16u);
  EXPECT_EQ(held.type.base.at(0).size, 2u);
}

TEST(HeldDatatype, KeepsTheOffsetsOfMembersAfterAPointer) {
  const auto held = expect_codec(
      HeldDatatype{},
      from_hex("16020000 0c000000 61000000 00000000 00000000 00000000 00000000 00000000 00000000 "
               "00000000 00000000 00000000 19010100 08000000 10000000 01000000 00000800 62000000 "
               "00000000 08000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
               "10080000 04000000 00002000 "),
      {8, 8}, Guard::none);
  EXPECT_EQ(held.type.members.at(1).byte_offset, 8u);
}

TEST(HeldDatatype, RejectsTheSizeOfStringsInFiles) {
  const auto bytes = from_hex("19 01 01 00 10 00 00 00 10 00 00 00 01 00 00 00 00 00 08 00");
  EXPECT_THROW(decode<HeldDatatype>(bytes, {8, 8}), Error);
}

}  // namespace
}  // namespace filigree::format
