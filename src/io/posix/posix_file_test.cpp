// SPDX-License-Identifier: Apache-2.0
#include "io/posix/posix_file.hpp"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "io/system_error.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct PosixFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PosixFile>(dir / "file", io::DriverOpenMode::create_new);
  }
};
/// System calls that move a few bytes at most, as a busy system's short transfers do.
struct SplitPosixFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PosixFile>(dir / "file", io::DriverOpenMode::create_new,
                                           io::PosixOptions{.max_transfer_bytes = 61});
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(PosixFile, VirtualFileSuite, PosixFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(PosixFileOfSmallTransfers, VirtualFileSuite, SplitPosixFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::filigree::testing::ScopedEnvironment;
using ::filigree::testing::TempDir;
using ::testing::AllOf;
using ::testing::HasSubstr;

void make_file(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Expects `work` to throw an Error of `kind` whose text holds `words`.
void expect_error(ErrorKind kind, const std::string& words, const std::function<void()>& work) {
  try {
    work();
    ADD_FAILURE() << "nothing was thrown; expected " << to_string(kind);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

class PosixFileTest : public ::testing::Test {
 protected:
  void open(DriverOpenMode mode, PosixOptions options = {}) { PosixFile(path_, mode, options); }

  TempDir dir_;
  const std::string path_ = dir_ / "data.h5";
  ScopedEnvironment no_switch_{"HDF5_USE_FILE_LOCKING", std::nullopt};
};

TEST_F(PosixFileTest, KeepsWhatWasWritten) {
  {
    PosixFile file(path_, DriverOpenMode::create_new);
    file.write(3, as_bytes("xyz"));
    file.sync();
  }
  EXPECT_EQ(text_of(path_), std::string("\0\0\0xyz", 6));
  PosixFile again(path_, DriverOpenMode::read_write);
  again.write(0, as_bytes("abc"));
  PosixFile reader(path_, DriverOpenMode::read_only);
  EXPECT_EQ(as_text(testing::read_all(reader)), "abcxyz");
}

TEST_F(PosixFileTest, SeesWhatAnotherWriterAppends) {
  PosixFile writer(path_, DriverOpenMode::create_new);
  PosixFile reader(path_, DriverOpenMode::read_only);
  Buffer byte(1);
  EXPECT_THROW(reader.read(0, byte), Error);
  writer.write(0, as_bytes("q"));
  reader.read(0, byte);
  EXPECT_EQ(as_text(byte), "q");
  writer.truncate(0);
  expect_error(ErrorKind::truncated, path_, [&] { reader.read(0, byte); });
}

TEST_F(PosixFileTest, SameFileHasSameDeviceAndInode) {
  make_file(path_, "x");
  ASSERT_EQ(symlink(path_.c_str(), (dir_ / "alias").c_str()), 0);
  make_file(dir_ / "other", "x");
  const PosixFile a(path_, DriverOpenMode::read_only), b(dir_ / "alias", DriverOpenMode::read_only),
      c(dir_ / "other", DriverOpenMode::read_only);
  EXPECT_EQ(a.device(), b.device());
  EXPECT_EQ(a.inode(), b.inode());
  EXPECT_NE(a.inode(), c.inode());
}

TEST_F(PosixFileTest, ReadOnlyOneRefusesWrites) {
  make_file(path_, "x");
  PosixFile file(path_, DriverOpenMode::read_only);
  expect_error(ErrorKind::read_only, path_, [&] { file.write(0, as_bytes("y")); });
  expect_error(ErrorKind::read_only, path_, [&] { file.truncate(0); });
}

TEST_F(PosixFileTest, MissingPathIsNotFound) {
  expect_error(ErrorKind::not_found, "cannot open for reading '" + path_ + "': No such file",
               [&] { open(DriverOpenMode::read_only); });
  expect_error(ErrorKind::not_found, "cannot open for reading and writing '",
               [&] { open(DriverOpenMode::read_write); });
  expect_error(ErrorKind::not_found, "cannot create new file '",
               [&] { PosixFile(dir_ / "no/such/dir", DriverOpenMode::create_new); });
  make_file(path_, "x");
  expect_error(ErrorKind::not_found, path_, [&] { PosixFile(path_ + "/under", DriverOpenMode::read_only); });
}

TEST_F(PosixFileTest, CreateNewKeepsAnExistingFile) {
  make_file(path_, "precious");
  expect_error(ErrorKind::already_exists, "cannot create new file '" + path_ + "'",
               [&] { open(DriverOpenMode::create_new); });
  EXPECT_EQ(text_of(path_), "precious");
}

TEST_F(PosixFileTest, CreateTruncateEmptiesAnExistingFile) {
  make_file(path_, "old");
  PosixFile file(path_, DriverOpenMode::create_truncate);
  EXPECT_EQ(file.size(), 0u);
}

TEST_F(PosixFileTest, DirectoriesAndPipesAreRefusedWithoutWaiting) {
  for (DriverOpenMode mode :
       {DriverOpenMode::read_only, DriverOpenMode::read_write, DriverOpenMode::create_truncate}) {
    expect_error(ErrorKind::wrong_type, "'" + dir_.path() + "': it is a directory",
                 [&] { PosixFile(dir_.path(), mode); });
  }
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  expect_error(ErrorKind::wrong_type, "not a regular file", [&] { open(DriverOpenMode::read_only); });
}

TEST_F(PosixFileTest, PathWithAZeroByteIsRefused) {
  expect_error(ErrorKind::invalid_argument, "zero byte",
               [&] { PosixFile(std::string("a\0b", 3), DriverOpenMode::read_only); });
}

TEST_F(PosixFileTest, DeniedAccessIsAPermissionError) {
  make_file(path_, "x");
  ASSERT_EQ(chmod(dir_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  const bool root = geteuid() == 0;  // root is denied nothing
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "cannot drop the rights of root";
  expect_error(ErrorKind::permission,
               "cannot open for reading and writing '" + path_ + "': Permission denied",
               [&] { open(DriverOpenMode::read_write); });
  EXPECT_NO_THROW(open(DriverOpenMode::read_only));
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST(SystemError, EveryRefusalHasItsKind) {
  EXPECT_EQ(kind_of_errno(ENOSPC), ErrorKind::no_space);
  EXPECT_EQ(kind_of_errno(EDQUOT), ErrorKind::no_space);
  EXPECT_EQ(kind_of_errno(EROFS), ErrorKind::read_only);
  EXPECT_EQ(kind_of_errno(EPERM), ErrorKind::permission);
  EXPECT_EQ(kind_of_errno(EISDIR), ErrorKind::wrong_type);
  EXPECT_EQ(kind_of_errno(EMFILE), ErrorKind::limit);
  EXPECT_EQ(kind_of_errno(EIO), ErrorKind::io);
  const Error error = system_error(ENOSPC, "write", "x.h5");
  EXPECT_STREQ(error.what(), "cannot write 'x.h5': No space left on device");
}

/// Lets files grow to `bytes` only, which the system enforces with short writes and then a refusal.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(PosixFileTest, FailedWriteSaysHowFarItCameAndWhere) {
  PosixFile file(path_, DriverOpenMode::create_new, {.coalescing = CoalescingLimits::none()});
  file.write(0, as_bytes("ab"));
  const std::vector<WriteExtent> extents{{2, as_bytes("cd")}, {4, as_bytes("efghijk")}};
  const FileSizeLimit limit(8);
  expect_error(
      ErrorKind::limit,
      "writing 7 bytes at offset 4 of '" + path_ + "' failed after 4 bytes: File too large (extent 2 of 2)",
      [&] { file.write(extents); });
  EXPECT_EQ(text_of(path_), "abcdefgh");
  expect_error(ErrorKind::limit, "set the size to 9 bytes of '" + path_ + "'", [&] { file.truncate(9); });
}

class PosixLock : public PosixFileTest {
 protected:
  void SetUp() override { make_file(path_, "content"); }

  bool opens_beside(DriverOpenMode first, DriverOpenMode second, PosixOptions options = {}) {
    const PosixFile holder(path_, first, options);
    try {
      open(second, options);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::locked) << error.what();
      return false;
    }
  }
};

TEST_F(PosixLock, ByDefaultOnlyWritersExcludeEachOther) {
  EXPECT_TRUE(opens_beside(DriverOpenMode::read_only, DriverOpenMode::read_only));
  EXPECT_TRUE(opens_beside(DriverOpenMode::read_only, DriverOpenMode::read_write));
  EXPECT_TRUE(opens_beside(DriverOpenMode::read_write, DriverOpenMode::read_only));
  EXPECT_FALSE(opens_beside(DriverOpenMode::read_write, DriverOpenMode::read_write));
  EXPECT_FALSE(opens_beside(DriverOpenMode::read_write, DriverOpenMode::create_truncate));
}

TEST_F(PosixLock, RefusalNamesTheFileAndTheSwitch) {
  const PosixFile holder(path_, DriverOpenMode::read_write);
  expect_error(ErrorKind::locked, "cannot lock '" + path_ + "' for writing",
               [&] { open(DriverOpenMode::read_write); });
  expect_error(ErrorKind::locked, "HDF5_USE_FILE_LOCKING=FALSE", [&] { open(DriverOpenMode::read_write); });
}

TEST_F(PosixLock, LockedFileIsNotEmptied) {
  const PosixFile holder(path_, DriverOpenMode::read_write);
  expect_error(ErrorKind::locked, path_, [&] { open(DriverOpenMode::create_truncate); });
  EXPECT_EQ(text_of(path_), "content");
}

TEST_F(PosixLock, EndsWithTheFile) {
  { const PosixFile holder(path_, DriverOpenMode::read_write); }
  EXPECT_NO_THROW(open(DriverOpenMode::read_write));
}

TEST_F(PosixLock, PolicyCanMakeReadersLockToo) {
  for (LockPolicy policy : {LockPolicy::best_effort, LockPolicy::required}) {
    EXPECT_TRUE(opens_beside(DriverOpenMode::read_only, DriverOpenMode::read_only, {.lock = policy}));
    EXPECT_FALSE(opens_beside(DriverOpenMode::read_only, DriverOpenMode::read_write, {.lock = policy}));
    EXPECT_FALSE(opens_beside(DriverOpenMode::read_write, DriverOpenMode::read_only, {.lock = policy}));
  }
  EXPECT_TRUE(
      opens_beside(DriverOpenMode::read_write, DriverOpenMode::read_write, {.lock = LockPolicy::never}));
}

TEST_F(PosixLock, EnvironmentOverridesTheProgram) {
  const std::pair<const char*, LockPolicy> cases[] = {
      {"FALSE", LockPolicy::never}, {"0", LockPolicy::never},  {"TRUE", LockPolicy::required},
      {"1", LockPolicy::required},  {"", LockPolicy::writers}, {"BEST_EFFORT", LockPolicy::best_effort},
      {"no", LockPolicy::writers}};
  for (const auto& [text, expected] : cases) {
    const ScopedEnvironment setting("HDF5_USE_FILE_LOCKING", text);
    EXPECT_EQ(effective_lock_policy(LockPolicy::writers), expected) << text;
  }
  const ScopedEnvironment off("HDF5_USE_FILE_LOCKING", "FALSE");
  EXPECT_TRUE(
      opens_beside(DriverOpenMode::read_write, DriverOpenMode::read_write, {.lock = LockPolicy::required}));
}

template <int code>
int failing_lock(int, int) {
  errno = code;
  return -1;
}

TEST_F(PosixLock, FileSystemWithoutLocksFailsOnlyWhenLocksAreRequired) {
  for (LockCall lock : {failing_lock<ENOSYS>, failing_lock<ENOLCK>, failing_lock<EOPNOTSUPP>}) {
    EXPECT_NO_THROW(lock_file(0, path_, true, LockPolicy::writers, lock));
    EXPECT_NO_THROW(lock_file(0, path_, false, LockPolicy::best_effort, lock));
    expect_error(ErrorKind::io, "cannot lock '" + path_ + "': ", [&] {
      lock_file(0, path_, true, LockPolicy::required, lock);
    });
    expect_error(ErrorKind::io, "HDF5_USE_FILE_LOCKING=FALSE",
                 [&] { lock_file(0, path_, false, LockPolicy::required, lock); });
  }
}

TEST_F(PosixLock, OtherFailuresOfALockAreErrors) {
  expect_error(ErrorKind::io, path_,
               [&] { lock_file(0, path_, true, LockPolicy::writers, failing_lock<EIO>); });
  EXPECT_NO_THROW(lock_file(0, path_, true, LockPolicy::never, failing_lock<EIO>));
  EXPECT_NO_THROW(lock_file(0, path_, false, LockPolicy::writers, failing_lock<EIO>));
}

}  // namespace
}  // namespace filigree::io
