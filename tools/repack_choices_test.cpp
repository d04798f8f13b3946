// SPDX-License-Identifier: Apache-2.0
#include "repack_choices.hpp"

#include <gmock/gmock.h>

namespace filigree::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = LayoutChoice::Kind;
using Section = SectionFilterChoice::Section;

template <class Parse>
std::string message_of(Parse parse) {
  try {
    parse();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

std::vector<std::uint16_t> ids(const SectionFilterChoice& choice) {
  std::vector<std::uint16_t> found;
  for (const FilterChoice& filter : choice.filters) found.push_back(filter.id);
  return found;
}

TEST(LayoutChoice, HasObjectsAndChunks) {
  const LayoutChoice chunks = parse_layout_choice("a,b/c:CHUNK=10x1x7");
  EXPECT_EQ(chunks.objects, "a,b/c");
  EXPECT_EQ(chunks.kind, Kind::chunks);
  EXPECT_THAT(chunks.chunk, ElementsAre(10, 1, 7));
  EXPECT_EQ(parse_layout_choice("SPARSECHUNK").kind, Kind::sparse_chunks);
  EXPECT_THAT(parse_layout_choice("SPARSECHUNK").chunk, IsEmpty());
  EXPECT_EQ(parse_layout_choice("CONTI").objects, "");
  EXPECT_EQ(parse_layout_choice("x:COMPA").kind, Kind::compact);
}

TEST(LayoutChoice, NamesMayHaveColons) {
  EXPECT_EQ(parse_layout_choice("a:b:CONTI").objects, "a:b");
  EXPECT_EQ(parse_layout_choice("CHUNK=3:CHUNK=4").objects, "CHUNK=3");
}

TEST(LayoutChoice, SaysWhatIsWrong) {
  const auto why = [](const char* text) { return message_of([&] { parse_layout_choice(text); }); };
  EXPECT_THAT(why("x:CHUNKS"), HasSubstr("there are CHUNK"));
  EXPECT_THAT(why("CHUNK="), HasSubstr("is not a number"));
  EXPECT_THAT(why("CHUNK=3x-1"), HasSubstr("'-1' is not a number"));
  EXPECT_THAT(why("CHUNK=99999999999999999999"), HasSubstr("is not a number"));
  EXPECT_THAT(why("CHUNK=0"), HasSubstr("at least one element"));
  EXPECT_THAT(why("CONTI=3"), HasSubstr("there is no parameter"));
  EXPECT_THAT(why(":CONTI"), HasSubstr("no objects"));
  EXPECT_THAT(why(""), HasSubstr("there are CHUNK"));
}

TEST(SectionFilterChoice, TakesOurNamesAndThoseOfH5repack) {
  EXPECT_THAT(ids(parse_section_filters("shuffle,zstd=3")), ElementsAre(2, 32015));
  EXPECT_THAT(ids(parse_section_filters("x:GZIP=6")), ElementsAre(1));
  EXPECT_THAT(parse_section_filters("GZIP=9").filters[0].parameters, ElementsAre(9));
  EXPECT_THAT(parse_section_filters("SOFF=10,IN").filters[0].parameters, ElementsAre(2, 10));
  EXPECT_THAT(parse_section_filters("SOFF=3,DS").filters[0].parameters, ElementsAre(0, 3));
  EXPECT_THAT(parse_section_filters("SZIP=8,NN").filters[0].parameters, ElementsAre(32, 8));
  EXPECT_THAT(parse_section_filters("SZIP=16,EC").filters[0].parameters, ElementsAre(4, 16));
  const SectionFilterChoice user = parse_section_filters("a:UD=32015,0,2,3,4");
  EXPECT_EQ(user.filters[0].id, 32015);
  EXPECT_FALSE(user.filters[0].optional);
  EXPECT_THAT(user.filters[0].parameters, ElementsAre(3, 4));
  EXPECT_THAT(parse_section_filters("a,b:NONE").filters, IsEmpty());
  EXPECT_THAT(parse_section_filters("none").filters, IsEmpty());
}

TEST(SectionFilterChoice, NamesASection) {
  EXPECT_EQ(parse_section_filters("x:values=shuffle").section, Section::values);
  EXPECT_EQ(parse_section_filters("heap=zstd").section, Section::heap);
  EXPECT_THAT(ids(parse_section_filters("x:selection=packed")), ElementsAre(500));
  EXPECT_THAT(ids(parse_section_filters("values=packed")), ElementsAre(501));
}

TEST(SectionFilterChoice, SaysWhatIsWrong) {
  const auto why = [](const char* text) { return message_of([&] { parse_section_filters(text); }); };
  EXPECT_THAT(why("x:"), HasSubstr("a filter is missing"));
  EXPECT_THAT(why("x:gzap"), HasSubstr("no such filter"));
  EXPECT_THAT(why("SZIP=8"), HasSubstr("NN or EC"));
  EXPECT_THAT(why("SOFF=IN"), HasSubstr("IN or DS"));
  EXPECT_THAT(why("UD=32015,1,3,1"), HasSubstr("how many values follow"));
  EXPECT_THAT(why("GZIP=x"), HasSubstr("is not a number"));
  EXPECT_THAT(why("GZIP=4294967296"), HasSubstr("too large"));
}

TEST(DefinedChoice, HasBlocksAndPoints) {
  const DefinedChoice choice =
      parse_defined_choice("x:BLOCK (2,2)-(4,7), ( 6, 0 ) - (6,2) POINT (5,9),(11,1)");
  EXPECT_EQ(choice.objects, "x");
  const std::vector<Selection::Box> wanted{
      {{2, 2}, {4, 7}}, {{6, 0}, {6, 2}}, {{5, 9}, {5, 9}}, {{11, 1}, {11, 1}}};
  EXPECT_EQ(choice.boxes, wanted);
  EXPECT_EQ(parse_defined_choice("POINT (7)").objects, "");
}

TEST(DefinedChoice, HasMasks) {
  EXPECT_EQ(parse_defined_choice("/g//mask").mask, "/g/mask");
  EXPECT_EQ(parse_defined_choice("/data:/mask").objects, "/data");
  EXPECT_EQ(parse_defined_choice("data,more:/mask").objects, "data,more");
  EXPECT_EQ(parse_defined_choice("/data:POINT (1)").boxes.size(), 1u);
}

TEST(DefinedChoice, SaysWhatIsWrong) {
  const auto why = [](const char* text) { return message_of([&] { parse_defined_choice(text); }); };
  EXPECT_THAT(why("BLOCK (1,2)"), HasSubstr("second corner"));
  EXPECT_THAT(why("BLOCK (1,2)-(0,2)"), HasSubstr("in front of"));
  EXPECT_THAT(why("BLOCK (1,2)-(3)"), HasSubstr("in front of"));
  EXPECT_THAT(why("POINT (1,"), HasSubstr("is not a number"));
  EXPECT_THAT(why("POINT 1"), HasSubstr("'(' is missing"));
  EXPECT_THAT(why("mask"), HasSubstr("BLOCK or POINT"));
  EXPECT_THAT(why(""), HasSubstr("BLOCK, POINT or a path"));
}

TEST(ParseVersion, TakesNumbersAndThoseOfHdf5) {
  EXPECT_EQ(parse_version("earliest"), Version::earliest);
  EXPECT_EQ(parse_version("1.10"), Version::v1_10);
  EXPECT_EQ(parse_version("v18"), Version::v1_8);
  EXPECT_THAT(message_of([] { parse_version("3"); }), HasSubstr("there are earliest"));
}

}  // namespace
}  // namespace filigree::tools
