// SPDX-License-Identifier: Apache-2.0
//
// Copies and deletion.
#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

std::string name_of_referred(const ObjectReference& reference) {
  return "~obj_pointed_by_" + std::to_string(reference.address);
}

/// top{ a{x=1, b, t}, again=a, soft->/top/a, dangling }
File sample(Version low, std::uint8_t width = 8) {
  CreateOptions options;
  options.offset_bytes = options.length_bytes = width;
  File file = File::create_in_memory(options, bounds(low));
  Group top = file.root().create_group("top");
  Group a = top.create_group("a");
  a.create_group("b");
  a.create_attribute("x", a.commit("t", Datatype::of<int>()).datatype()).write(1);
  top.set_comment("remark");
  top.link_hard("again", a);
  top.link_soft("soft", "/top/a");
  top.link_soft("dangling", "/nowhere");
  return file;
}

TEST(ApiCopy, KeepsSharingAndLinksInOtherFilesOfAnyWidthAndVersion) {
  for (const Version from : {Version::earliest, Version::v1_8, Version::v1_14}) {
    for (const Version to : {Version::earliest, Version::v1_10}) {
      const File source = sample(from, 4);
      File target = File::create_in_memory({}, bounds(to));
      source.root().copy("top", target.root(), "deep/er", {.create_parents = true});
      const File again = reopened(target);
      const Group copy = again.root().open_group("deep/er");
      EXPECT_THAT(names(copy), ElementsAre("a", "again", "dangling", "soft"));
      EXPECT_EQ(copy.open("a"), copy.open("again"));
      EXPECT_EQ(copy.open("a").info().link_count, 2u);
      EXPECT_EQ(copy.open("a").get_attribute<int>("x"), 1);
      EXPECT_EQ(copy.open("a/t").info().link_count, 2u);
      EXPECT_EQ(copy.comment(), "remark");
      EXPECT_EQ(copy.link("soft").kind, LinkKind::soft);
    }
  }
}

TEST(ApiCopy, TheFlagsDoWhatTheySay) {
  File file = sample(Version::v1_8);
  Group root = file.root();
  root.copy("top", root, "shallow", {.shallow = true});
  EXPECT_EQ(root.open_group("shallow").size(), 4u);
  EXPECT_EQ(root.open_group("shallow/a").size(), 0u);
  root.copy("top", root, "expanded", {.expand_soft = true});
  EXPECT_EQ(root.link("expanded/soft").kind, LinkKind::hard);
  EXPECT_EQ(root.open("expanded/soft"), root.open("expanded/a"));
  EXPECT_EQ(root.link("expanded/dangling").kind, LinkKind::soft);
  root.copy("top", root, "bare", {.without_attributes = true});
  EXPECT_FALSE(root.open("bare/a").has_attribute("x"));
}

/// Sparse chunks of structured layout need the newest version; portable ones go into files for any HDF5.
TEST(ApiCopy, KeepsDefinedElementsOfSparseDatasetsInBothForms) {
  for (const bool portable : {false, true}) {
    SparseChunks chunks({4, 4});
    chunks.fill(Fill::of(-1));
    if (portable) chunks.portable();
    const File source = File::create_in_memory();
    Dataset data =
        source.root().create_dataset<int>("d", Dataspace::simple({10, 10}, {unlimited, 10}), chunks);
    data.write(std::vector<int>{0, 5, -1}, Selection::box({3, 3}, {1, 3}));
    for (const Version low : {Version::earliest, Version::v1_10, Version::latest}) {
      if (!portable && low != Version::latest) continue;
      CreateOptions options;
      if (portable) options.offset_bytes = options.length_bytes = 4;
      File target = File::create_in_memory(options, bounds(low));
      source.root().copy("d", target.root(), "copy");
      const File again = reopened(target, OpenMode::read_write);
      Dataset copy = again.root().open_dataset("copy");
      EXPECT_EQ(copy.dataset_info().portable, portable);
      EXPECT_EQ(copy.defined(), data.defined());
      EXPECT_THAT(copy.read<std::vector<int>>(Selection::box({3, 2}, {1, 5})), ElementsAre(-1, 0, 5, -1, -1));
      copy.resize({12, 10});
      copy.write(7, Selection::box({11, 9}, {1, 1}));
      EXPECT_EQ(copy.defined_count(), 4u);
      EXPECT_EQ(data.defined_count(), 3u);
    }
  }
}

TEST(ApiCopy, IntoItselfCopiesWhatWasThere) {
  File file = sample(Version::earliest);
  file.root().copy("top", file.root().open_group("top/a"), "inner");
  EXPECT_TRUE(file.root().has_link("top/a/inner/a/b"));
  EXPECT_FALSE(file.root().has_link("top/a/inner/a/inner"));
}

TEST(ApiCopy, ATakenTargetIsRefused) {
  File file = sample(Version::earliest);
  EXPECT_EQ(error_of([&] { file.root().copy("top", file.root(), "top"); }), ErrorKind::already_exists);
  EXPECT_EQ(error_of([&] { file.root().copy("none", file.root(), "x"); }), ErrorKind::not_found);
}

