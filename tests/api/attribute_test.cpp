// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> attribute_names(const Object& object, IndexBy by = IndexBy::name,
                                         Direction direction = Direction::ascending) {
  std::vector<std::string> all;
  for (const Attribute& a : object.attributes(by, direction)) all.push_back(a.name());
  return all;
}

TEST(ApiAttribute, ValuesOfEveryKindComeBack) {
  for (const Version low : {Version::earliest, Version::v1_8, Version::v1_14}) {
    File file = File::create_in_memory({}, bounds(low));
    Group g = file.root().create_group("g");
    g.set_attribute("i8", std::int8_t{-128});
    g.set_attribute("u64", std::numeric_limits<std::uint64_t>::max());
    g.set_attribute("f32", 1.5f);
    g.set_attribute("f64", -0.1);
    g.set_attribute("text", std::string("gr\xc3\xbc\xc3\x9f"));
    g.set_attribute("empty text", std::string());
    g.set_attribute("numbers", std::vector<std::int16_t>{1, -2, 3});
    g.set_attribute("no numbers", std::vector<double>{});
    g.set_attribute("texts", std::vector<std::string>{"a", "", "ccc"});
    const Object o = reopened(file).open_object("g");
    EXPECT_EQ(o.get_attribute<std::int8_t>("i8"), -128);
    EXPECT_EQ(o.get_attribute<std::uint64_t>("u64"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(o.get_attribute<float>("f32"), 1.5f);
    EXPECT_EQ(o.get_attribute<double>("f64"), -0.1);
    EXPECT_EQ(o.get_attribute<std::string>("text"), "gr\xc3\xbc\xc3\x9f");
    EXPECT_EQ(o.get_attribute<std::string>("empty text"), "");
    EXPECT_THAT(o.get_attribute<std::vector<int>>("numbers"), ElementsAre(1, -2, 3));
    EXPECT_TRUE(o.get_attribute<std::vector<double>>("no numbers").empty());
    EXPECT_THAT(o.get_attribute<std::vector<std::string>>("texts"), ElementsAre("a", "", "ccc"));
  }
}

TEST(ApiAttribute, NumbersAreConvertedAndClipped) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.set_attribute("big", 1e20);
  root.set_attribute("negative", -5);
  EXPECT_EQ(root.get_attribute<std::int32_t>("big"), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(root.get_attribute<std::uint8_t>("negative"), 0);
  Attribute small = root.create_attribute("small", Datatype::integer(1, false, ByteOrder::big));
  small.write(1000);
  EXPECT_EQ(small.read<int>(), 255);
}

TEST(ApiAttribute, WrongKindsAndCountsAreRefused) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.set_attribute("number", 1);
  root.set_attribute("text", std::string("x"));
  root.set_attribute("numbers", std::vector<int>{1, 2});
  EXPECT_EQ(error_of([&] { root.get_attribute<std::string>("number"); }), ErrorKind::wrong_type);
  EXPECT_EQ(error_of([&] { root.get_attribute<int>("text"); }), ErrorKind::wrong_type);
  EXPECT_EQ(error_of([&] { root.get_attribute<int>("numbers"); }), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { root.get_attribute<int>("missing"); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { root.create_attribute("number", Datatype::of<int>()); }),
            ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.create_attribute("", Datatype::of<int>()); }), ErrorKind::invalid_argument);
  EXPECT_THAT(message_of([&] { root.get_attribute<int>("text"); }), HasSubstr("attribute 'text' of '/'"));
}

TEST(ApiAttribute, AStringThatDoesNotFitLeavesTheOldOne) {
  File file = File::create_in_memory();
  Attribute a = file.root().create_attribute("a", Datatype::fixed_string(4, StringPadding::nul_terminated));
  a.write(std::string("abc"));
  EXPECT_EQ(error_of([&] { a.write(std::string("abcd")); }), ErrorKind::limit);
  EXPECT_EQ(a.read<std::string>(), "abc");
}

TEST(ApiAttribute, PaddingIsTakenOff) {
  File file = File::create_in_memory();
  for (const StringPadding padding :
       {StringPadding::nul_terminated, StringPadding::nul_padded, StringPadding::space_padded}) {
    Attribute a = file.root().create_attribute("a", Datatype::fixed_string(8, padding));
    a.write(std::string("abc"));
    EXPECT_EQ(a.read<std::string>(), "abc");
    EXPECT_EQ(a.read_raw().size(), 8u);
    file.root().remove_attribute("a");
  }
}

