// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ApiLink, EveryKindTellsWhatItIs) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    Group root = file.root();
    const Group g = root.create_group("hard");
    root.link_soft("soft", "/some/where");
    root.link_external("external", "other.h5", "/there");
    const std::byte data[] = {std::byte{1}, std::byte{2}};
    root.link_user("user", 200, data);
    const Group again = reopened(file).root();
    EXPECT_EQ(again.link("hard").kind, LinkKind::hard);
    EXPECT_EQ(again.link("hard").address, g.info().address);
    EXPECT_EQ(again.link("soft").target, "/some/where");
    EXPECT_EQ(again.link("external").file, "other.h5");
    EXPECT_EQ(again.link("external").target, "/there");
    EXPECT_EQ(again.link("user").user_kind, 200);
    EXPECT_THAT(again.link("user").user_data, ElementsAre(std::byte{1}, std::byte{2}));
    EXPECT_EQ(error_of([&] { again.open("user"); }), ErrorKind::unsupported);
    EXPECT_EQ(error_of([&] { root.link_user("u", 63, data); }), ErrorKind::invalid_argument);
  }
}

TEST(ApiLink, HardLinksAreCounted) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    Group root = file.root();
    Group g = root.create_group("a");
    EXPECT_EQ(g.info().link_count, 1u);
    root.link_hard("b", g);
    root.create_group("sub").link_hard("c", g);
    EXPECT_EQ(g.info().link_count, 3u);
    EXPECT_EQ(reopened(file).open_object("sub/c").info().link_count, 3u);
    root.remove("a");
    EXPECT_EQ(g.info().link_count, 2u);
    root.rename("b", "sub/d");
    EXPECT_EQ(g.info().link_count, 2u);
    EXPECT_EQ(root.open("sub/d"), g);
  }
}

TEST(ApiLink, RenamingAcrossFormsOfGroupsKeepsTheObject) {
  File file = File::create_in_memory();
  Group root = file.root();
  GroupOptions compact, dense;
  compact.track_order = dense.track_order = dense.index_order = true;
  dense.max_compact = dense.min_dense = 0;
  const std::vector<Group> groups{root.create_group("old"), root.create_group("compact", compact),
                                  root.create_group("dense", dense)};
  Group g = Group(groups[0]).create_group("x");
  g.set_attribute("a", 1);
  std::size_t at = 0;
  for (const std::size_t to : {1, 2, 0, 2, 1, 0}) {
    Group(groups[at]).move("x", groups[to], "x");
    EXPECT_FALSE(groups[at].has_link("x"));
    EXPECT_EQ(groups[to].open("x"), g);
    at = to;
  }
  EXPECT_EQ(g.info().link_count, 1u);
  EXPECT_EQ(reopened(file).open_object("old/x").get_attribute<int>("a"), 1);
}

