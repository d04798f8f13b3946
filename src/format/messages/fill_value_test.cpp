// SPDX-License-Identifier: Apache-2.0
#include "format/messages/fill_value.hpp"

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

FillValue expect_fill(std::string_view hex) {
  return expect_codec(FillValue{}, from_hex(hex), {}, Guard::none);
}

void expect_fault(std::string_view hex, std::string_view field) {
  try {
    decode<FillValue>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
  }
}

TEST(OldFillValueCodec, ReadsValueAndDefault) {
  const auto m = expect_codec(FillValueOld{}, from_hex("04000000 f9ffffff"), {}, Guard::none);
  EXPECT_EQ(to_hex(m.value), "f9ffffff");
  EXPECT_TRUE(expect_codec(FillValueOld{}, from_hex("00000000"), {}, Guard::none).value.empty());
}

TEST(FillValueCodec, ReadsVersion1) {
  const auto m = expect_fill("01030001 00000000");
  EXPECT_EQ(m.allocation, AllocationTime::incremental);
  EXPECT_EQ(m.write, FillTime::on_allocation);
  EXPECT_EQ(m.state, FillState::default_value);
  EXPECT_EQ(expect_fill("01020200").state, FillState::undefined);
}

TEST(FillValueCodec, ReadsVersion2) {
  const auto set = expect_fill("02010001 04000000 f9ffffff");
  EXPECT_EQ(set.allocation, AllocationTime::early);
  EXPECT_EQ(set.state, FillState::user);
  EXPECT_EQ(to_hex(set.value), "f9ffffff");
  EXPECT_EQ(expect_fill("02020201 00000000").state, FillState::default_value);
  const auto undefined = expect_fill("02020100");
  EXPECT_EQ(undefined.state, FillState::undefined);
  EXPECT_EQ(undefined.write, FillTime::never);
}

TEST(FillValueCodec, ReadsVersion3) {
  const auto minimal = expect_fill("030b");
  EXPECT_EQ(minimal.allocation, AllocationTime::incremental);
  EXPECT_EQ(minimal.write, FillTime::if_set);
  EXPECT_EQ(minimal.state, FillState::default_value);
  const auto set = expect_fill("0321 04000000 f9ffffff");
  EXPECT_EQ(set.state, FillState::user);
  EXPECT_EQ(to_hex(set.value), "f9ffffff");
  EXPECT_EQ(expect_fill("0316").state, FillState::undefined);
}

TEST(FillValueCodec, ReadsTheSizeMinusOneAsUndefined) {
  const auto m = decode<FillValue>(Bytes(from_hex("02020201 ffffffff")), {});
  EXPECT_EQ(m.state, FillState::undefined);
  EXPECT_TRUE(m.value.empty());
}

TEST(FillValueCodec, ReadsOtherNegativeSizesAsTheDefault) {
  const auto m = decode<FillValue>(Bytes(from_hex("02020201 feffffff")), {});
  EXPECT_EQ(m.state, FillState::default_value);
  EXPECT_TRUE(m.value.empty());
}

TEST(FillValueCodec, RejectsInvalidValues) {
  expect_fault("0002", "version");
  expect_fault("040a", "version");
  expect_fault("02040200", "allocation time");
  expect_fault("02020300", "write time");
  expect_fault("030e", "write time");
  expect_fault("0331 00000000", "flags");
  expect_fault("034a", "flags");
}

}  // namespace
}  // namespace filigree::format