TEST(ApiAttribute, NewAttributesHoldZeros) {
  File file = File::create_in_memory();
  EXPECT_EQ(file.root().create_attribute("n", Datatype::of<double>()).read<double>(), 0);
  EXPECT_EQ(file.root().create_attribute("s", Datatype::variable_string()).read<std::string>(), "");
  EXPECT_TRUE(file.root()
                  .create_attribute("none", Datatype::of<int>(), Dataspace::null())
                  .read<std::vector<int>>()
                  .empty());
}

TEST(ApiAttribute, GoesDenseAtTheNinthAndBackBelowTheSixth) {
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  Group g = file.root().create_group("g");
  const std::uint64_t empty = g.info().header_messages;
  for (int i = 0; i < 9; ++i) g.set_attribute("a" + std::to_string(i), i);
  EXPECT_LE(g.info().header_messages, empty + 2);
  for (int i = 8; i >= 5; --i) g.remove_attribute("a" + std::to_string(i));
  EXPECT_GE(g.info().header_messages, empty + 5);
  EXPECT_EQ(g.info().attributes, 5u);
  EXPECT_EQ(reopened(file).open_object("g").get_attribute<int>("a3"), 3);
}

TEST(ApiAttribute, LargeOnesNeedNewHeaders) {
  const std::vector<double> large(10000, 2.5);
  File new_file = File::create_in_memory({}, bounds(Version::v1_8));
  new_file.root().set_attribute("small", 1);
  new_file.root().set_attribute("large", large);
  EXPECT_EQ(reopened(new_file).root().get_attribute<std::vector<double>>("large"), large);
  EXPECT_EQ(reopened(new_file).root().get_attribute<int>("small"), 1);
  File old_file = File::create_in_memory();
  EXPECT_EQ(error_of([&] { old_file.root().set_attribute("large", large); }), ErrorKind::limit);
  EXPECT_THAT(message_of([&] { old_file.root().set_attribute("large", large); }),
              HasSubstr("version bounds from 1.8"));
  EXPECT_EQ(old_file.root().info().attributes, 0u);
}

TEST(ApiAttribute, CreationOrderGrowsUntilTheLastOneGoes) {
  GroupOptions options;
  options.attributes.track_order = options.attributes.index_order = true;
  for (const std::uint16_t max_compact : {std::uint16_t{8}, std::uint16_t{0}}) {
    options.attributes.max_compact = options.attributes.min_dense = max_compact;
    File file = File::create_in_memory();
    Group g = file.root().create_group("g", options);
    EXPECT_EQ(g.info().header_version, 2);
    for (const char* name : {"c", "a", "b"}) g.set_attribute(name, 1);
    EXPECT_THAT(attribute_names(g), ElementsAre("a", "b", "c"));
    EXPECT_THAT(attribute_names(g, IndexBy::creation_order), ElementsAre("c", "a", "b"));
    EXPECT_THAT(attribute_names(g, IndexBy::name, Direction::descending), ElementsAre("c", "b", "a"));
    g.rename_attribute("a", "z");
    g.remove_attribute("b");
    g.set_attribute("d", 1);
    EXPECT_EQ(g.attribute("z").creation_order(), 1u);
    EXPECT_EQ(g.attribute("d").creation_order(), 3u);
    for (const char* name : {"c", "z", "d"}) g.remove_attribute(name);
    g.set_attribute("e", 1);
    EXPECT_EQ(g.attribute("e").creation_order(), 0u);
  }
}

TEST(ApiAttribute, TheTrackedOrderRunsOutAfter65535) {
  GroupOptions options;
  options.attributes.track_order = true;
  File file = File::create_in_memory();
  Group g = file.root().create_group("g", options);
  g.set_attribute("keep", 0);
  for (int i = 1; i < 65535; ++i) {
    g.create_attribute("a", Datatype::of<std::int8_t>());
    g.remove_attribute("a");
  }
  EXPECT_EQ(error_of([&] { g.set_attribute("a", 1); }), ErrorKind::limit);
  EXPECT_THAT(attribute_names(g), ElementsAre("keep"));
}

TEST(ApiAttribute, AHandleFollowsItsName) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.set_attribute("a", 1);
  const Attribute a = root.attribute("a");
  root.rename_attribute("a", "b");
  EXPECT_EQ(error_of([&] { a.read<int>(); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { root.rename_attribute("a", "c"); }), ErrorKind::not_found);
  root.set_attribute("c", 2);
  EXPECT_EQ(error_of([&] { root.rename_attribute("b", "c"); }), ErrorKind::already_exists);
  EXPECT_EQ(root.get_attribute<int>("b"), 1);
}