TEST(ApiLink, RenamingToATakenNameChangesNothing) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.create_group("a");
  root.create_group("b");
  EXPECT_EQ(error_of([&] { root.rename("a", "b"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.rename("a", "a"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { root.rename("missing", "c"); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { root.remove("missing"); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { root.remove("/"); }), ErrorKind::invalid_argument);
  EXPECT_THAT(names(root), ElementsAre("a", "b"));
}

TEST(ApiLink, SoftLinksAreFollowedAlongThePath) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.create_group("a").create_group("b").set_attribute("x", 1);
  root.link_soft("absolute", "/a/b");
  root.open_group("a").link_soft("relative", "b");
  root.link_soft("dangling", "/a/missing");
  EXPECT_EQ(root.open("absolute").get_attribute<int>("x"), 1);
  EXPECT_EQ(root.open("a/relative").get_attribute<int>("x"), 1);
  EXPECT_EQ(root.open("a/relative").path(), "/a/relative");
  EXPECT_TRUE(root.has_link("dangling"));
  EXPECT_FALSE(root.find("dangling"));
  EXPECT_THAT(message_of([&] { root.open("dangling"); }),
              HasSubstr("following link '/dangling' to '/a/missing'"));
  root.create_group("absolute/made");
  EXPECT_TRUE(root.has_link("a/b/made"));
}

TEST(ApiLink, SixteenSoftLinksInAChainWorkAndMoreDoNot) {
  File file = File::create_in_memory();
  Group root = file.root();
  root.create_group("0");
  for (int i = 1; i <= 17; ++i) root.link_soft(std::to_string(i), std::to_string(i - 1));
  EXPECT_EQ(root.open("16"), root.open("0"));
  EXPECT_EQ(error_of([&] { root.open("17"); }), ErrorKind::limit);
  root.link_soft("self", "self");
  EXPECT_EQ(error_of([&] { root.open("self/x"); }), ErrorKind::limit);
}

TEST(ApiLink, HardLinksDoNotLeaveTheirFile) {
  File a = File::create_in_memory();
  File b = File::create_in_memory();
  const Group g = a.root().create_group("g");
  EXPECT_EQ(error_of([&] { b.root().link_hard("g", g); }), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { a.root().move("g", b.root(), "g"); }), ErrorKind::invalid_argument);
  EXPECT_EQ(g.info().link_count, 1u);
}

TEST(ApiExternalLink, LeadsToTheFileBesideItsOwn) {
  const Scratch dir;
  File::create(dir / "b.h5").root().create_group("there").set_attribute("x", 7);
  File a = File::create(dir / "a.h5");
  a.root().link_external("e", "b.h5", "there");
  a.root().link_external("absolute", dir / "b.h5", "/there");
  a.root().link_external("moved", "/nowhere/b.h5", "/there");
  a.root().link_external("missing file", "c.h5", "/there");
  a.root().link_external("missing object", "b.h5", "/nothing");
  for (const char* name : {"e", "absolute", "moved"})
    EXPECT_EQ(a.open_object(name).get_attribute<int>("x"), 7) << name;
  EXPECT_EQ(a.open_object("e").file().name(), dir / "b.h5");
  EXPECT_EQ(error_of([&] { a.open_object("missing file"); }), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { a.open_object("missing object"); }), ErrorKind::not_found);
  EXPECT_FALSE(a.root().find("missing file"));
}

TEST(ApiExternalLink, ThePrefixesAreSearchedFirst) {
  const Scratch dir;
  for (const char* folder : {"one", "two"}) {
    std::filesystem::create_directory(dir / folder);
    File::create(dir / (std::string(folder) + "/b.h5")).root().set_attribute("from", std::string(folder));
  }
  File::create(dir / "b.h5").root().set_attribute("from", std::string("beside"));
  File::create(dir / "a.h5").root().link_external("e", "b.h5", "/");
  const auto from = [&](const AccessOptions& access) {
    return File::open(dir / "a.h5", OpenMode::read_only, access)
        .open_object("e")
        .get_attribute<std::string>("from");
  };
  AccessOptions access;
  EXPECT_EQ(from(access), "beside");
  access.external_prefix = dir / "one";
  EXPECT_EQ(from(access), "one");
  ::setenv("HDF5_EXT_PREFIX", ((dir / "none") + ":" + (dir / "two")).c_str(), 1);
  EXPECT_EQ(from(access), "two");
  ::unsetenv("HDF5_EXT_PREFIX");
}

TEST(ApiExternalLink, ALoopOfFilesFindsTheOpenOneAndEnds) {
  const Scratch dir;
  File b = File::create(dir / "b.h5");
  b.root().link_external("back", "a.h5", "/g");
  b.root().link_external("loop", "a.h5", "/loop");
  b.close();
  File a = File::create(dir / "a.h5");
  a.root().create_group("g").set_attribute("unsaved", 1);
  a.root().link_external("round", "b.h5", "/back");
  a.root().link_external("loop", "b.h5", "/loop");
  EXPECT_EQ(a.open_object("round").get_attribute<int>("unsaved"), 1);
  EXPECT_EQ(a.open_object("round"), a.open_object("g"));
  EXPECT_EQ(error_of([&] { a.open_object("loop"); }), ErrorKind::limit);
}

TEST(ApiExternalLink, ChangesGoToTheOtherFile) {
  const Scratch dir;
  File::create(dir / "b.h5").close();
  {
    File a = File::create(dir / "a.h5");
    a.root().link_external("e", "b.h5", "/");
    a.root().create_group("e/x/y", {}, {.create_parents = true});
    EXPECT_EQ(error_of([&] { a.root().link_hard("h", a.open_object("e/x")); }), ErrorKind::invalid_argument);
  }
  EXPECT_TRUE(File::open(dir / "b.h5").root().has_link("x/y"));
}

}  // namespace
}  // namespace filigree
