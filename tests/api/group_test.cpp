// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

GroupOptions tracked(bool indexed = true) {
  GroupOptions options;
  options.track_order = true;
  options.index_order = indexed;
  return options;
}

TEST(ApiGroup, PathsIgnoreRepeatedSlashesAndDots) {
  File file = File::create_in_memory();
  file.root().create_group("//a/.///b/", {}, {.create_parents = true});
  EXPECT_EQ(file.open_object("/a/b").path(), "/a/b");
  EXPECT_EQ(file.open_object("a//./b///").path(), "/a/b");
  EXPECT_EQ(file.root().open_group("a").open("/").path(), "/");
  EXPECT_EQ(file.root().open_group("a").open(".").path(), "/a");
}

TEST(ApiGroup, DotDotIsANameLikeAnyOther) {
  File file = File::create_in_memory();
  file.root().create_group("a").create_group("..");
  EXPECT_THAT(names(file.root().open_group("a")), ElementsAre(".."));
  EXPECT_FALSE(file.open_object("a/..") == file.root());
}

TEST(ApiGroup, MissingParentsAreAnErrorThatNamesThem) {
  File file = File::create_in_memory();
  file.root().create_group("a");
  EXPECT_EQ(error_of([&] { file.root().create_group("a/x/y"); }), ErrorKind::not_found);
  EXPECT_THAT(message_of([&] { file.root().open("a/x/y"); }), HasSubstr("there is no 'x' in group '/a'"));
}

