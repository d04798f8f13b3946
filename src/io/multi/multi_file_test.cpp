// SPDX-License-Identifier: Apache-2.0
#include "io/multi/multi_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "io/stack/pass_through_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

constexpr std::uint64_t raw_begin = ~std::uint64_t{0} >> 1;

/// The raw data of a split file, as if its addresses began at zero.
class RawView : public io::VirtualFile {
 public:
  explicit RawView(std::unique_ptr<io::VirtualFile> file) : file_(std::move(file)) {}
  std::uint64_t size() const override { return file_->end_of_file(io::MemoryType::raw) - raw_begin; }
  const std::string& name() const override { return file_->name(); }
  bool writable() const override { return true; }

 private:
  template <class Extent>
  static std::vector<Extent> shifted(std::span<const Extent> extents) {
    std::vector<Extent> result;
    for (Extent e : extents) {
      e.offset += raw_begin;
      if (!e.memory().empty()) result.push_back(e);
    }
    return result;
  }
  void do_read(std::span<const io::ReadExtent> extents) const override { file_->read(shifted(extents)); }
  void do_write(std::span<const io::WriteExtent> extents) override { file_->write(shifted(extents)); }
  void do_truncate(std::uint64_t bytes) override { file_->truncate(raw_begin + bytes); }
  void do_sync() override { file_->sync(); }
  std::unique_ptr<io::VirtualFile> file_;
};

struct SplitFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return io::open_split(dir / "set", io::DriverOpenMode::create_new);
  }
};
struct SplitRawFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    auto file = io::open_split(dir / "set", io::DriverOpenMode::create_new);
    file->write(0, as_bytes("metadata"), io::MemoryType::superblock);
    return std::make_unique<RawView>(std::move(file));
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(SplitFileMetadata, VirtualFileSuite, SplitFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(SplitFileRawData, VirtualFileSuite, SplitRawFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::raw_begin;

class MultiFileTest : public ::testing::Test {
 protected:
  std::uint64_t bytes_of(const std::string& name) { return std::filesystem::file_size(dir_ / name); }
  testing::TempDir dir_;
};

TEST_F(MultiFileTest, SplitKeepsMetadataAndRawDataApart) {
  const auto file = open_split(dir_ / "set", DriverOpenMode::create_new);
  const std::uint64_t raw = file->addresses(MemoryType::raw).first;
  EXPECT_EQ(raw, raw_begin);
  EXPECT_EQ(file->addresses(MemoryType::global_heap).first, raw);
  for (const MemoryType type : {MemoryType::superblock, MemoryType::btree, MemoryType::local_heap,
                                MemoryType::object_header, MemoryType::unspecified})
    EXPECT_EQ(file->addresses(type).first, 0u);
  file->write(std::vector<WriteExtent>{{raw + 3, as_bytes("raw"), MemoryType::raw},
                                       {0, as_bytes("meta"), MemoryType::superblock}});
  EXPECT_EQ(bytes_of("set-m.h5"), 4u);
  EXPECT_EQ(bytes_of("set-r.h5"), 6u);
  EXPECT_EQ(file->size(), raw + 6);
  EXPECT_EQ(file->end_of_file(MemoryType::btree), 4u);
  EXPECT_EQ(file->end_of_file(MemoryType::raw), raw + 6);
  Buffer meta(2), data(3);
  file->read(std::vector<ReadExtent>{{2, meta}, {raw + 3, data}});
  EXPECT_EQ(as_text(meta), "ta");
  EXPECT_EQ(as_text(data), "raw");
}

TEST_F(MultiFileTest, SpaceBetweenMembersHoldsNothing) {
  const auto file = open_split(dir_ / "set", DriverOpenMode::create_new);
  file->write(raw_begin, as_bytes("raw"));
  file->write(0, as_bytes("meta"));
  Buffer into(3);
  for (const std::uint64_t at : {std::uint64_t{2}, std::uint64_t{4}, raw_begin - 1, raw_begin + 1}) {
    try {
      file->read(at, into);
      ADD_FAILURE() << "nothing was thrown at " << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::truncated);
    }
  }
}

TEST_F(MultiFileTest, EveryMemberHasItsAllocation) {
  const auto file = open_split(dir_ / "set", DriverOpenMode::create_new);
  file->set_allocation_end(MemoryType::object_header, 100);
  file->set_allocation_end(MemoryType::raw, raw_begin + 50);
  EXPECT_EQ(file->allocation_end(MemoryType::superblock), 100u);
  EXPECT_THAT(file->allocated_bytes(), ElementsAre(100, 50));
  file->truncate_to_allocation();
  EXPECT_EQ(bytes_of("set-m.h5"), 100u);
  EXPECT_EQ(bytes_of("set-r.h5"), 50u);
  EXPECT_THROW(file->set_allocation_end(MemoryType::raw, 100), Error);
  EXPECT_THROW(file->set_allocation_end(MemoryType::btree, raw_begin + 1), Error);
  file->truncate(10);
  EXPECT_EQ(bytes_of("set-m.h5"), 10u);
  EXPECT_EQ(bytes_of("set-r.h5"), 0u);
}

TEST_F(MultiFileTest, TakesFromTheFileWhichMemberHasWhat) {
  // As HDF5 1.6: global heaps are with the metadata, and there is no file of raw data yet.
  MultiLayout earlier = MultiLayout::split();
  earlier.map = {1, 1, 3, 1, 1, 1};
  std::optional<DriverInfo> stored;
  {
    MultiFile file(dir_ / "set", earlier, DriverOpenMode::create_new);
    file.write(0, as_bytes("meta"));
    stored = file.driver_info({});
  }
  std::filesystem::remove(dir_ / "set-r.h5");
  const auto file = open_split(dir_ / "set", DriverOpenMode::read_only);
  EXPECT_EQ(file->addresses(MemoryType::global_heap).first, raw_begin);
  ASSERT_TRUE(file->accept_driver_info(*stored));
  EXPECT_EQ(file->addresses(MemoryType::global_heap).first, 0u);
  EXPECT_EQ(file->addresses(MemoryType::raw).first, raw_begin);
  EXPECT_EQ(file->driver_info({})->info, stored->info);
  // A set of other members is another driver's.
  MultiFile six(dir_ / "six", MultiLayout::multi(), DriverOpenMode::create_new);
  EXPECT_FALSE(file->accept_driver_info(*six.driver_info({})));
}

TEST_F(MultiFileTest, MultiHasAFileOfEveryKind) {
  MultiFile file(dir_ / "set", MultiLayout::multi(), DriverOpenMode::create_new);
  for (const char* name : {"set-s.h5", "set-b.h5", "set-r.h5", "set-g.h5", "set-l.h5", "set-o.h5"})
    EXPECT_TRUE(std::filesystem::exists(dir_ / name)) << name;
  // The start of the second file in a set that HDF5's H5Pset_fapl_multi made.
  EXPECT_EQ(file.addresses(MemoryType::btree).first, 0x2aaaaaaaaaaaaaaau);
  const std::uint64_t at = file.addresses(MemoryType::object_header).first;
  file.write(at, as_bytes("abc"));
  EXPECT_EQ(bytes_of("set-o.h5"), 3u);
}

TEST_F(MultiFileTest, MissingMemberIsNotFound) {
  open_split(dir_ / "set", DriverOpenMode::create_new);
  const auto expect_not_found = [&](const std::string& member, DriverOpenMode mode) {
    std::filesystem::rename(dir_ / member, dir_ / "away");
    try {
      open_split(dir_ / "set", mode);
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::not_found);
      EXPECT_THAT(error.what(), HasSubstr(member));
    }
    std::filesystem::rename(dir_ / "away", dir_ / member);
  };
  expect_not_found("set-r.h5", DriverOpenMode::read_write);
  expect_not_found("set-m.h5", DriverOpenMode::read_write);
  expect_not_found("set-m.h5", DriverOpenMode::read_only);
}

