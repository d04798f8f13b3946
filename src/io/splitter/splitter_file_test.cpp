// SPDX-License-Identifier: Apache-2.0
#include "io/splitter/splitter_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/drivers.hpp"
#include "io/memory/memory_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct SplitterFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::SplitterFile>(std::make_unique<io::MemoryFile>(),
                                              std::make_unique<io::MemoryFile>(), io::CopyFaults());
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(SplitterFile, VirtualFileSuite, SplitterFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A splitter whose copy holds four bytes and no more.
class SplitterFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<SplitterFile> make(bool ignored) {
    MemoryOptions small;
    small.name = "copy";
    small.max_bytes = 4;
    auto copy = std::make_unique<MemoryFile>(Buffer(), small);
    copy_ = copy.get();
    return std::make_unique<SplitterFile>(
        std::make_unique<MemoryFile>(), std::move(copy),
        CopyFaults{[this](std::string_view line) { lines_.emplace_back(line); }, ignored});
  }
  const MemoryFile* copy_ = nullptr;
  std::vector<std::string> lines_;
};

TEST_F(SplitterFileTest, RepeatsWritesAndTruncationsInTheCopy) {
  const auto file = make(false);
  file->write(0, as_bytes("abcd"));
  file->write(1, as_bytes("XY"));
  EXPECT_EQ(copy_->image(), Buffer(as_bytes("aXYd").begin(), as_bytes("aXYd").end()));
  file->truncate(2);
  EXPECT_EQ(copy_->size(), 2u);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(SplitterFileTest, FailsAndLogsWhenTheCopyFails) {
  const auto file = make(false);
  EXPECT_THROW(file->write(0, as_bytes("abcdef")), Error);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("writing 'copy'")));
}

TEST_F(SplitterFileTest, GoesOnWithoutTheCopyIfFaultsAreIgnored) {
  const auto file = make(true);
  file->write(0, as_bytes("abcdef"));
  EXPECT_EQ(file->size(), 6u);
  EXPECT_EQ(copy_->size(), 4u);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("writing 'copy'")));
}

TEST(SplitterDriver, MakesACopyNextToTheFileByDefault) {
  testing::TempDir dir;
  AccessOptions access;
  access.driver = DriverChoice("splitter");
  open_driver(dir / "name.h5", DriverOpenMode::create_new, access)->write(0, as_bytes("abc"));
  EXPECT_EQ(open_driver(dir / "name_wo.h5", DriverOpenMode::read_only, {})->size(), 3u);
}

TEST(SplitterDriver, NeedsTheCopyUnlessFaultsAreIgnored) {
  testing::TempDir dir;
  open_driver(dir / "name", DriverOpenMode::create_new, {});
  AccessOptions access;
  access.driver = SplitterDriver{.copy_path = dir / "copy"};
  EXPECT_THROW(open_driver(dir / "name", DriverOpenMode::read_write, access), Error);
  access.driver = SplitterDriver{.copy_path = dir / "copy", .ignore_copy_faults = true};
  EXPECT_EQ(open_driver(dir / "name", DriverOpenMode::read_write, access)->size(), 0u);
}

}  // namespace
}  // namespace filigree::io
