// SPDX-License-Identifier: Apache-2.0
//
// The table of drivers: drivers by name and by URL scheme.
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

using ::testing::HasSubstr;

/// Files by path, in memory.
struct Store {
  std::map<std::string, std::vector<std::byte>> files;
  std::string configuration;
  std::vector<std::string> removed;
};

class StoredFile : public FileDriver {
 public:
  explicit StoredFile(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  void read(std::span<const ReadExtent> extents) override {
    for (const ReadExtent& e : extents) std::memcpy(e.into.data(), bytes_.data() + e.offset, e.into.size());
  }
  void write(std::span<const WriteExtent> extents) override {
    for (const WriteExtent& e : extents) {
      bytes_.resize(std::max<std::size_t>(bytes_.size(), e.offset + e.from.size()));
      std::memcpy(bytes_.data() + e.offset, e.from.data(), e.from.size());
    }
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t bytes) override { bytes_.resize(bytes); }

 private:
  std::vector<std::byte>& bytes_;
};

UserDriver driver_for(Store& store, std::string name, std::string scheme = {}) {
  UserDriver driver;
  driver.open = [&store](const DriverOpenRequest& request) -> std::unique_ptr<FileDriver> {
    const bool creates =
        request.mode == DriverOpenMode::create_new || request.mode == DriverOpenMode::create_truncate;
    if (!creates && !store.files.contains(request.path))
      throw Error(ErrorKind::not_found, "the store has no '" + request.path + "'");
    if (creates) store.files[request.path].clear();
    store.configuration = request.configuration;
    return std::make_unique<StoredFile>(store.files[request.path]);
  };
  driver.remove = [&store](const std::string& path) { store.removed.push_back(path); };
  driver.name = std::move(name);
  driver.url_scheme = std::move(scheme);
  return driver;
}

/// Registers a driver for the time of a test.
class Registered {
 public:
  explicit Registered(UserDriver driver) : name_(driver.name) { drivers::add(std::move(driver)); }
  ~Registered() { drivers::remove(name_); }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