TEST_F(MultiFileTest, ReadersMissOnlyWhatAMissingMemberHolds) {
  {
    auto made = open_split(dir_ / "set", DriverOpenMode::create_new);
    made->write(0, as_bytes("metadata"), MemoryType::superblock);
    made->write(~std::uint64_t{0} >> 1, as_bytes("raw data"), MemoryType::raw);
  }
  std::filesystem::remove(dir_ / "set-r.h5");
  auto file = open_split(dir_ / "set", DriverOpenMode::read_only);
  Buffer bytes(8);
  file->read(0, bytes);
  EXPECT_EQ(as_text(bytes), "metadata");
  file->set_allocation_end(MemoryType::raw, (~std::uint64_t{0} >> 1) + 8);
  try {
    file->read(~std::uint64_t{0} >> 1, bytes);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_THAT(error.what(), HasSubstr("set-r.h5"));
  }
  EXPECT_FALSE(std::filesystem::exists(dir_ / "set-r.h5"));
}

TEST_F(MultiFileTest, LayoutsWithoutSenseAreRefused) {
  std::vector<MultiLayout> layouts(7, MultiLayout::split());
  layouts[0].map[2] = 7;
  layouts[1].members.pop_back();
  layouts[2].members[0].first = 5;
  layouts[3].members[1].first = 0;
  layouts[4].members[1].first = ~std::uint64_t{0};
  layouts[5].members[1].name_template = "../%s";
  layouts[6].members.push_back({1000, "%s-x"});
  const MemberOpener in_memory = [](const std::string&, DriverOpenMode) {
    return std::make_unique<MemoryFile>();
  };
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    try {
      MultiFile(dir_ / "set", layouts[i], DriverOpenMode::create_new, in_memory);
      ADD_FAILURE() << "layout " << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
    }
  }
}

TEST_F(MultiFileTest, NeighbouringMembersAreNotMixedUp) {
  // As a file may ask for: the second member begins right behind the first.
  MultiLayout layout = MultiLayout::split();
  layout.members[1].first = 8;
  const MemberOpener in_memory = [](const std::string&, DriverOpenMode) {
    return std::make_unique<MemoryFile>();
  };
  MultiFile file(dir_ / "set", layout, DriverOpenMode::create_new, in_memory);
  file.write(4, as_bytes("abcdefgh"));
  EXPECT_EQ(file.end_of_file(MemoryType::superblock), 8u);
  EXPECT_EQ(file.end_of_file(MemoryType::raw), 12u);
  Buffer into(8);
  file.read(4, into);
  EXPECT_EQ(as_text(into), "abcdefgh");
}

}  // namespace
}  // namespace filigree::io
