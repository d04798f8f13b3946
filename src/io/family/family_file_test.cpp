// SPDX-License-Identifier: Apache-2.0
#include "io/family/family_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/uring/uring_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

template <std::uint64_t member_bytes>
struct FamilyFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return io::open_family(dir / "file%03d", member_bytes, io::DriverOpenMode::create_new);
  }
};
struct UringFamilyFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    const io::FamilyOptions options{.member_bytes = 7000, .open_member = [](const auto& path, auto mode) {
                                      return std::make_unique<io::UringFile>(path, mode);
                                    }};
    return std::make_unique<io::FamilyFile>(dir / "file%d", io::DriverOpenMode::create_new, options);
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(FamilyOfSmallMembers, VirtualFileSuite, FamilyFiles<5000>);
INSTANTIATE_TYPED_TEST_SUITE_P(FamilyOfOneMember, VirtualFileSuite, FamilyFiles<1u << 30>);
INSTANTIATE_TYPED_TEST_SUITE_P(FamilyOfUringFiles, VirtualFileSuite, UringFamilyFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::HasSubstr;

class FamilyFileTest : public ::testing::Test {
 protected:
  std::uint64_t bytes_of(const std::string& name) { return std::filesystem::file_size(dir_ / name); }
  testing::TempDir dir_;
  const std::string pattern_ = dir_ / "m%d.h5";
};

TEST_F(FamilyFileTest, MembersAreFullButTheLast) {
  const auto file = open_family(pattern_, 10, DriverOpenMode::create_new);
  file->write(37, as_bytes("x"));
  EXPECT_EQ(file->size(), 38u);
  EXPECT_EQ(file->members(), 4u);
  for (const char* name : {"m0.h5", "m1.h5", "m2.h5"}) EXPECT_EQ(bytes_of(name), 10u);
  EXPECT_EQ(bytes_of("m3.h5"), 8u);
  file->truncate(15);
  EXPECT_EQ(bytes_of("m1.h5"), 5u);
  EXPECT_EQ(bytes_of("m3.h5"), 0u);
  file->write(33, as_bytes("y"));  // grows again, over members that exist
  EXPECT_EQ(bytes_of("m1.h5"), 10u);
  EXPECT_EQ(bytes_of("m2.h5"), 10u);
}

TEST_F(FamilyFileTest, SizeOfMembersCanBeTakenFromTheFirst) {
  open_family(pattern_, 10, DriverOpenMode::create_new)->write(0, as_bytes("0123456789abcdefghijklm"));
  const auto file = open_family(pattern_, 0, DriverOpenMode::read_only);
  EXPECT_EQ(file->member_bytes(), 10u);
  EXPECT_EQ(as_text(testing::read_all(*file)), "0123456789abcdefghijklm");
  EXPECT_FALSE(file->writable());
}

TEST_F(FamilyFileTest, WrongSizeOfMembersIsRefused) {
  open_family(pattern_, 10, DriverOpenMode::create_new)->write(0, as_bytes("0123456789a"));
  EXPECT_THROW(open_family(pattern_, 9, DriverOpenMode::read_only), Error);
  EXPECT_THROW(open_family(dir_ / "none%d", 0, DriverOpenMode::create_new), Error);
  EXPECT_THROW(open_family(dir_ / "none.h5", 10, DriverOpenMode::create_new), Error);
}

TEST_F(FamilyFileTest, ShortMemberInTheMiddleIsDamage) {
  open_family(pattern_, 10, DriverOpenMode::create_new)->write(0, as_bytes("0123456789abcdefghijklm"));
  std::filesystem::resize_file(dir_ / "m1.h5", 4);
  const auto file = open_family(pattern_, 10, DriverOpenMode::read_only);
  Buffer into(20);
  try {
    file->read(2, into);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::truncated);
    EXPECT_THAT(error.what(), HasSubstr("m1.h5"));
  }
}

TEST_F(FamilyFileTest, NewFamilyEmptiesWhatAnOldOneLeft) {
  open_family(pattern_, 10, DriverOpenMode::create_new)->write(0, as_bytes("0123456789abcdefghijklm"));
  EXPECT_THROW(open_family(pattern_, 10, DriverOpenMode::create_new), Error);
  const auto file = open_family(pattern_, 10, DriverOpenMode::create_truncate);
  EXPECT_EQ(file->size(), 0u);
  EXPECT_EQ(bytes_of("m2.h5"), 0u);
}

TEST_F(FamilyFileTest, AbsurdAddressesCreateNoFiles) {
  const auto file = open_family(pattern_, 10, DriverOpenMode::create_new);
  try {
    file->write(std::uint64_t{1} << 60, as_bytes("x"));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
  EXPECT_THROW(file->truncate(std::uint64_t{1} << 60), Error);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "m1.h5"));
}

TEST_F(FamilyFileTest, ErrorsOfAllMembersAreReported) {
  std::vector<testing::FaultyFile*> members;
  FamilyOptions options{.member_bytes = 10, .open_member = [&](const std::string& path, DriverOpenMode mode) {
                          auto member =
                              std::make_unique<testing::FaultyFile>(std::make_unique<PosixFile>(path, mode));
                          members.push_back(member.get());
                          return member;
                        }};
  FamilyFile file(pattern_, DriverOpenMode::create_new, options);
  const Buffer data(40);
  file.write(0, data);
  ASSERT_GE(members.size(), 4u);
  for (testing::FaultyFile* member : members) member->arm({.device_dies = true});
  Buffer into(40);
  for (const bool writing : {false, true}) {
    try {
      writing ? file.write(0, data) : file.read(0, into);
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("4 operations failed"));
      for (const char* name : {"m0.h5", "m1.h5", "m2.h5", "m3.h5"})
        EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

}  // namespace
}  // namespace filigree::io
