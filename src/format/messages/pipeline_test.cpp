// SPDX-License-Identifier: Apache-2.0
#include "format/messages/pipeline.hpp"

#include <gmock/gmock.h>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

PipelineMessage expect_pipeline(std::string_view hex) {
  return expect_codec(PipelineMessage{}, from_hex(hex), {}, Guard::none);
}

void expect_fault(std::string_view hex, std::string_view field) {
  try {
    decode<PipelineMessage>(Bytes(from_hex(hex)), {});
    ADD_FAILURE() << hex << " decodes";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
  }
}

TEST(PipelineCodec, ReadsVersion1) {
  const auto m = expect_pipeline(
      "01030000 00000000 | 0200 0800 0100 0100 73687566666c6500 04000000 00000000"
      "| 0100 0800 0100 0100 6465666c61746500 06000000 00000000"
      "| 0300 1000 0000 0000 666c6574636865723332000000000000");
  ASSERT_EQ(m.filters.size(), 3u);
  EXPECT_EQ(m.filters[0].name, "shuffle");
  EXPECT_THAT(m.filters[1].parameters, ElementsAre(6));
  EXPECT_TRUE(m.filters[1].optional());
  EXPECT_EQ(m.filters[2].id, 3);
  EXPECT_EQ(m.filters[2].name, "fletcher32");
  EXPECT_FALSE(m.filters[2].optional());
}

TEST(PipelineCodec, ReadsVersion1WithoutNames) {
  const auto m = expect_pipeline("01010000 00000000 | 0100 0000 0100 0100 02000000 00000000");
  EXPECT_EQ(m.filters.at(0).name, "");
  EXPECT_THAT(m.filters.at(0).parameters, ElementsAre(2));
}

TEST(PipelineCodec, ReadsVersion1OfUnknownFilterWithoutParameters) {
  const auto m = expect_pipeline("01010000 00000000 | 3101 0800 0000 0000 626f677573000000");
  EXPECT_EQ(m.filters.at(0).id, 305);
  EXPECT_EQ(m.filters.at(0).name, "bogus");
}

TEST(PipelineCodec, ReadsVersion2) {
  const auto m = expect_pipeline("0203 | 0200 0100 0100 04000000 | 0100 0100 0100 06000000 | 0300 0000 0000");
  ASSERT_EQ(m.filters.size(), 3u);
  EXPECT_EQ(m.filters[1].id, 1);
  EXPECT_THAT(m.filters[2].parameters, IsEmpty());
}

TEST(PipelineCodec, ReadsVersion2WithName) {
  const auto m = expect_pipeline(
      "0201 | 087d 3900 0100 0500 62697473687566666c653b207365652068747470733a2f2f6769746875622e636f6d"
      "2f6b69796f2d6d617375692f62697473687566666c6500 | 00000000 04000000 01000000 00000000 00000000");
  EXPECT_EQ(m.filters.at(0).id, 32008);
  EXPECT_TRUE(m.filters.at(0).name.starts_with("bitshuffle; see"));
  EXPECT_EQ(m.filters.at(0).parameters.size(), 5u);
}

TEST(PipelineCodec, KeepsNameFieldLongerThanNeeded) {
  const auto m = expect_pipeline("0201 | 0001 0800 0000 0000 6162630000000000");
  EXPECT_EQ(m.filters.at(0).name, "abc");
}

TEST(PipelineCodec, AcceptsNoFilters) {
  EXPECT_THAT(expect_pipeline("01000000 00000000").filters, IsEmpty());
  EXPECT_THAT(expect_pipeline("0200").filters, IsEmpty());
}

TEST(PipelineCodec, OmitsNamesOfKnownFiltersInVersion2) {
  PipelineMessage m;
  m.version = 2;
  m.filters.push_back({1, 0, "deflate", {6}, 0});
  EXPECT_EQ(to_hex(encode(m, {})), "02010100 00000100 06000000");
}

constexpr auto in_pipeline = SectionPipelinesMessage::pipeline_version;