TEST(ApiAttribute, TheCharacterSetOfANameFollowsFromItsBytesOrIsSet) {
  for (const Version low : {Version::earliest, Version::v1_14}) {
    File file = File::create_in_memory({}, bounds(low));
    Group root = file.root();
    const auto make = [&](const char* name, std::optional<CharacterSet> charset) {
      return root.create_attribute(name, Datatype::of<int>(), {}, charset).charset();
    };
    EXPECT_EQ(make("plain", std::nullopt), CharacterSet::ascii);
    EXPECT_EQ(make("gr\xc3\xbcn", std::nullopt), CharacterSet::utf8);
    EXPECT_EQ(make("said", CharacterSet::utf8), CharacterSet::utf8);
    EXPECT_EQ(make("r\xc3\xb6t", CharacterSet::ascii), CharacterSet::ascii);
    root.rename_attribute("said", "still said");
    root.rename_attribute("plain", "wei\xc3\x9f");
    EXPECT_EQ(root.attribute("still said").charset(), CharacterSet::utf8);
    EXPECT_EQ(root.attribute("wei\xc3\x9f").charset(), CharacterSet::utf8);
    root.create_group("g").create_attribute("said", Datatype::of<int>(), {}, CharacterSet::utf8);
    root.open_group("g").copy_to(root, "copy");
    EXPECT_EQ(root.open_group("copy").attribute("said").charset(), CharacterSet::utf8);
  }
}

TEST(ApiAttribute, SettingAnotherTypeReplacesTheAttribute) {
  File file = File::create_in_memory();
  file.root().set_attribute("a", 1);
  file.root().set_attribute("a", std::string("text"));
  EXPECT_EQ(file.root().get_attribute<std::string>("a"), "text");
  EXPECT_EQ(file.root().info().attributes, 1u);
}

TEST(ApiAttribute, ASmallReadForACountLeavesTheMemoryOfAnotherCountUnchanged) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.set_attribute("a", 7);
  const Attribute a = root.attribute("a");
  const Datatype type = Datatype::of<int>();
  std::vector<int> memory(4, -1);
  ASSERT_TRUE(a.read_small(type, memory.data(), 1));
  EXPECT_THAT(memory, ElementsAre(7, -1, -1, -1));
  root.set_attribute("a", std::vector<int>{1, 2, 3});  // as another thread may do at any time
  EXPECT_FALSE(a.read_small(type, memory.data(), 1));
  EXPECT_THAT(memory, ElementsAre(7, -1, -1, -1));
  EXPECT_FALSE(a.read_small(type, memory.data(), 4));
  ASSERT_TRUE(a.read_small(type, memory.data(), 3));
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, -1));
}

TEST(ApiAttribute, LiteralsAndViewsAreText) {
  File file = File::create_in_memory();
  file.root().set_attribute("literal", "text");
  file.root().set_attribute("view", std::string_view("view"));
  EXPECT_EQ(file.root().get_attribute<std::string>("literal"), "text");
  EXPECT_EQ(file.root().get_attribute<std::string>("view"), "view");
}

TEST(ApiAttribute, CommittedTypesCountTheirUsers) {
  for (const bool shares : {false, true}) {
    CreateOptions options;
    if (shares) options.shared_messages.push_back({{SharedMessage::attribute}, 0});
    File file = File::create_in_memory(options);
    Group root = file.root();
    const CommittedDatatype type = root.commit("t", Datatype::of<int>());
    Group a = root.create_group("a");
    Group b = root.create_group("b");
    a.create_attribute("x", type.datatype());
    b.create_attribute("x", type.datatype());
    EXPECT_EQ(type.info().link_count, shares ? 2u : 3u);  // equal messages are one user
    b.attribute("x").write(5);
    EXPECT_EQ(type.info().link_count, 3u);
    root.remove("t");
    EXPECT_EQ(b.get_attribute<int>("x"), 5);
    b.remove_attribute("x");
    EXPECT_EQ(type.info().link_count, 1u);
    EXPECT_EQ(a.attribute("x").datatype(), Datatype::of<int>());
  }
}

TEST(ApiAttribute, EqualOnesAreStoredOnceWhereTheFileSharesThem) {
  const auto bytes_of = [](bool shares) {
    CreateOptions options;
    if (shares) options.shared_messages.push_back({{SharedMessage::attribute}, 40});
    File file = File::create_in_memory(options, bounds(Version::v1_8));
    for (int i = 0; i < 50; ++i)
      file.root().create_group(std::to_string(i)).set_attribute("same", std::vector<double>(100, 1.0));
    const File again = reopened(file);
    EXPECT_EQ(again.open_object("49").get_attribute<std::vector<double>>("same"),
              std::vector<double>(100, 1.0));
    return file.image().size();
  };
  EXPECT_LT(bytes_of(true), bytes_of(false) / 2);
}

}  // namespace
}  // namespace filigree
