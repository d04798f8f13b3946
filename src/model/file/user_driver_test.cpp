// SPDX-License-Identifier: Apache-2.0
#include "io/user/user_driver_file.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

#include <filigree/error.hpp>

#include "io/drivers.hpp"
#include "model/file/file.hpp"
#include "store/file_store.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::model {
namespace {

/// What a program would write. It is not for several threads, and notices when they come.
class VectorDriver : public FileDriver {
 public:
  explicit VectorDriver(DriverCapabilities able = {}) : able_(able) {}
  DriverCapabilities capabilities() const override { return able_; }
  void read(std::span<const ReadExtent> pieces) override {
    const SingleCall call(*this);
    EXPECT_LE(pieces.size(), able_.vector_extents);
    for (const ReadExtent& p : pieces) {
      EXPECT_LE(p.offset + p.into.size(), bytes_.size());
      std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(p.offset), p.into.size(), p.into.begin());
    }
  }
  void write(std::span<const WriteExtent> pieces) override {
    const SingleCall call(*this);
    EXPECT_LE(pieces.size(), able_.vector_extents);
    for (const WriteExtent& p : pieces) {
      EXPECT_LE(p.from.size(), able_.request_bytes);
      bytes_.resize(std::max<std::size_t>(bytes_.size(), p.offset + p.from.size()));
      std::ranges::copy(p.from, bytes_.begin() + static_cast<std::ptrdiff_t>(p.offset));
    }
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t bytes) override { bytes_.resize(bytes); }

 private:
  struct SingleCall {
    explicit SingleCall(VectorDriver& driver) : inside(driver.inside_) { EXPECT_EQ(inside.fetch_add(1), 0); }
    ~SingleCall() { inside.fetch_sub(1); }
    std::atomic<int>& inside;
  };
  const DriverCapabilities able_;
  std::vector<std::byte> bytes_;
  std::atomic<int> inside_{0};
};

struct VectorFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::UserDriverFile>("vector", true, std::make_unique<VectorDriver>());
  }
};

struct ScalarFiles {
  std::unique_ptr<io::VirtualFile> make() {
    DriverCapabilities able;
    able.vector_extents = 1;
    able.request_bytes = 100;
    able.coalescing.merged_bytes = 0;
    return std::make_unique<io::UserDriverFile>("scalar", true, std::make_unique<VectorDriver>(able));
  }
};

/// Looked ahead for, and asked with selections, which it declines.
struct ConcurrentFiles {
  std::unique_ptr<io::VirtualFile> make() {
    DriverCapabilities able;
    able.concurrent = able.selections = true;
    return std::make_unique<io::UserDriverFile>("concurrent", true, std::make_unique<VectorDriver>(able));
  }
};

/// A driver that is built on one of the library.
struct StackedFiles {
  testing::TempDir folder;
  std::unique_ptr<io::VirtualFile> make() {
    auto file = io::open_driver(folder / "stacked", DriverOpenMode::create_new, {});
    return std::make_unique<io::UserDriverFile>("stacked", true, io::as_file_driver(std::move(file)));
  }
};

using testing::VirtualFileSuite;

template <class Work>
ErrorKind kind_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;  // nothing was thrown
}

TEST(UserDriverFile, TurnsForeignExceptionsIntoErrors) {
  struct Throwing : VectorDriver {
    void write(std::span<const WriteExtent>) override { throw std::runtime_error("out of paper"); }
    void truncate(std::uint64_t) override { throw 5; }
  };
  io::UserDriverFile file("printer", true, std::make_unique<Throwing>());
  try {
    file.write(0, as_bytes("x"));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_STREQ(error.what(), "'printer': out of paper");
  }
  EXPECT_EQ(kind_of([&] { file.truncate(1); }), ErrorKind::io);
}

