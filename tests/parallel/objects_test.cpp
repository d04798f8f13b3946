// SPDX-License-Identifier: Apache-2.0
//
// Objects and attributes of files that several processes use together.
#include <numeric>

#include <gmock/gmock.h>

#include "parallel_disk.hpp"

namespace filigree {
namespace {

using testing::run_members_well;

class ObjectsTogether : public ::testing::Test {
 protected:
  SharedDisk disk;
  File alone() { return File::open_image(disk.bytes); }
  static std::vector<double> numbers(std::size_t count, double first) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
};

TEST_F(ObjectsTogether, MayHaveHandlesOnSomeMembersWhenTheyAreRemoved) {
  run_members_well(3, [&](const Ranks& members) {
    File file = create_on(disk, members);
    Group root = file.root();
    root.create_dataset<int>("old", Dataspace::simple({300}));
    root.create_group("group").create_group("in it").create_dataset<int>("d", Dataspace::simple({300}));
    file.flush();
    std::vector<Dataset> held;
    if (members->rank() == 1) held.push_back(root.open_dataset("old"));
    if (members->rank() == 2) held.push_back(root.open_dataset("group/in it/d"));
    root.remove("old");
    root.remove("group");
    for (int i = 0; i < 3; ++i) {
      auto made = root.create_dataset<int>("new" + std::to_string(i), Dataspace::simple({300}));
      made.write(std::vector<int>(100, i), Selection::box({100 * rank_of(members)}, {100}), collective());
    }
    file.flush();
    if (members->rank() == 1) {
      EXPECT_EQ(held[0].read<std::vector<int>>(), std::vector<int>(300));
      held.clear();
    }
    root.create_group("last");
    file.close();
  });
  File file = alone();
  EXPECT_EQ(file.root().size(), 4u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(file.root().open_dataset("new" + std::to_string(i)).read<std::vector<int>>(),
              std::vector<int>(300, i));
}

TEST_F(ObjectsTogether, AreFreedWhenTheFileIsClosed) {
  const auto bytes_after = [&](bool removes) {
    SharedDisk some;
    run_members_well(2, [&](const Ranks& members) {
      File file = create_on(some, members);
      if (removes) {
        file.root().create_group("g").create_dataset<int>("d", Dataspace::simple({100'000}));
        file.root().remove("g");
      }
      file.close();
    });
    return some.bytes.size();
  };
  EXPECT_LT(bytes_after(true), bytes_after(false) + 100'000);
}

/// The first copy reads pages of metadata around the elements.
TEST_F(ObjectsTogether, AreCopiedOutWithTheElementsThatAnotherMemberWrote) {
  run_members_well(2, [&](const Ranks& members) {
    File file = create_on(disk, members);
    file.root().create_dataset<int>("other", Dataspace::simple({20'000}));
    file.root().create_dataset<int>("x", Dataspace::simple({100}));
    file.close();
  });
  run_members_well(2, [&](const Ranks& members) {
    File file = open_on(disk, members, OpenMode::read_write);
    auto data = file.root().open_dataset("x");
    File mine = File::create_in_memory();
    if (members->rank() == 0) data.copy_to(mine.root(), "before");
    members->barrier();
    if (members->rank() == 1) data.write(std::vector<int>(100, 5));
    file.flush();
    if (members->rank() == 0) {
      data.copy_to(mine.root(), "after");
      EXPECT_EQ(mine.root().open_dataset("before").read<std::vector<int>>(), std::vector<int>(100, 0));
      EXPECT_EQ(mine.root().open_dataset("after").read<std::vector<int>>(), std::vector<int>(100, 5));
    }
    file.close();
  });
}

/// Attributes that are outside of the blocks of their heap are written at once.
class LargeAttributes : public ObjectsTogether {
 protected:
  static File create(SharedDisk& disk, const Ranks& members) {
    AccessOptions access;
    access.versions = {Version::latest, Version::latest};
    return create_on(disk, members, {}, access);
  }
  static void add_small(const Group& group) {
    for (int i = 0; i < 9; ++i) Group(group).set_attribute("small" + std::to_string(i), i);
  }
};

TEST_F(LargeAttributes, AreAddedAndReplacedInDenseStorage) {
  run_members_well(3, [&](const Ranks& members) {
    File file = create(disk, members);
    Group root = file.root();
    add_small(root);
    root.set_attribute("large", numbers(1280, 0));
    root.set_attribute("changed", numbers(1280, 1));
    EXPECT_EQ(root.get_attribute<std::vector<double>>("large"), numbers(1280, 0));
    root.set_attribute("changed", numbers(2000, 7));
    file.close();
  });
  EXPECT_EQ(alone().root().get_attribute<std::vector<double>>("large"), numbers(1280, 0));
  EXPECT_EQ(alone().root().get_attribute<std::vector<double>>("changed"), numbers(2000, 7));
  EXPECT_EQ(alone().root().get_attribute<int>("small8"), 8);
}

TEST_F(LargeAttributes, AreMovedOutOfTheHeaderByOneMoreAttribute) {
  run_members_well(3, [&](const Ranks& members) {
    File file = create(disk, members);
    file.root().set_attribute("large", numbers(1280, 0));
    add_small(file.root());
    file.close();
  });
  EXPECT_EQ(alone().root().get_attribute<std::vector<double>>("large"), numbers(1280, 0));
  EXPECT_EQ(alone().root().get_attribute<int>("small8"), 8);
}

TEST_F(LargeAttributes, OfOtherValuesAreFoundAtOnce) {
  const auto results = testing::run_members(3, [&](const Ranks& members) {
    File file = create(disk, members);
    add_small(file.root());
    file.root().set_attribute("large", numbers(1280, members->rank()));
  });
  for (const auto& result : results) EXPECT_THAT(result.what(), ::testing::HasSubstr("diverged"));
}

}  // namespace
}  // namespace filigree
