// SPDX-License-Identifier: Apache-2.0
//
// What programs need that keep their own account of links, names and open files.
#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Group filled(File& file, const GroupOptions& options = {}) {
  Group group = file.root().create_group("g", options);
  for (const char* name : {"zeta", "alpha", "mike"}) group.create_group(name);
  return group;
}

TEST(ApiReach, LinksHavePositionsInEveryOrder) {
  File file = File::create_in_memory();
  GroupOptions tracked;
  tracked.track_order = true;
  const Group group = filled(file, tracked);
  EXPECT_EQ(group.link_at(0).name, "alpha");
  EXPECT_EQ(group.link_at(2).name, "zeta");
  EXPECT_EQ(group.link_at(0, IndexBy::creation_order).name, "zeta");
  EXPECT_EQ(group.link_at(0, IndexBy::creation_order, Direction::descending).name, "mike");
  EXPECT_EQ(error_of([&] { group.link_at(3); }), ErrorKind::invalid_argument);
}

TEST(ApiReach, NativeOrderIsThatOfStorage) {
  File file = File::create_in_memory();
  GroupOptions compact, dense;
  compact.track_order = dense.track_order = dense.index_order = true;
  dense.max_compact = dense.min_dense = 0;
  EXPECT_THAT(names(filled(file, compact), IndexBy::name, Direction::native),
              ElementsAre("zeta", "alpha", "mike"));
  file.root().remove("g");
  const Group hashed = filled(file, dense);
  EXPECT_THAT(names(hashed, IndexBy::name, Direction::native), UnorderedElementsAre("zeta", "alpha", "mike"));
  EXPECT_THAT(names(hashed, IndexBy::creation_order, Direction::native),
              ElementsAre("zeta", "alpha", "mike"));
  file.root().remove("g");
  EXPECT_THAT(names(filled(file), IndexBy::name, Direction::native), ElementsAre("alpha", "mike", "zeta"));
}

TEST(ApiReach, UnlinkedObjectsGoUnlessTheyAreLinked) {
  File file = File::create_in_memory();
  std::uint64_t gone = 0;
  {
    Group kept = file.create_unlinked_group();
    EXPECT_EQ(kept.info().link_count, 0u);
    kept.create_group("below");
    file.root().link_hard("kept", kept);
    EXPECT_EQ(kept.info().link_count, 1u);
    gone = file.create_unlinked_dataset(Datatype::of<int>(), Dataspace::scalar()).address();
    file.commit_unlinked(Datatype::of<int>());
  }
  File again = reopened(file);
  EXPECT_TRUE(again.root().has_link("kept/below"));
  EXPECT_EQ(again.root().size(), 1u);
  EXPECT_NE(gone, 0u);
}

TEST(ApiReach, ReferencesAreCountedAsLinks) {
  for (const Version low : {Version::earliest, Version::v1_8}) {
    File file = File::create_in_memory({}, bounds(low));
    Group group = file.root().create_group("g");
    group.increment_reference_count();
    EXPECT_EQ(group.info().link_count, 2u);
    file.root().remove("g");
    EXPECT_EQ(group.info().link_count, 1u);
    group.decrement_reference_count();
    EXPECT_EQ(group.info().link_count, 0u);
  }
}

TEST(ApiReach, AnObjectTakesThePathItIsGiven) {
  File file = File::create_in_memory();
  const Group group = file.root().create_group("g");
  const Object other = group.with_path("/by/way/of");
  EXPECT_EQ(other.path(), "/by/way/of");
  EXPECT_EQ(other, group);
}

TEST(ApiReach, AnObjectIsCopiedByItself) {
  File from = File::create_in_memory(), to = File::create_in_memory();
  from.root().create_group("g").create_group("below");
  Group target = to.root();
  from.root().open("g").copy_to(target, "copy");
  EXPECT_TRUE(target.has_link("copy/below"));
  EXPECT_EQ(error_of([&] { from.root().open("g").copy_to(target, "copy"); }), ErrorKind::already_exists);
}

TEST(ApiReach, FilesOfASetAreOpenedOnce) {
  const Scratch scratch;
  AccessOptions together;
  together.files = make_file_set();
  File one = File::create(scratch / "one.h5", CreateMode::exclusive, {}, together);
  one.root().create_group("unsaved");
  File same = File::open(scratch / "one.h5", OpenMode::read_only, together);
  EXPECT_TRUE(same == one);
  EXPECT_TRUE(same.root().has_link("unsaved"));
  EXPECT_EQ(error_of([&] { File::create(scratch / "one.h5", CreateMode::truncate, {}, together); }),
            ErrorKind::locked);
  one.close();
  File reader = File::open(scratch / "one.h5", OpenMode::read_only, together);
  EXPECT_FALSE(reader == one);
  EXPECT_EQ(error_of([&] { File::open(scratch / "one.h5", OpenMode::read_write, together); }),
            ErrorKind::read_only);
  EXPECT_TRUE(reader.descriptor().has_value());
}

TEST(ApiReach, AFileInMemoryOnlyIsNotTheOneAtItsPath) {
  const Scratch scratch;
  AccessOptions together;
  together.files = make_file_set();
  File::create(scratch / "one.h5", CreateMode::exclusive, {}, together).root().create_group("on disk");
  AccessOptions memory = together;
  memory.driver = MemoryDriver{.save = false};
  File apart = File::create(scratch / "one.h5", CreateMode::truncate, {}, memory);
  EXPECT_TRUE(File::open(scratch / "one.h5", OpenMode::read_only, together).root().has_link("on disk"));
  EXPECT_EQ(apart.root().size(), 0u);
}

TEST(ApiReach, VersionsOfNewStructuresCanChange) {
  File file = File::create_in_memory();
  file.root().create_group("old");
  file.set_versions({Version::v1_8, Version::latest});
  file.root().create_group("new");
  EXPECT_EQ(file.open_object("old").info().header_version, 1);
  EXPECT_EQ(file.open_object("new").info().header_version, 2);
}

TEST(ApiReach, HeadersTellWhatIsInThem) {
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  const Group group = file.root().create_group("g");
  const ObjectInfo info = group.info();
  EXPECT_TRUE((info.messages_present & 0x4) != 0);  // link info
  EXPECT_EQ(info.messages_shared, 0u);
  EXPECT_GT(info.header_message_bytes, 0u);
  EXPECT_GT(info.header_free_bytes, 0u);
  EXPECT_LT(info.header_message_bytes + info.header_free_bytes, info.header_bytes);
  EXPECT_TRUE(info.accessed && info.written);
}

}  // namespace
}  // namespace filigree