TEST(ApiGroup, TakenAndEmptyNamesAreRefused) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.create_group("a");
  root.link_soft("s", "nowhere");
  EXPECT_EQ(error_of([&] { root.create_group("a"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.create_group("s"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.create_group("/"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.create_group("."); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.create_group(""); }), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { root.create_group(std::string_view("a\0b", 3)); }), ErrorKind::invalid_argument);
}

TEST(ApiGroup, WhatIsNoGroupHasNothingInIt) {
  File file = File::create_in_memory();
  file.root().commit("t", Datatype::of<int>());
  EXPECT_FALSE(file.root().find("t/x"));
  EXPECT_FALSE(file.root().has_link("t/x"));
  EXPECT_EQ(error_of([&] { file.root().create_group("t/x"); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { file.root().open_group("t"); }), ErrorKind::wrong_type);
}

TEST(ApiGroup, RequireGroupMakesWhatIsMissingAndFindsWhatIsThere) {
  File file = File::create_in_memory();
  const Group made = file.root().require_group("a/b/c");
  EXPECT_EQ(file.root().require_group("a/b/c"), made);
  EXPECT_EQ(file.root().open_group("a").size(), 1u);
}

TEST(ApiGroup, GoesDenseAtTheNinthLinkAndBackBelowTheSixth) {
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  Group g = file.root().create_group("g");
  for (int i = 0; i < 8; ++i) g.create_group(std::to_string(i));
  EXPECT_EQ(g.group_info().storage, GroupStorage::compact);
  g.create_group("8");
  EXPECT_EQ(g.group_info().storage, GroupStorage::dense);
  for (int i = 8; i >= 6; --i) g.remove(std::to_string(i));
  EXPECT_EQ(g.group_info().storage, GroupStorage::dense);
  g.remove("5");
  EXPECT_EQ(g.group_info().storage, GroupStorage::compact);
  EXPECT_THAT(names(g), ElementsAre("0", "1", "2", "3", "4"));
}

TEST(ApiGroup, ALinkTooLargeForAHeaderMakesTheGroupDense) {
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  Group g = file.root().create_group("g");
  const std::string target(65000, 't');
  g.link_soft("fits", target);
  EXPECT_EQ(g.group_info().storage, GroupStorage::compact);
  g.link_soft(std::string(600, 'n'), target);
  EXPECT_EQ(g.group_info().storage, GroupStorage::dense);
  EXPECT_EQ(g.link("fits").target, target);
  g.remove("fits");
  EXPECT_EQ(g.group_info().storage, GroupStorage::dense);
  g.remove(std::string(600, 'n'));
  EXPECT_EQ(g.group_info().storage, GroupStorage::compact);
}

TEST(ApiGroup, CreationOrderGrowsUntilTheGroupIsEmpty) {
  for (const std::uint16_t max_compact : {std::uint16_t{8}, std::uint16_t{0}}) {
    File file = File::create_in_memory();
    GroupOptions options = tracked();
    options.max_compact = options.min_dense = max_compact;
    Group g = file.root().create_group("g", options);
    for (const char* name : {"c", "a", "b"}) g.create_group(name);
    EXPECT_THAT(names(g, IndexBy::creation_order), ElementsAre("c", "a", "b"));
    EXPECT_THAT(names(g, IndexBy::creation_order, Direction::descending), ElementsAre("b", "a", "c"));
    g.remove("b");
    g.create_group("d");
    EXPECT_EQ(g.link("d").creation_order, 3);
    for (const char* name : {"a", "c", "d"}) g.remove(name);
    EXPECT_EQ(g.group_info().next_order, 0);
    g.create_group("e");
    EXPECT_EQ(g.link("e").creation_order, 0);
  }
}

TEST(ApiGroup, UntrackedOrderCannotBeAskedFor) {
  File file = File::create_in_memory();
  EXPECT_EQ(error_of([&] { file.root().links(IndexBy::creation_order); }), ErrorKind::invalid_argument);
  GroupOptions options;
  options.index_order = true;
  EXPECT_EQ(error_of([&] { file.root().create_group("g", options); }), ErrorKind::invalid_argument);
  EXPECT_EQ(file.root().size(), 0u);
}

TEST(ApiGroup, AnOldStyleGroupConvertsForLinksThatItCannotHold) {
  for (const bool in_root : {true, false}) {
    File file = File::create_in_memory();
    Group g = in_root ? file.root() : file.root().create_group("g");
    g.create_group("a").set_attribute("x", 1);
    g.link_soft("s", "a");
    EXPECT_EQ(g.group_info().storage, GroupStorage::symbol_table);
    g.link_external("e", "other.h5", "/");
    EXPECT_EQ(g.group_info().storage, GroupStorage::compact);
    g.create_group("\xc3\xbc");
    const File again = reopened(file);
    const Group h = in_root ? again.root() : again.root().open_group("g");
    EXPECT_THAT(names(h), ElementsAre("a", "e", "s", "\xc3\xbc"));
    EXPECT_EQ(h.open("s").get_attribute<int>("x"), 1);
    EXPECT_EQ(h.link("\xc3\xbc").charset, CharacterSet::utf8);
  }
}

TEST(ApiGroup, LinksAreListedByNameInEveryForm) {
  for (const int links : {3, 8, 9, 700}) {
    for (const Version low : {Version::earliest, Version::v1_8}) {
      File file = File::create_in_memory({}, bounds(low));
      std::vector<std::string> wanted;
      for (int i = 0; i < links; ++i) wanted.push_back("n" + std::to_string(i * 37 % links));
      for (const std::string& name : wanted) file.root().link_soft(name, "x");
      std::ranges::sort(wanted);
      EXPECT_EQ(names(file.root()), wanted);
      std::ranges::reverse(wanted);
      EXPECT_EQ(names(reopened(file).root(), IndexBy::name, Direction::descending), wanted);
    }
  }
}

TEST(ApiGroup, ForEachStopsWhenTheCallbackSaysSo) {
  File file = File::create_in_memory();
  for (const char* name : {"a", "b", "c"}) file.root().create_group(name);
  int seen = 0;
  EXPECT_FALSE(file.root().for_each([&](const Link&) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
  EXPECT_TRUE(file.root().for_each([](const Link&) { return true; }));
}

TEST(ApiGroup, VisitMeetsEachObjectOnceAlsoInCycles) {
  File file = File::create_in_memory();
  Group a = file.root().create_group("a");
  Group b = a.create_group("b");
  b.link_hard("up", a);
  b.link_hard("top", file.root());
  b.link_soft("soft", "/a");
  std::vector<std::string> met;
  file.root().visit([&](const Visited& v) {
    met.push_back(v.path + (v.seen_before ? " = " + v.first_path : v.object ? "" : " ->"));
    return true;
  });
  EXPECT_THAT(met, ElementsAre(".", "a", "a/b", "a/b/soft ->", "a/b/top = .", "a/b/up = a"));
}

TEST(ApiGroup, DeepNestingCostsNoStack) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    Group at = file.root().create_group("top");
    for (int i = 0; i < 5000; ++i) at = at.create_group("d");
    at = file.root();
    int met = 0;
    file.root().visit([&](const Visited&) { return ++met > 0; });
    EXPECT_EQ(met, 5002);
    file.root().copy("top", file.root(), "copy");
    file.root().remove("top");
    file.root().remove("copy");
    EXPECT_EQ(file.root().size(), 0u);
  }
}

TEST(ApiGroup, CommentsComeAndGo) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    Group g = file.root().create_group("g");
    EXPECT_EQ(g.comment(), std::nullopt);
    g.set_comment("first");
    g.set_comment("a second, longer comment");
    EXPECT_EQ(reopened(file).open_object("g").comment(), "a second, longer comment");
    g.set_comment("");
    EXPECT_EQ(g.comment(), std::nullopt);
  }
}

}  // namespace
}  // namespace filigree
