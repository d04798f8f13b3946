// SPDX-License-Identifier: Apache-2.0
#include "format/selections/virtual_mapping.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

VirtualMappings expect_mappings(std::string_view hex, const Widths& widths = {}) {
  return expect_codec(VirtualMappings{}, from_hex(hex), widths, Guard::checksum);
}

// From files that HDF5 1.10 wrote, unless noted otherwise.

TEST(VirtualMappings, ReadsFixedMappingsOfTwoFiles) {
  const auto m = expect_mappings(
      " 00 02 7*00"
      " 7372635f6561726c696573742e683500 6400"
      " 03000000 01000000 00000000 00000000"
      " 02000000 01000000 00000000 18000000 02000000 01000000 00000000 00000000 00000000 0b000000"
      " 2e00 2f782f25257900"
      " 03000000 01000000 00000000 00000000"
      " 02000000 01000000 00000000 68000000 02000000 06000000"
      " 01000000 00000000 01000000 00000000 01000000 02000000 01000000 02000000"
      " 01000000 04000000 01000000 04000000 01000000 06000000 01000000 06000000"
      " 01000000 08000000 01000000 08000000 01000000 0a000000 01000000 0a000000 ec19c443");
  ASSERT_EQ(m.mappings.size(), 2u);
  EXPECT_EQ(m.mappings[0].file, "src_earliest.h5");
  EXPECT_EQ(m.mappings[0].dataset, "d");
  EXPECT_EQ(m.mappings[0].source_elements.type, SelectionType::all);
  EXPECT_THAT(m.mappings[0].virtual_elements.coordinates, ElementsAre(0, 0, 0, 11));
  EXPECT_EQ(m.mappings[1].file, same_file);
  EXPECT_EQ(m.mappings[1].dataset, "/x/%%y");
  EXPECT_EQ(m.mappings[1].virtual_elements.coordinates.size(), 24u);
}

TEST(VirtualMappings, ReadsAnUnlimitedMapping) {
  const auto m = expect_mappings(
      " 00 01 7*00 732e683500 7500"
      " 02000000 02000000 01 44000000 02000000 8*00 01 7*00 8*ff 01 7*00 8*00 01 7*00 01 7*00 05 7*00"
      " 02000000 02000000 01 44000000 02000000 8*00 01 7*00 8*ff 01 7*00 8*00 01 7*00 01 7*00 05 7*00"
      " 346c7fb2");
  EXPECT_EQ(m.mappings.at(0).source_elements.slab.at(0).count, unlimited);
  EXPECT_EQ(m.mappings.at(0).virtual_elements.slab.at(0).count, unlimited);
}

TEST(VirtualMappings, ReadsAMappingOfNumberedSources) {
  const auto m = expect_mappings(
      " 00 01 7*00 7325622e683500 70256200 03000000 01000000 00000000 00000000"
      " 02000000 02000000 01 44000000 02000000 8*00 03 7*00 8*ff 03 7*00 8*00 01 7*00 01 7*00 05 7*00"
      " 88e517ea");
  EXPECT_EQ(m.mappings.at(0).file, "s%b.h5");
  EXPECT_EQ(m.mappings.at(0).dataset, "p%b");
}

// The count has the width of a length: laid out by hand, as are the bytes of version 1, which the Debian
// library does not know.

TEST(VirtualMappings, CountsInTheWidthOfLengths) {
  constexpr std::string_view rest =
      " 2e00 7800 03000000 01000000 00000000 00000000 03000000 01000000 00000000 00000000";
  EXPECT_EQ(expect_mappings("00 0100" + std::string(rest) + "168bd119", {8, 2}).mappings.size(), 1u);
  EXPECT_EQ(expect_mappings("00 01000000" + std::string(rest) + "f45983e7", {4, 4}).mappings.size(), 1u);
}

std::string shared_names(int length_bytes, std::string_view checksum) {
  const std::string zeros = std::to_string(length_bytes - 1) + "*00";
  const std::string all = "03000000 01000000 00000000 00000000 03000000 01000000 00000000 00000000";
  const auto number = [&](std::string_view digits) { return std::string(digits) + " " + zeros + " "; };
  return "01" + number("04") + "00 612e683500 6400" + all + "01" + number("00") + "6500" + all + "06" +
         number("01") + all + "03" + number("01") + number("02") + all + std::string(checksum);
}

TEST(VirtualMappings, ReadsSharedNamesOfVersion1) {
  const auto m = expect_mappings(shared_names(8, "bd1332ed"));
  ASSERT_EQ(m.mappings.size(), 4u);
  EXPECT_EQ(m.mappings[0].file, "a.h5");
  EXPECT_EQ(m.mappings[1].file_of, 0u);
  EXPECT_EQ(m.mappings[1].dataset, "e");
  EXPECT_EQ(m.mappings[2].file, same_file);
  EXPECT_EQ(m.mappings[2].dataset_of, 1u);
  EXPECT_EQ(m.mappings[3].file_of, 1u);
  EXPECT_EQ(m.mappings[3].dataset_of, 2u);
  expect_mappings(shared_names(2, "97d258c7"), {8, 2});
}

void expect_fault(std::string_view hex, const std::string& field) {
  try {
    decode<VirtualMappings>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("'" + field + "'"));
  }
}

TEST(VirtualMappings, RejectsNamesOfLaterMappings) {
  expect_fault(
      " 01 01 7*00 01 8*00 6500 03000000 01000000 00000000 00000000 03000000 01000000 00000000 00000000"
      " 550133c5",
      "source file");
}

TEST(VirtualMappings, RejectsFlagsThatContradictEachOther) {
  expect_fault("01 01 7*00 05 48*00", "flags");
  expect_fault("01 01 7*00 08 48*00", "flags");
}

TEST(VirtualMappings, RejectsEmptyNames) {
  expect_fault("00 01 7*00 00 6400 48*00", "source file");
  expect_fault("00 01 7*00 2e00 00 48*00", "source dataset");
}

TEST(VirtualMappings, RejectsACountThatTheBytesCannotHold) {
  expect_fault("00 7*ff 00 6400 48*00", "mappings");
}

TEST(VirtualMappings, AcceptsAnEmptyList) {
  VirtualMappings none;
  const Buffer bytes = encode(none, {});
  EXPECT_EQ(bytes.size(), 13u);
  EXPECT_THAT(decode<VirtualMappings>(Bytes(bytes), {}).mappings, IsEmpty());
}

}  // namespace
}  // namespace filigree::format