TEST(ApiCopy, ReferencesLeadToCopiesWhenAsked) {
  for (const Version low : {Version::earliest, Version::v1_14}) {
    File source = File::create_in_memory({}, bounds(low));
    Group group = source.root().create_group("g");
    group.write_dataset("inside", std::vector<int>{1});
    source.root().write_dataset("outside", std::vector<int>{2});
    const std::vector<ObjectReference> references{group.open("inside").reference(), ObjectReference{},
                                                  source.root().open("outside").reference(),
                                                  group.reference()};
    group.write_dataset("references", references);
    group.set_attribute("too", references[2]);
    File target = File::create_in_memory({}, bounds(low));
    source.root().copy("g", target.root(), "plain");
    EXPECT_THAT(target.root().open_dataset("plain/references").read<std::vector<ObjectReference>>(),
                Each(ObjectReference{}));
    source.root().copy("g", target.root(), "expanded", {.expand_references = true});
    const auto copied =
        target.root().open_dataset("expanded/references").read<std::vector<ObjectReference>>();
    ASSERT_THAT(copied, SizeIs(4));
    EXPECT_EQ(target.open_object(copied[0]), target.root().open("expanded/inside"));
    EXPECT_EQ(copied[1], ObjectReference{});
    EXPECT_EQ(Dataset(target.open_object(copied[2])).read<std::vector<int>>(), std::vector<int>{2});
    EXPECT_EQ(target.open_object(copied[3]), target.root().open("expanded"));
    EXPECT_EQ(target.root().open("expanded").get_attribute<ObjectReference>("too"), copied[2]);
    EXPECT_THAT(names(target.root()), Contains(name_of_referred(copied[2])));
  }
}

TEST(ApiCopy, UsesEqualDatatypesThatAreThereWhenAsked) {
  File source = File::create_in_memory();
  const auto type = source.root().commit("type", Datatype::of<int>());
  source.root().create_dataset("data", type.datatype(), Dataspace::simple({2}));
  File target = File::create_in_memory();
  target.root().commit("other", Datatype::of<float>());
  const auto there = target.root().create_group("types").commit("there", Datatype::of<int>());
  const auto again = target.root().commit("z", Datatype::of<int>());
  source.root().copy("data", target.root(), "plain");
  source.root().copy("data", target.root(), "merged", {.merge_datatypes = true, .merge_paths = {"/z"}});
  EXPECT_EQ(again.info().link_count, 2u);
  EXPECT_EQ(there.info().link_count, 1u);
  source.root().copy(
      "data", target.root(), "stopped",
      {.merge_datatypes = true, .merge_paths = {"/nowhere"}, .merge_search = [] { return false; }});
  EXPECT_EQ(again.info().link_count + there.info().link_count, 3u);
  source.root().copy("type", target.root(), "linked",
                     {.merge_datatypes = true, .merge_paths = {"/types/there"}});
  EXPECT_EQ(target.root().open("linked"), target.root().open("types/there"));
}

TEST(ApiDeletion, AnOpenObjectLivesUntilItsHandleGoes) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    file.flush();
    const std::uint64_t used = file.info().file_bytes - file.info().reusable_bytes;
    {
      Group g = file.root().create_group("g");
      g.create_group("inner").set_attribute("a", 1);
      file.root().remove("g");
      EXPECT_EQ(g.info().link_count, 0u);
      g.set_attribute("still", 2);
      EXPECT_EQ(g.get_attribute<int>("still"), 2);
      file.root().link_hard("revived", g);
      EXPECT_EQ(g.info().link_count, 1u);
      file.flush();
      file.root().remove("revived");
    }
    file.flush();
    EXPECT_EQ(file.info().file_bytes - file.info().reusable_bytes, used);
  }
}

TEST(ApiDeletion, AnOrphanedTypeLivesOnInAnAttributeMadeOfIt) {
  File file = File::create_in_memory();
  {
    const CommittedDatatype type = file.root().commit("t", Datatype::of<int>());
    file.root().remove("t");
    file.root().create_attribute("a", type.datatype()).write(4);
  }
  file.flush();
  EXPECT_EQ(reopened(file).root().get_attribute<int>("a"), 4);
}

TEST(ApiDeletion, FreedSpaceIsUsedAgain) {
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  std::uint64_t first = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 100; ++i)
      file.root().create_group(std::to_string(i)).set_attribute("a", std::vector<int>(50, i));
    for (int i = 0; i < 100; ++i) file.root().remove(std::to_string(i));
    if (round == 1) first = file.image().size();
  }
  EXPECT_LE(file.image().size(), first + 4096);
}

TEST(ApiDeletion, PersistentFreeSpaceIsUsedInTheNextSession) {
  const Scratch dir;
  CreateOptions options;
  options.space.persist = true;
  File file = File::create(dir / "a.h5", CreateMode::exclusive, options);
  for (int i = 0; i < 200; ++i) file.root().create_group(std::to_string(i));
  for (int i = 0; i < 199; ++i) file.root().remove(std::to_string(i));
  file.close();
  const auto before = std::filesystem::file_size(dir / "a.h5");
  file = File::open(dir / "a.h5", OpenMode::read_write);
  for (int i = 0; i < 20; ++i) file.root().create_group("new" + std::to_string(i));
  file.close();
  EXPECT_LE(std::filesystem::file_size(dir / "a.h5"), before);
}

}  // namespace
}  // namespace filigree
