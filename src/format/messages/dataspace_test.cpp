// SPDX-License-Identifier: Apache-2.0
#include "format/messages/dataspace.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::ElementsAre;

constexpr Widths narrow{4, 4};
constexpr Widths narrowest{2, 2};

DataspaceMessage expect_dataspace(std::string_view hex, const Widths& widths = {}) {
  return expect_codec(DataspaceMessage{}, from_hex(hex), widths, Guard::none);
}

void expect_fault(std::string_view hex, std::string_view field) {
  try {
    decode<DataspaceMessage>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
  }
}

TEST(DataspaceCodec, ReadsVersion1WithMaximum) {
  const auto m = expect_dataspace("01020100 00000000 04 7*00 03 7*00 8*ff 06 7*00");
  EXPECT_EQ(m.kind, DataspaceKind::simple);
  EXPECT_THAT(m.dims, ElementsAre(4, 3));
  ASSERT_TRUE(m.max_dims);
  EXPECT_THAT(*m.max_dims, ElementsAre(unlimited, 6));
}

TEST(DataspaceCodec, ReadsVersion1WithoutMaximum) {
  const auto m = expect_dataspace("01010000 00000000 05 7*00");
  EXPECT_THAT(m.dims, ElementsAre(5));
  EXPECT_FALSE(m.max_dims);
}

TEST(DataspaceCodec, ReadsVersion1Scalar) {
  const auto m = expect_dataspace("01000000 00000000");
  EXPECT_EQ(m.kind, DataspaceKind::scalar);
  EXPECT_EQ(element_count(m), 1u);
}

TEST(DataspaceCodec, ReadsVersion2Kinds) {
  EXPECT_EQ(expect_dataspace("02000000").kind, DataspaceKind::scalar);
  const auto null = expect_dataspace("02000002");
  EXPECT_EQ(null.kind, DataspaceKind::null);
  EXPECT_EQ(element_count(null), 0u);
  const auto simple = expect_dataspace("02020101 04 7*00 03 7*00 04 7*00 06 7*00");
  EXPECT_THAT(simple.dims, ElementsAre(4, 3));
  EXPECT_EQ(element_count(simple), 12u);
}

TEST(DataspaceCodec, WidensUnlimitedFromNarrowLengths) {
  const auto four = expect_dataspace("01020100 00000000 04000000 03000000 ffffffff 06000000", narrow);
  EXPECT_THAT(*four.max_dims, ElementsAre(unlimited, 6));
  const auto two = expect_dataspace("02020101 0400 0300 ffff ffff", narrowest);
  EXPECT_THAT(*two.max_dims, ElementsAre(unlimited, unlimited));
}

TEST(DataspaceCodec, RejectsInvalidValues) {
  expect_fault("03000000", "version");
  expect_fault("01210000 00000000 264*00", "rank");
  expect_fault("02000003", "type");
  expect_fault("02010000 04 7*00", "rank");
  expect_fault("02010002 04 7*00", "rank");
  expect_fault("02000400", "flags");
  expect_fault("02010101 04 7*00 03 7*00", "maximum dimension");
}

TEST(DataspaceCodec, RefusesToEncodeNullInVersion1) {
  DataspaceMessage m;
  m.kind = DataspaceKind::null;
  EXPECT_THROW(encode(m, {}), Error);
  m.version = 2;
  EXPECT_EQ(filigree::testing::to_hex(encode(m, {})), "02000002");
}

TEST(DataspaceCount, ReportsOverflow) {
  DataspaceMessage m;
  m.kind = DataspaceKind::simple;
  m.dims = {std::uint64_t{1} << 32, std::uint64_t{1} << 32};
  try {
    element_count(m);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
  m.dims.push_back(0);
  EXPECT_EQ(element_count(m), 0u);
}

}  // namespace
}  // namespace filigree::format