SectionPipelinesMessage expect_sections(std::string_view hex,
                                        std::uint8_t version = SectionPipelinesMessage::own_version) {
  return expect_codec(SectionPipelinesMessage{version, {}}, from_hex(hex), {}, Guard::none);
}

constexpr std::string_view two_sections =
    "02 | 00 01 0a00 | 0100 0100 0100 06000000 | 01 02 1400 |"
    "0200 0100 0100 04000000 0100 0100 0100 06000000";

TEST(PipelineCodec, ReadsThePipelinesOfSectionsInBothMessages) {
  for (const std::string start : {"01", "03"}) {
    const auto m = expect_sections(start + std::string(two_sections), start == "01" ? 1 : in_pipeline);
    ASSERT_EQ(m.sections.size(), 2u);
    EXPECT_THAT(m.find(0)->filters.at(0).parameters, ElementsAre(6));
    ASSERT_EQ(m.find(1)->filters.size(), 2u);
    EXPECT_EQ(m.find(1)->filters[0].id, 2);
    EXPECT_TRUE(m.find(1)->filters[1].optional());
    EXPECT_EQ(m.find(2), nullptr);
  }
}

TEST(PipelineCodec, KeepsTheOrderOfSections) {
  const auto m = expect_sections(
      "0102 | 01 02 1400 | 0200 0100 0100 04000000 0100 0100 0100 06000000 |"
      "00 01 0a00 | 0100 0100 0100 06000000");
  ASSERT_EQ(m.sections.size(), 2u);
  EXPECT_EQ(m.sections[0].section, 1);
  EXPECT_EQ(m.sections[0].filters.size(), 2u);
  EXPECT_EQ(m.find(0)->filters.size(), 1u);
}

TEST(PipelineCodec, ReadsNamedFiltersOfOneSection) {
  const auto m = expect_sections("0101 | 02 01 0c00 | 0001 0400 0000 0000 61626300");
  EXPECT_EQ(m.find(0), nullptr);
  EXPECT_EQ(m.find(2)->filters.at(0).name, "abc");
  EXPECT_THAT(expect_sections("0100").sections, IsEmpty());
  EXPECT_THAT(expect_sections("0300", in_pipeline).sections, IsEmpty());
}

TEST(PipelineCodec, RejectsInvalidPipelinesOfSections) {
  const auto refused = [](std::string_view hex, std::string_view field) {
    try {
      decode<SectionPipelinesMessage>(Bytes(from_hex(hex)), {});
      ADD_FAILURE() << hex << " decodes";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(field), std::string::npos) << error.what();
    }
  };
  refused("0201 | 00 01 0600 | 0300 0000 0000", "version");
  refused("0301 | 00 01 0600 | 0300 0000 0000", "version");
  refused("0101 | 00 00 0000", "filters");
  refused("0101 | 00 21 c600 | 198*00", "filters");
  refused("0101 | 00 01 0700 | 0300 0000 0000 00", "list bytes");
  refused("0101 | 00 01 0500 | 0300 0000 0000 00", "list bytes");
  refused("0102 | 01 01 0600 | 0300 0000 0000 | 01 01 0600 | 0300 0000 0000", "listed twice");
  refused("0103 | ff 01 0600 | 0300 0000 0000 | 00 01 0600 | 0300 0000 0000 | ff 01 0600 | 0300 0000 0000",
          "listed twice");
  SectionPipelinesMessage old{in_pipeline, {}};
  EXPECT_THROW(decode(old, Bytes(from_hex("0100")), {}), Error);
}

TEST(PipelineCodec, RejectsInvalidValues) {
  expect_fault("0300", "version");
  expect_fault("0221 300*00", "filters");
  expect_fault("01010000 00000000 | 0100 0700 0100 0000 64656661746500", "name bytes");
  expect_fault("01010000 00000000 | 0100 0800 0100 0000 6465666c61746545", "filter name");
  expect_fault("0201 | 0200 0100 ffff 04000000", "parameters");
}

}  // namespace
}  // namespace filigree::format
