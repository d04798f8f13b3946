// SPDX-License-Identifier: Apache-2.0
//
// What people meet when something is wrong: each case has its own kind for programs, and a text that names
// the file or object, says what is the matter and, where there is one, the way out.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ErrorText : public ::testing::Test {
 protected:
  ErrorText() {
    std::string pattern = ::testing::TempDir() + "filigree_errors_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    unsetenv("HDF5_USE_FILE_LOCKING");
  }
  ~ErrorText() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  /// A small closed file.
  std::string make(const char* name, Version low = Version::earliest) const {
    AccessOptions access;
    access.versions.low = low;
    File file = File::create(path(name), CreateMode::truncate, {}, access);
    file.root().create_group("group").set_attribute("number", 1);
    file.root().commit("type", Datatype::of<int>());
    file.close();
    return path(name);
  }

  static std::string contents(const std::string& from) {
    std::ifstream in(from, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& to, const std::string& text) {
    std::ofstream(to, std::ios::binary) << text;
  }

  template <class Work>
  static void expect(ErrorKind kind, const std::vector<std::string>& texts, Work&& work) {
    try {
      work();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(to_string(error.kind()), to_string(kind)) << error.what();
      for (const std::string& text : texts) EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }

  fs::path folder_;
};

TEST_F(ErrorText, PathMissing) {
  expect(ErrorKind::not_found, {path("none.h5"), "No such file"}, [&] { File::open(path("none.h5")); });
  expect(ErrorKind::not_found, {path("no/folder.h5"), "No such file"},
         [&] { File::create(path("no/folder.h5")); });
}

TEST_F(ErrorText, FileExists) {
  make("x.h5");
  expect(ErrorKind::already_exists, {path("x.h5"), "exists"}, [&] { File::create(path("x.h5")); });
}

TEST_F(ErrorText, Folder) {
  expect(ErrorKind::wrong_type, {folder_.string(), "directory"}, [&] { File::open(folder_.string()); });
}

TEST_F(ErrorText, NotAnHdf5File) {
  write(path("text.h5"), std::string(2000, 'x'));
  expect(ErrorKind::not_hdf5, {path("text.h5"), "not an HDF5 file"}, [&] { File::open(path("text.h5")); });
}

TEST_F(ErrorText, EmptyFile) {
  write(path("empty.h5"), "");
  expect(ErrorKind::not_hdf5, {path("empty.h5"), "empty"}, [&] { File::open(path("empty.h5")); });
}

TEST_F(ErrorText, TruncatedFile) {
  const std::string whole = contents(make("x.h5"));
  write(path("cut.h5"), whole.substr(0, whole.size() / 2));
  expect(ErrorKind::truncated,
         {path("cut.h5"), "truncated", std::to_string(whole.size()), std::to_string(whole.size() / 2)},
         [&] { File::open(path("cut.h5")); });
  write(path("stump.h5"), whole.substr(0, 20));
  expect(ErrorKind::truncated, {path("stump.h5"), "superblock"}, [&] { File::open(path("stump.h5")); });
}

TEST_F(ErrorText, DamagedFile) {
  std::string bytes = contents(make("x.h5", Version::latest));
  bytes[bytes.find("OHDR") + 4] = 9;
  write(path("x.h5"), bytes);
  expect(ErrorKind::corrupt, {path("x.h5"), "object header", "version", "9"},
         [&] { File::open(path("x.h5")).root().open("group"); });
}

TEST_F(ErrorText, NewerSuperblock) {
  std::string bytes = contents(make("x.h5", Version::latest));
  bytes[8] = 7;
  write(path("x.h5"), bytes);
  expect(ErrorKind::unsupported, {path("x.h5"), "superblock", "version", "7", "newer"},
         [&] { File::open(path("x.h5")); });
}

TEST_F(ErrorText, MarkedAsOpenForWriting) {
  // A checksum guards the mark, so it is taken from a superblock that HDF5 would write: version 3 with
  // consistency flags 1, everything else as in our file.
  make("x.h5", Version::latest);
  const int found = std::system(("command -v h5clear >/dev/null && h5clear -h >/dev/null 2>&1"));
  if (found != 0) GTEST_SKIP() << "needs h5clear of HDF5";
  const std::string marker =
      "import "
      "h5py,os,sys\nf=h5py.File(sys.argv[1],'w',libver='latest')\nf.swmr_mode=True\nf.flush()\nos._exit(0)\n";
  write(path("mark.py"), marker);
  if (std::system(
          ("/usr/bin/python3 " + path("mark.py") + " " + path("marked.h5") + " 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "needs h5py";
  }
  expect(ErrorKind::locked,
         {path("marked.h5"), "was not closed", "open for writing", "ignore_write_mark", "h5clear -s"},
         [&] { File::open(path("marked.h5")); });
  AccessOptions access;
  access.ignore_write_mark = true;
  EXPECT_NO_THROW(File::open(path("marked.h5"), OpenMode::read_only, access));
}

TEST_F(ErrorText, LockedFile) {
  make("x.h5");
  const int other = ::open(path("x.h5").c_str(), O_RDWR);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  expect(ErrorKind::locked, {path("x.h5"), "open elsewhere", "HDF5_USE_FILE_LOCKING=FALSE"},
         [&] { File::open(path("x.h5"), OpenMode::read_write); });
  ::close(other);
}

TEST_F(ErrorText, PermissionDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may do everything";
  make("x.h5");
  ::chmod(path("x.h5").c_str(), 0);
  expect(ErrorKind::permission, {path("x.h5"), "reading", "Permission denied"},
         [&] { File::open(path("x.h5")); });
  ::chmod(path("x.h5").c_str(), 0444);
  expect(ErrorKind::permission, {path("x.h5"), "writing", "Permission denied"},
         [&] { File::open(path("x.h5"), OpenMode::read_write); });
}

TEST_F(ErrorText, ReadOnlyTarget) {
  if (::access("/proc/version", R_OK) != 0) GTEST_SKIP() << "needs /proc";
  // A place where nobody can make files, root included.
  try {
    File::create("/proc/filigree.h5");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/proc/filigree.h5"), HasSubstr("create")));
    EXPECT_THAT(error.kind(),
                ::testing::AnyOf(ErrorKind::not_found, ErrorKind::permission, ErrorKind::read_only));
  }
}

TEST_F(ErrorText, DiskFull) {
  // /dev/full is not a regular file; a limit on the size of files is the nearest thing that needs no device.
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  File file = File::create(path("x.h5"));
  for (int i = 0; i < 200; ++i) file.root().create_group("group " + std::to_string(i));
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect(ErrorKind::limit, {path("x.h5"), "closing", "File too large"}, [&] { file.close(); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_action);
  file.close();  // there is free space now
  EXPECT_EQ(File::open(path("x.h5")).root().size(), 200u);
}

TEST_F(ErrorText, ChangeOfAFileOpenedForReading) {
  make("x.h5");
  File file = File::open(path("x.h5"));
  const std::vector<std::string> texts = {path("x.h5"), "opened for reading only"};
  expect(ErrorKind::read_only, texts, [&] { file.root().create_group("new"); });
  expect(ErrorKind::read_only, texts, [&] { file.root().remove("group"); });
  expect(ErrorKind::read_only, texts, [&] { file.root().set_attribute("new", 1); });
  expect(ErrorKind::read_only, texts, [&] { file.root().open("group").remove_attribute("number"); });
  expect(ErrorKind::read_only, texts, [&] { file.root().link_soft("new", "group"); });
  expect(ErrorKind::read_only, texts, [&] { file.root().rename("group", "other"); });
  expect(ErrorKind::read_only, texts, [&] { file.root().open("group").attribute("number").write(2); });
}

TEST_F(ErrorText, MissingObject) {
  make("x.h5");
  File file = File::open(path("x.h5"));
  expect(ErrorKind::not_found, {"'none'", "'/'", path("x.h5")}, [&] { file.root().open("none"); });
  expect(ErrorKind::not_found, {"'none'", "'/group'", path("x.h5")},
         [&] { file.root().open("group/none/deeper"); });
  expect(ErrorKind::not_found, {"'below'", "'/type'", "not a group", path("x.h5")},
         [&] { file.root().open("type/below"); });
  File writable = File::open(path("x.h5"), OpenMode::read_write);
  expect(ErrorKind::not_found, {"'none'", path("x.h5")}, [&] { writable.root().remove("none"); });
}

TEST_F(ErrorText, LinkThatLeadsNowhere) {
  File file = File::create(path("x.h5"));
  file.root().link_soft("soft", "/none");
  file.root().link_external("external", "none.h5", "/object");
  expect(ErrorKind::not_found, {"link '/soft'", "'/none'", path("x.h5")}, [&] { file.root().open("soft"); });
  expect(ErrorKind::not_found, {"link '/external'", "none.h5", "/object"},
         [&] { file.root().open("external"); });
}

TEST_F(ErrorText, MissingAttribute) {
  make("x.h5");
  File file = File::open(path("x.h5"), OpenMode::read_write);
  Object group = file.root().open("group");
  expect(ErrorKind::not_found, {"'none'", "'/group'", path("x.h5")}, [&] { group.attribute("none"); });
  expect(ErrorKind::not_found, {"'none'", "'/group'", path("x.h5")}, [&] { group.remove_attribute("none"); });
  expect(ErrorKind::not_found, {"'none'", "'/group'", path("x.h5")},
         [&] { group.rename_attribute("none", "x"); });
}

TEST_F(ErrorText, NameExists) {
  make("x.h5");
  File file = File::open(path("x.h5"), OpenMode::read_write);
  expect(ErrorKind::already_exists, {"'group'", "exists", path("x.h5")},
         [&] { file.root().create_group("group"); });
  expect(ErrorKind::already_exists, {"'group'", "exists", path("x.h5")},
         [&] { file.root().link_soft("group", "x"); });
  Object group = file.root().open("group");
  expect(ErrorKind::already_exists, {"'number'", "'/group'", path("x.h5")},
         [&] { group.create_attribute("number", Datatype::of<int>()); });
}

TEST_F(ErrorText, WrongKindOfObject) {
  make("x.h5");
  const File file = File::open(path("x.h5"));
  expect(ErrorKind::wrong_type, {"'/type'", "not a group", "committed datatype", path("x.h5")},
         [&] { file.root().open_group("type"); });
  expect(ErrorKind::wrong_type, {"'/group'", "not a dataset", "is a group", path("x.h5")},
         [&] { Dataset(file.root().open("group")); });
  expect(ErrorKind::wrong_type, {"'/group'", "not a committed datatype", path("x.h5")},
         [&] { CommittedDatatype(file.root().open("group")); });
  expect(ErrorKind::wrong_type, {"'number'", "'/group'", path("x.h5")},
         [&] { file.root().open("group").get_attribute<std::string>("number"); });
}

TEST_F(ErrorText, ClosedFile) {
  make("x.h5");
  File file = File::open(path("x.h5"));
  const Group root = file.root();
  file.close();
  expect(ErrorKind::closed, {path("x.h5"), "closed"}, [&] { root.open("group"); });
  expect(ErrorKind::closed, {path("x.h5"), "closed"}, [&] { file.flush(); });
}

}  // namespace
