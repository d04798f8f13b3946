// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <filesystem>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Drivers : public ::testing::Test {
 protected:
  Drivers() {
    folder_ = fs::temp_directory_path() /
              ("filigree-drivers-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    fs::create_directories(folder_);
  }
  ~Drivers() override { fs::remove_all(folder_); }

  struct Case {
    std::string path;
    AccessOptions access;
  };
  std::vector<Case> cases() const {
    const auto with = [&](const char* name, DriverChoice driver) {
      Case c{(folder_ / name).string(), {}};
      c.access.driver = std::move(driver);
      return c;
    };
    return {with("posix.h5", PosixDriver{}),   with("uring.h5", UringDriver{.depth = 8}),
            with("memory.h5", MemoryDriver{}), with("family%d.h5", FamilyDriver{.member_bytes = 4096}),
            with("split", SplitDriver{}),      with("multi", MultiDriver{})};
  }

  fs::path folder_;
};

std::vector<double> numbers(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

void fill(File& file) {
  for (int i = 0; i < 20; ++i) {
    Group group = file.root().create_group("group" + std::to_string(i));
    group.write_dataset("values", numbers(500 + i));
    group.write_dataset("text", std::vector<std::string>{"one", "two", std::to_string(i)});
  }
}

void expect_contents(const File& file) {
  for (int i = 0; i < 20; ++i) {
    const Group group = file.root().open_group("group" + std::to_string(i));
    EXPECT_EQ(group.read_dataset<std::vector<double>>("values"), numbers(500 + i));
    EXPECT_EQ(group.read_dataset<std::vector<std::string>>("text").at(2), std::to_string(i));
  }
}

TEST_F(Drivers, KeepWhatIsWritten) {
  for (const Case& c : cases()) {
    File file = File::create(c.path, CreateMode::exclusive, {}, c.access);
    fill(file);
    expect_contents(file);
    file.close();
    EXPECT_THROW(File::create(c.path, CreateMode::exclusive, {}, c.access), Error) << c.path;
    File again = File::open(c.path, OpenMode::read_write, c.access);
    expect_contents(again);
    again.root().remove("group3");
    again.root().write_dataset("more", numbers(3000));
    again.close();
    EXPECT_EQ(
        File::open(c.path, OpenMode::read_only, c.access).root().read_dataset<std::vector<double>>("more"),
        numbers(3000));
  }
}

/// Chunks through filters, sparse chunks, and elements that are not contiguous: what threads share most of.
void fill_large(File& file) {
  Group root = file.root();
  root.write_dataset("plain", numbers(40000));
  DatasetOptions chunked;
  chunked.chunk = {1000};
  chunked.filters = {filters::shuffle(), filters::deflate(1)};
  root.write_dataset("chunks", numbers(40000), chunked);
  for (const bool portable : {false, true}) {
    SparseChunks sparse({1000});
    if (portable) sparse.portable();
    root.create_dataset<double>(portable ? "portable" : "sparse", Dataspace::simple({80000}), sparse)
        .write(numbers(40000), Selection::strided({1}, {2}, {40000}));
  }
}

void expect_large(const File& file) {
  const Group root = file.root();
  for (const char* name : {"plain", "chunks"}) {
    const Dataset dataset = root.open_dataset(name);
    EXPECT_EQ(dataset.read<std::vector<double>>(), numbers(40000)) << name;
    const auto some = dataset.read<std::vector<double>>(Selection::strided({3}, {7}, {5000}));
    EXPECT_EQ(some.at(4999), 4 + 7 * 4999) << name;
  }
  const Selection odd = Selection::strided({1}, {2}, {40000});
  for (const char* name : {"sparse", "portable"}) {
    const Dataset dataset = root.open_dataset(name);
    EXPECT_EQ(dataset.read<std::vector<double>>(odd), numbers(40000)) << name;
    EXPECT_EQ(dataset.defined(), odd.within({80000})) << name;
  }
}

TEST_F(Drivers, ServeManyThreadsAtOnce) {
  std::atomic<int> lines{0};
  std::vector<Case> all = cases();
  Case logged{(folder_ / "logged.h5").string(), {}};
  logged.access.log = DriverLog{.sink = [&](std::string_view) { ++lines; }};
  all.push_back(logged);
  Case buffered{(folder_ / "buffered.h5").string(), {}};
  buffered.access.page_buffer_bytes = 64u << 10;
  buffered.access.log = logged.access.log;
  all.push_back(buffered);
  for (const Case& c : all) {
    CreateOptions options;
    if (c.access.page_buffer_bytes > 0) options.space.strategy = SpaceStrategy::paged;
    File made = File::create(c.path, CreateMode::truncate, options, c.access);
    fill(made);
    fill_large(made);
    made.close();
  }
  // All drivers side by side; of each file one handle is shared, and others are opened by threads of their
  // own.
  std::vector<File> shared;
  for (const Case& c : all) shared.push_back(File::open(c.path, OpenMode::read_only, c.access));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, i, t] {
        const File file =
            t % 2 == 0 ? shared[i] : File::open(all[i].path, OpenMode::read_only, all[i].access);
        expect_contents(file);
        expect_large(file);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(lines, 0);
}

TEST_F(Drivers, LeaveNothingOfAFileInMemoryThatIsNotSaved) {
  AccessOptions access;
  access.driver = MemoryDriver{.save = false};
  const std::string path = (folder_ / "unsaved.h5").string();
  File file = File::create(path, CreateMode::exclusive, {}, access);
  fill(file);
  expect_contents(file);
  EXPECT_GT(file.image().size(), 1000u);
  file.close();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Drivers, SaveAFileInMemoryWhenItIsFlushed) {
  AccessOptions access;
  access.driver = MemoryDriver{};
  const std::string path = (folder_ / "saved.h5").string();
  File file = File::create(path, CreateMode::exclusive, {}, access);
  fill(file);
  file.flush();
  AccessOptions reading;
  reading.locking = Locking::off;
  expect_contents(File::open(path, OpenMode::read_only, reading));
}

TEST_F(Drivers, RefuseWhatSeveralFilesCannotHave) {
  AccessOptions access;
  access.driver = SplitDriver{};
  const std::string path = (folder_ / "refused").string();
  CreateOptions options;
  options.user_block_bytes = 512;
  EXPECT_THROW(File::create(path, CreateMode::exclusive, options, access), Error);
  EXPECT_FALSE(fs::exists(path + "-m.h5"));
  EXPECT_FALSE(fs::exists(path + "-r.h5"));
  options = {};
  options.space.strategy = SpaceStrategy::paged;
  EXPECT_THROW(File::create(path, CreateMode::exclusive, options, access), Error);
  options = {};
  options.offset_bytes = 4;
  EXPECT_THROW(File::create(path, CreateMode::exclusive, options, access), Error);
  File file = File::create(path, CreateMode::exclusive, {}, access);
  EXPECT_THROW(file.image(), Error);
}

TEST_F(Drivers, NameTheDriverThatIsNeeded) {
  for (const Case& c : cases()) {
    File made = File::create(c.path, CreateMode::truncate, {}, c.access);
    fill(made);
    made.close();
  }
  const auto message = [](const std::string& path) {
    try {
      File::open(path);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(message((folder_ / "family0.h5").string()),
              HasSubstr("family driver, with members of 4096 bytes"));
  EXPECT_THAT(message((folder_ / "split-m.h5").string()), HasSubstr("needs the split driver"));
}

TEST_F(Drivers, FollowExternalLinksOutOfASplitFile) {
  File plain = File::create((folder_ / "plain.h5").string());
  plain.root().write_dataset("values", numbers(10));
  plain.close();
  AccessOptions access;
  access.driver = SplitDriver{};
  File split = File::create((folder_ / "linking").string(), CreateMode::exclusive, {}, access);
  split.root().link_external("there", "plain.h5", "/values");
  EXPECT_EQ(split.root().read_dataset<std::vector<double>>("there"), numbers(10));
}

TEST_F(Drivers, TellTheLogOfEveryRequest) {
  std::vector<std::string> lines;
  AccessOptions access;
  access.log = DriverLog{};
  access.log->sink = [&](std::string_view line) { lines.emplace_back(line); };
  File file = File::create((folder_ / "logged.h5").string(), CreateMode::exclusive, {}, access);
  file.root().write_dataset("values", numbers(5000));
  file.close();
  const auto count = [&](const char* text) {
    return std::ranges::count_if(lines,
                                 [&](const std::string& line) { return line.find(text) != line.npos; });
  };
  EXPECT_EQ(count("write 1 extents, 40000 bytes"), 1);
  EXPECT_GE(count("superblock"), 2);
  EXPECT_THAT(lines.back(), HasSubstr("superblock"));
}

/// Runs of extents that follow one another: what a driver without vectors would do one by one.
std::uint64_t logged_runs(const std::vector<std::string>& lines, const std::string& op) {
  std::uint64_t sum = 0;
  for (const std::string& line : lines) {
    if (line.find("\"op\":\"" + op + "\"") == line.npos) continue;
    sum += std::stoull(line.substr(line.find("\"runs\":") + 7));
  }
  return sum;
}

TEST_F(Drivers, SeeAtMostOneRequestFor64KibibytesOfAStridedSlab) {
  constexpr std::uint64_t side = 4096;
  const std::string path = (folder_ / "strided.h5").string();
  File made = File::create(path);
  made.root()
      .create_dataset<float>("m", Dataspace::simple({side, side}))
      .write(std::vector<float>(side * side, 2));
  made.close();
  std::vector<std::string> lines;
  AccessOptions access;
  access.log =
      DriverLog{DriverLog::Format::json_lines, [&](std::string_view line) { lines.emplace_back(line); }};
  File file = File::open(path, OpenMode::read_write, access);
  Dataset dataset = file.root().open_dataset("m");
  const Selection every_fourth = Selection::strided({0, 0}, {1, 4}, {side, side / 4});
  constexpr std::uint64_t most = side * side * 4 / (64u << 10);
  lines.clear();
  const auto values = dataset.read<std::vector<float>>(every_fourth);
  EXPECT_LE(logged_runs(lines, "read"), most);
  lines.clear();
  dataset.write(std::vector<float>(values.size(), 5), every_fourth);
  EXPECT_LE(logged_runs(lines, "read") + logged_runs(lines, "write"), most);
  EXPECT_EQ(dataset.read<std::vector<float>>(Selection::strided({7, 0}, {1, 1}, {1, 5})),
            (std::vector<float>{5, 2, 2, 2, 5}));
  lines.clear();
  dataset.read<std::vector<float>>(Selection::strided({0, 9}, {1, 1}, {side, 1}));
  EXPECT_LE(logged_runs(lines, "read"), side);
}

TEST_F(Drivers, BufferPagesOfAPagedFile) {
  CreateOptions options;
  options.space.strategy = SpaceStrategy::paged;
  AccessOptions access;
  access.page_buffer_bytes = 64 * 4096;
  access.page_buffer_metadata_percent = 25;
  const std::string path = (folder_ / "paged.h5").string();
  File file = File::create(path, CreateMode::exclusive, options, access);
  fill(file);
  expect_contents(file);
  ASSERT_TRUE(file.info().page_buffer);
  EXPECT_GT(file.info().page_buffer->raw.hits, 0u);
  file.close();
  File again = File::open(path, OpenMode::read_write, access);
  expect_contents(again);
  again.root().write_dataset("large", numbers(100000));
  EXPECT_GT(again.info().page_buffer->raw.bypasses, 0u);
  again.root().remove("group7");
  again.close();
  const File plain = File::open(path);
  EXPECT_FALSE(plain.info().page_buffer);
  EXPECT_EQ(plain.root().read_dataset<std::vector<double>>("large"), numbers(100000));
  access.page_buffer_bytes = 100;
  EXPECT_THROW(File::open(path, OpenMode::read_only, access), Error);
}

}  // namespace
}  // namespace filigree