TEST(UserDriverFile, ClosesOnceAndTellsWhatWentWrong) {
  struct Closing : VectorDriver {
    explicit Closing(int& count) : closes(count) {}
    void close() override {
      ++closes;
      throw Error(ErrorKind::no_space, "full");
    }
    int& closes;
  };
  int closes = 0;
  {
    io::UserDriverFile file("closing", true, std::make_unique<Closing>(closes));
    EXPECT_EQ(kind_of([&] { file.close(); }), ErrorKind::no_space);
    EXPECT_EQ(kind_of([&] { file.write(0, as_bytes("x")); }), ErrorKind::closed);
  }
  EXPECT_EQ(closes, 1);
  { const io::UserDriverFile dropped("dropped", true, std::make_unique<Closing>(closes)); }
  EXPECT_EQ(closes, 2);
}

using Make = std::function<std::unique_ptr<FileDriver>()>;

UserDriver opening(const Make& make) {
  return {.open = [make](const DriverOpenRequest&) { return make(); }};
}

std::shared_ptr<File> open_user_file(const UserDriver& driver, const std::string& path, OpenMode mode,
                                     AccessOptions access) {
  access.driver = driver;
  return File::open_path(path, mode, access);
}

std::shared_ptr<File> create_user_file(const UserDriver& driver, const std::string& path, CreateMode mode,
                                       const CreateOptions& options, AccessOptions access) {
  access.driver = driver;
  return File::create_path(path, mode, options, access);
}

TEST(UserDriver, MayOpenNothing) {
  EXPECT_EQ(kind_of([] { open_user_file(opening([] { return nullptr; }), "x", OpenMode::read_only, {}); }),
            ErrorKind::io);
  EXPECT_EQ(kind_of([] { open_user_file(UserDriver{}, "x", OpenMode::read_only, {}); }),
            ErrorKind::invalid_argument);
}

TEST(UserDriver, LocksAsTheOptionsSay) {
  struct Locked : VectorDriver {
    static DriverCapabilities able() {
      DriverCapabilities result;
      result.locks = true;
      return result;
    }
    Locked() : VectorDriver(able()) {}
    void lock(LockKind kind) override {
      EXPECT_EQ(kind, LockKind::exclusive);
      throw Error(ErrorKind::locked, "someone is in there");
    }
  };
  const auto driver = opening([] { return std::make_unique<Locked>(); });
  EXPECT_EQ(kind_of([&] { create_user_file(driver, "x", CreateMode::truncate, {}, {}); }), ErrorKind::locked);
  AccessOptions access;
  access.locking = Locking::off;
  EXPECT_TRUE(create_user_file(driver, "x", CreateMode::truncate, {}, access)->writable());
}

TEST(UserDriver, SaysWhatTheFileNeeds) {
  struct Telling : VectorDriver {
    std::optional<DriverInfo> driver_info() override { return DriverInfo{"blobs", {std::byte{7}}}; }
    bool accept_driver_info(const DriverInfo& stored) override {
      return stored.id == "blobs" && stored.info == std::vector<std::byte>{std::byte{7}};
    }
  };
  for (const Version low : {Version::earliest, Version::v1_10}) {
    AccessOptions access;
    access.versions.low = low;
    const auto file = create_user_file(opening([] { return std::make_unique<Telling>(); }), "x",
                                       CreateMode::truncate, {}, access);
    const Buffer image = file->image();
    const auto filled = [&image](std::unique_ptr<FileDriver> made) {
      const WriteExtent all{0, image, MemoryType::raw};
      made->write(std::span(&all, 1));
      return made;
    };
    const auto telling = opening([&] { return filled(std::make_unique<Telling>()); });
    const auto plain = opening([&] { return filled(std::make_unique<VectorDriver>()); });
    EXPECT_NO_THROW(open_user_file(telling, "y", OpenMode::read_only, {}));
    EXPECT_EQ(kind_of([&] { open_user_file(plain, "y", OpenMode::read_only, {}); }), ErrorKind::unsupported);
  }
}

}  // namespace
}  // namespace filigree::model

namespace filigree::testing {
INSTANTIATE_TYPED_TEST_SUITE_P(VectorDriver, VirtualFileSuite, model::VectorFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(ScalarDriver, VirtualFileSuite, model::ScalarFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(ConcurrentDriver, VirtualFileSuite, model::ConcurrentFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(StackedDriver, VirtualFileSuite, model::StackedFiles);
}  // namespace filigree::testing
