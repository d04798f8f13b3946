// SPDX-License-Identifier: Apache-2.0
//
// HDF5 files in user-defined drivers.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>

#include <filigree/filigree.hpp>

#include <gmock/gmock.h>

namespace filigree {
namespace {

/// Files by name, in memory.
struct Shelf {
  std::map<std::string, std::vector<std::byte>> files;
  int opens = 0, selections = 0, flushes = 0;
  bool takes_selections = false;

  UserDriver driver();
};

class ShelfFile : public FileDriver {
 public:
  ShelfFile(Shelf& shelf, std::vector<std::byte>& bytes) : shelf_(shelf), bytes_(bytes) {}
  DriverCapabilities capabilities() const override {
    DriverCapabilities able;
    able.selections = shelf_.takes_selections;
    return able;
  }
  void read(std::span<const ReadExtent> extents) override {
    for (const ReadExtent& p : extents) std::memcpy(p.into.data(), bytes_.data() + p.offset, p.into.size());
  }
  void write(std::span<const WriteExtent> extents) override {
    for (const WriteExtent& p : extents) {
      bytes_.resize(std::max<std::size_t>(bytes_.size(), p.offset + p.from.size()));
      std::memcpy(bytes_.data() + p.offset, p.from.data(), p.from.size());
    }
  }
  /// Takes those whose memory is everything, one element after the other.
  bool read_selections(std::span<const SelectionRead> requests, MemoryType type) override {
    EXPECT_EQ(type, MemoryType::raw);
    ++shelf_.selections;
    for (const SelectionRead& r : requests) {
      std::size_t at = 0;
      const Selection chosen = r.file.selection();
      for (const Selection::Run& run : chosen.within(r.file.extent()).runs()) {
        std::memcpy(r.into.data() + at, bytes_.data() + r.offset + run.start * r.element_bytes,
                    run.length * r.element_bytes);
        at += run.length * r.element_bytes;
      }
    }
    return true;
  }
  std::uint64_t size() override { return bytes_.size(); }
  void truncate(std::uint64_t bytes) override { bytes_.resize(bytes); }
  void flush() override { ++shelf_.flushes; }

 private:
  Shelf& shelf_;
  std::vector<std::byte>& bytes_;
};

UserDriver Shelf::driver() {
  return {.open = [this](const DriverOpenRequest& request) -> std::unique_ptr<FileDriver> {
    const auto& [path, mode, configuration] = request;
    ++opens;
    const bool creates = mode == DriverOpenMode::create_new || mode == DriverOpenMode::create_truncate;
    if (!creates && !files.contains(path)) throw Error(ErrorKind::not_found, "nothing on the shelf");
    if (mode == DriverOpenMode::create_new && files.contains(path))
      throw Error(ErrorKind::already_exists, "the path exists");
    if (creates) files[path].clear();
    return std::make_unique<ShelfFile>(*this, files[path]);
  }};
}

TEST(UserDriver, KeepsAFile) {
  Shelf shelf;
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 0.0);
  {
    auto file = create_through(shelf.driver(), "shelf");
    EXPECT_NE(dynamic_cast<ShelfFile*>(driver_of(file)), nullptr);
    file.root().create_dataset<double>("values", Dataspace::simple({1000})).write(values);
    file.flush();
    EXPECT_GT(shelf.flushes, 0);
    file.close();
  }
  const auto image = File::open_image(shelf.files["shelf"]);
  EXPECT_EQ(image.root().open_dataset("values").read<std::vector<double>>(), values);
  EXPECT_EQ(driver_of(image), nullptr);
  const auto again = open_through(shelf.driver(), "shelf");
  EXPECT_EQ(again.root().open_dataset("values").read<std::vector<double>>(), values);
  EXPECT_THROW(create_through(shelf.driver(), "shelf"), Error);
  EXPECT_THROW(open_through(shelf.driver(), "other"), Error);
}

TEST(UserDriver, IsGivenSelections) {
  Shelf shelf;
  shelf.takes_selections = true;
  std::vector<int> values(100 * 100);
  std::iota(values.begin(), values.end(), 0);
  auto file = create_through(shelf.driver(), "shelf");
  auto data = file.root().create_dataset<int>("values", Dataspace::simple({100, 100}));
  data.write(values);
  file.flush();
  const auto column = data.read<std::vector<int>>(Selection::box({0, 7}, {100, 1}));
  EXPECT_GT(shelf.selections, 0);
  for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], values[i * 100 + 7]);
}

TEST(UserDriver, OpensLinkedFiles) {
  Shelf shelf;
  {
    auto target = create_through(shelf.driver(), "target");
    target.root().create_group("inside");
    auto source = create_through(shelf.driver(), "source");
    source.root().link_external("away", "target", "/inside");
  }
  const auto source = open_through(shelf.driver(), "source");
  EXPECT_NO_THROW(source.root().open_group("away"));
  shelf.files.erase("target");
}

TEST(UserDriver, SharesFilesOfASet) {
  Shelf shelf;
  AccessOptions access;
  access.files = make_file_set();
  const auto file = create_through(shelf.driver(), "shelf", CreateMode::truncate, {}, access);
  const int opens = shelf.opens;
  EXPECT_EQ(open_through(shelf.driver(), "shelf", OpenMode::read_write, access), file);
  EXPECT_EQ(shelf.opens, opens);
  EXPECT_THROW(create_through(shelf.driver(), "shelf", CreateMode::truncate, {}, access), Error);
}

TEST(UserDriver, MayWrapABuiltInDriver) {
  const std::string path = ::testing::TempDir() + "user_driver_below.h5";
  const UserDriver driver{
      .open = [](const DriverOpenRequest& request) { return open_file_driver(request.path, request.mode); }};
  {
    auto file = create_through(driver, path, CreateMode::truncate);
    file.root().create_group("group");
    EXPECT_TRUE(file.descriptor());
    file.close();
  }
  EXPECT_NO_THROW(File::open(path).root().open_group("group"));
}

}  // namespace
}  // namespace filigree