 private:
  std::string name_;
};

template <class Work>
std::string message_of(ErrorKind kind, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

AccessOptions by_name(const std::string& name, const std::string& configuration = {}) {
  AccessOptions access;
  access.driver = DriverChoice(name, configuration);
  return access;
}

TEST(DriverTable, OpensARegisteredDriverByItsName) {
  Store store;
  const Registered registered(driver_for(store, "test-store"));
  {
    auto file =
        File::create("driver-table-store", CreateMode::exclusive, {}, by_name("test-store", "region=north"));
    file.root().write_dataset("values", std::vector<int>{1, 2, 3});
    file.close();
  }
  EXPECT_EQ(store.configuration, "region=north");
  EXPECT_TRUE(store.files.contains("driver-table-store"));
  EXPECT_FALSE(std::filesystem::exists("driver-table-store"));
  const auto again = File::open("driver-table-store", OpenMode::read_only, by_name("test-store"));
  EXPECT_EQ(again.root().read_dataset<std::vector<int>>("values"), (std::vector<int>{1, 2, 3}));
  EXPECT_NE(driver_of(again), nullptr);
}

TEST(DriverTable, OpensARegisteredDriverByItsUrlScheme) {
  Store store;
  const Registered registered(driver_for(store, "test-store", "teststore"));
  {
    auto target = File::create("teststore://bucket/target.h5");
    target.root().create_group("inside");
    auto source = File::create("teststore://bucket/source.h5");
    source.root().link_external("away", "target.h5", "/inside");
  }
  EXPECT_TRUE(store.files.contains("teststore://bucket/source.h5"));
  const auto source = File::open("teststore://bucket/source.h5");
  EXPECT_NO_THROW(source.root().open_group("away"));
}

TEST(DriverTable, KeepsTheUrlSchemeFromADriverThatIsChosen) {
  Store store;
  const Registered registered(driver_for(store, "test-store", "teststore"));
  EXPECT_THROW(File::open("teststore://x", OpenMode::read_only, by_name("posix")), Error);
  EXPECT_TRUE(store.files.empty());
}

TEST(DriverTable, OpensBuiltInDriversByName) {
  const std::string folder = ::testing::TempDir();
  for (const char* name : {"posix", "uring", "memory", "split", "multi"}) {
    const std::string path = folder + "driver_table_" + name;
    {
      auto file = File::create(path, CreateMode::truncate, {}, by_name(name));
      file.root().create_group("group");
      file.close();
    }
    EXPECT_NO_THROW(File::open(path, OpenMode::read_only, by_name(name)).root().open_group("group")) << name;
    EXPECT_TRUE(drivers::find(name)->built_in);
  }
}

TEST(DriverTable, NamesAnUnknownDriver) {
  EXPECT_THAT(message_of(ErrorKind::not_found, [] { File::open("x", OpenMode::read_only, by_name("tape")); }),
              HasSubstr("there is no file driver 'tape'"));
  EXPECT_THAT(message_of(ErrorKind::not_found, [] { File::open("tape://x"); }),
              HasSubstr("no driver is registered for the URL scheme 'tape'"));
  EXPECT_FALSE(drivers::find("tape"));
  EXPECT_FALSE(drivers::remove("tape"));
}

TEST(DriverTable, RefusesAConfigurationTextThatMeansNothing) {
  EXPECT_THAT(message_of(ErrorKind::invalid_argument,
                         [] { File::open("x", OpenMode::read_only, by_name("uring", "depth=3")); }),
              HasSubstr("'uring' takes no configuration text"));
}

TEST(DriverTable, RefusesDuplicatesAndBadNames) {
  Store store;
  const Registered registered(driver_for(store, "test-store", "teststore"));
  EXPECT_THAT(message_of(ErrorKind::already_exists, [&] { drivers::add(driver_for(store, "test-store")); }),
              HasSubstr("a driver of the name 'test-store'"));
  EXPECT_THAT(message_of(ErrorKind::already_exists, [&] { drivers::add(driver_for(store, "posix")); }),
              HasSubstr("'posix'"));
  EXPECT_THAT(
      message_of(ErrorKind::already_exists, [&] { drivers::add(driver_for(store, "other", "teststore")); }),
      HasSubstr("the URL scheme 'teststore' belongs to the driver 'test-store'"));
  EXPECT_FALSE(drivers::find("other"));
  message_of(ErrorKind::invalid_argument, [&] { drivers::add(driver_for(store, "")); });
  message_of(ErrorKind::invalid_argument, [&] { drivers::add(driver_for(store, "other", "No Scheme")); });
  message_of(ErrorKind::invalid_argument, [] { drivers::add({.open = nullptr, .name = "other"}); });
  message_of(ErrorKind::invalid_argument, [] { drivers::remove("posix"); });
}

TEST(DriverTable, ListsWhatIsThere) {
  Store store;
  const std::size_t before = drivers::list().size();
  {
    const Registered registered(driver_for(store, "test-store", "teststore"));
    ASSERT_EQ(drivers::list().size(), before + 1);
    EXPECT_EQ(drivers::list().back().name, "test-store");
    EXPECT_EQ(drivers::list().back().url_scheme, "teststore");
    EXPECT_FALSE(drivers::list().back().built_in);
  }
  EXPECT_EQ(drivers::list().size(), before);
}

TEST(DriverTable, LeavesOpenFilesTheirDriver) {
  Store store;
  drivers::add(driver_for(store, "test-store"));
  auto file = File::create("driver-table-store", CreateMode::exclusive, {}, by_name("test-store"));
  EXPECT_TRUE(drivers::remove("test-store"));
  file.root().create_group("group");
  EXPECT_NO_THROW(file.close());
  EXPECT_FALSE(store.files["driver-table-store"].empty());
}

TEST(DriverTable, RemovesAFileThatNeverBecameOne) {
  Store store;
  UserDriver driver = driver_for(store, "test-store");
  struct Full : StoredFile {
    using StoredFile::StoredFile;
    void write(std::span<const WriteExtent>) override { throw Error(ErrorKind::no_space, "full"); }
    void truncate(std::uint64_t) override { throw Error(ErrorKind::no_space, "full"); }
  };
  driver.open = [&](const DriverOpenRequest& request) {
    return std::make_unique<Full>(store.files[request.path]);
  };
  const Registered registered(std::move(driver));
  message_of(ErrorKind::no_space, [] {
    File::create("driver-table-store", CreateMode::exclusive, {}, by_name("test-store")).close();
  });
}

TEST(DriverTable, IsSafeForThreads) {
  Store store;
  std::mutex store_mutex;
  std::atomic<int> wins{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 50; ++round) {
        const std::string own = "thread-" + std::to_string(t);
        drivers::add(driver_for(store, own, "thread" + std::to_string(t)));
        try {
          drivers::add(driver_for(store, "contended"));
          ++wins;
          drivers::remove("contended");
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::already_exists);
        }
        EXPECT_TRUE(drivers::find(own));
        {
          const std::lock_guard lock(store_mutex);  // the driver of this test has none
          File::create("thread" + std::to_string(t) + "://x", CreateMode::truncate).close();
        }
        EXPECT_TRUE(drivers::remove(own));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(wins.load(), 0);
  EXPECT_FALSE(drivers::find("contended"));
}

}  // namespace
}  // namespace filigree
