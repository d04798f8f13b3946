// SPDX-License-Identifier: Apache-2.0
//
// How files that several processes use together are opened and closed, and what ranks get that differ.
#include <gmock/gmock.h>

#include "parallel_disk.hpp"

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::MemberResult;
using testing::run_members;
using testing::run_members_well;

class OpeningTogether : public ::testing::Test {
 protected:
  SharedDisk disk;

  void make_file(VersionBounds versions = {}) {
    AccessOptions access;
    access.versions = versions;
    run_members_well(3, [&](const Ranks& members) { create_on(disk, members, {}, access).close(); });
  }
  static void expect_all(const std::vector<MemberResult>& results,
                         const ::testing::Matcher<std::string>& text) {
    for (const MemberResult& result : results) {
      ASSERT_TRUE(result.failed());
      EXPECT_THAT(result.what(), text);
    }
  }
  /// The path of a file that one member calls otherwise.
  static std::string path_of(const Ranks& members) { return members->rank() == 1 ? "b.h5" : "a.h5"; }
};

TEST_F(OpeningTogether, FailsOnAllWhenAMemberOpensAnotherPath) {
  make_file();
  expect_all(run_members(3,
                         [&](const Ranks& members) {
                           open_through(driver_on(disk, members), path_of(members), OpenMode::read_only);
                         }),
             AllOf(HasSubstr("diverged"), HasSubstr("rank 1 is in File::open of 'b.h5'")));
}

TEST_F(OpeningTogether, FailsOnAllWhenAMemberCreatesAnotherPath) {
  expect_all(run_members(3,
                         [&](const Ranks& members) {
                           create_through(driver_on(disk, members), path_of(members), CreateMode::truncate);
                         }),
             AllOf(HasSubstr("diverged"), HasSubstr("rank 1 is in File::create of 'b.h5'")));
}

TEST_F(OpeningTogether, FailsOnAllWhenAMemberOpensForReadingOnly) {
  make_file();
  expect_all(run_members(3,
                         [&](const Ranks& members) {
                           open_on(disk, members,
                                   members->rank() == 2 ? OpenMode::read_only : OpenMode::read_write);
                         }),
             AllOf(HasSubstr("diverged"), HasSubstr("rank 2 differs")));
}

TEST_F(OpeningTogether, FailsOnAllWhenAMemberWantsAPageBuffer) {
  make_file();
  const auto access_of = [](const Ranks& members) {
    AccessOptions access;
    if (members->rank() == 1) access.page_buffer_bytes = 65536;
    return access;
  };
  const auto text = HasSubstr("rank 1: a page buffer and a communicator exclude each other");
  expect_all(
      run_members(
          3, [&](const Ranks& members) { open_on(disk, members, OpenMode::read_only, access_of(members)); }),
      text);
  expect_all(run_members(3, [&](const Ranks& members) { create_on(disk, members, {}, access_of(members)); }),
             text);
}

TEST_F(OpeningTogether, FailsOnAllWhenTheFileIsTooNewForAMember) {
  make_file({Version::latest, Version::latest});
  for (int old_rank = 0; old_rank < 3; ++old_rank) {
    const auto results = run_members(3, [&](const Ranks& members) {
      AccessOptions access;
      if (members->rank() == old_rank) access.versions = {Version::earliest, Version::v1_8};
      open_on(disk, members, OpenMode::read_write, access);
    });
    expect_all(results, HasSubstr("rank " + std::to_string(old_rank) + ": superblock version 3 is newer"));
  }
  run_members_well(3, [&](const Ranks& members) { open_on(disk, members).close(); });
}

TEST_F(OpeningTogether, FailsOnAllWhenAMemberCannotWriteTheNewFile) {
  for (int failing = 0; failing < 3; ++failing) {
    disk.fail_after(failing, 0);
    const auto results = run_members(3, [&](const Ranks& members) {
      AccessOptions access;
      access.versions = {Version::latest, Version::latest};
      CreateOptions options;
      options.user_block_bytes = 512u << failing;
      create_on(disk, members, options, access).close();
    });
    for (const MemberResult& result : results)
      EXPECT_THAT(result.what(), ::testing::AnyOf("", HasSubstr("the disk is full")));
    disk.failing_rank = -1;
  }
}

TEST_F(OpeningTogether, LeavesFilesThatAMemberUsesAfterClosing) {
  run_members_well(3, [&](const Ranks& members) {
    File file = create_on(disk, members);
    auto data = file.root().create_dataset<int>("x", Dataspace::simple({3}));
    file.close();
    if (members->rank() != 0) return;
    TransferOptions together = collective();
    try {
      data.write(1, Selection::box({0}, {1}), together);
      ADD_FAILURE() << "a closed file was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::closed) << error.what();
    }
    EXPECT_THROW(data.read<std::vector<int>>({}, together), Error);
  });
}

/// As on file systems that tell a node late of what others have written.
TEST_F(OpeningTogether, DoesNotAskEachMemberForTheSizeOfTheFile) {
  for (int forgetful = 0; forgetful < 3; ++forgetful) {
    SharedDisk nfs;
    nfs.forgetful_rank = forgetful;
    run_members_well(3, [&](const Ranks& members) {
      File file = create_on(nfs, members);
      file.root().set_attribute("a", 1);
      auto data = file.root().create_dataset<int>("x", Dataspace::simple({3000}));
      file.flush();
      data.write(std::vector<int>(1000, members->rank()), Selection::box({1000 * rank_of(members)}, {1000}),
                 collective());
      file.flush();
      file.root().create_dataset<int>("y", Dataspace::simple({5000}));
      file.root().remove("y");
      file.close();
    });
    const auto all = File::open_image(nfs.bytes).root().open_dataset("x").read<std::vector<int>>();
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int>(i / 1000));
  }
}

}  // namespace
}  // namespace filigree
