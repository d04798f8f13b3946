// SPDX-License-Identifier: Apache-2.0
#include "io/memory/memory_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/counting_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct MemoryFiles {
  std::unique_ptr<io::VirtualFile> make() { return std::make_unique<io::MemoryFile>(); }
};
struct BackedMemoryFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return io::open_memory_file(dir / "file", io::DriverOpenMode::create_new, true);
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(MemoryFile, VirtualFileSuite, MemoryFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(BackedMemoryFile, VirtualFileSuite, BackedMemoryFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::HasSubstr;

Buffer bytes_of(std::string_view text) {
  const Bytes bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

TEST(MemoryFile, TakesAnImageAndReturnsIt) {
  MemoryFile file(bytes_of("image"));
  file.write(1, as_bytes("M"));
  EXPECT_EQ(as_text(file.image()), "iMage");
  EXPECT_EQ(as_text(file.take()), "iMage");
  EXPECT_EQ(file.size(), 0u);
}

TEST(MemoryFile, ReadOnlyOneRefusesChanges) {
  MemoryFile file(bytes_of("image"), {.name = "frozen", .writable = false});
  for (const bool cut : {true, false}) {
    try {
      cut ? file.truncate(0) : file.write(0, as_bytes("x"));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::read_only);
      EXPECT_THAT(error.what(), HasSubstr("'frozen'"));
    }
  }
  EXPECT_EQ(as_text(file.image()), "image");
}

TEST(MemoryFile, LimitActsAsAFullDevice) {
  MemoryFile file({}, {.max_bytes = 5});
  file.write(0, as_bytes("abc"));
  try {
    file.write(3, as_bytes("defg"));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
    EXPECT_THAT(error.what(), HasSubstr("writing 4 bytes at offset 3 of 'memory': 2 bytes were written"));
  }
  EXPECT_EQ(as_text(file.image()), "abcde");
  EXPECT_THROW(file.write(100, as_bytes("x")), Error);
  EXPECT_THROW(file.truncate(6), Error);
  file.truncate(0);
  file.write(0, as_bytes("again"));
  EXPECT_EQ(as_text(file.image()), "again");
}

TEST(MemoryFile, OffsetBeyondAnyMemoryIsNoSpace) {
  MemoryFile file;
  try {
    file.write(largest_file_bytes - 1, as_bytes("x"));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
  }
}

TEST(BackedMemoryFile, SavesWhatChangedAndNoMore) {
  MemoryFile device(Buffer(1u << 20, std::byte{1}));
  auto counting = std::make_unique<testing::CountingFile>(device);
  testing::CountingFile& io = *counting;
  MemoryFile file(MemoryOptions(), std::move(counting));
  io.reset();
  file.write(100, as_bytes("abc"));
  file.write(700000, as_bytes("def"));
  EXPECT_EQ(io.counts().write_calls, 0u);
  file.sync();
  EXPECT_EQ(io.counts().write_bytes, 2u * (64u << 10));
  EXPECT_EQ(device.image(), file.image());
  file.sync();
  EXPECT_EQ(io.counts().write_bytes, 2u * (64u << 10));
}

TEST(BackedMemoryFile, AgreesWithItsFileAfterRandomChanges) {
  MemoryFile device;
  std::mt19937 random(23);
  Buffer model;
  for (int round = 0; round < 60; ++round) {
    MemoryFile file(MemoryOptions(), std::make_unique<testing::PassThroughFile>(device));
    for (int change = 0; change < 4; ++change) {
      const std::size_t at = random() % 400000;
      if (random() % 3 == 0) {
        file.truncate(at);
        model.resize(at);
      } else {
        const Buffer data = testing::random_bytes(random, 1 + random() % 5000);
        file.write(at, data);
        model.resize(std::max(model.size(), at + data.size()));
        std::copy(data.begin(), data.end(), model.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    if (round % 2 == 0) file.sync();
    ASSERT_EQ(file.image(), model);
  }
  EXPECT_EQ(device.image(), model);
}

TEST(BackedMemoryFile, FailedSaveCanBeRepeated) {
  MemoryFile device;
  auto faulty = std::make_unique<testing::FaultyFile>(device);
  testing::FaultyFile& fault = *faulty;
  MemoryFile file(MemoryOptions(), std::move(faulty));
  file.write(0, as_bytes("abc"));
  fault.arm({.tear = true});
  EXPECT_THROW(file.sync(), Error);
  file.sync();
  EXPECT_EQ(as_text(device.image()), "abc");
}

TEST(OpenInMemory, KeepsOnlyWhenAskedTo) {
  const testing::TempDir dir;
  const std::string path = dir / "file";
  open_memory_file(path, DriverOpenMode::create_new, false)->write(0, as_bytes("x"));
  EXPECT_THROW(PosixFile(path, DriverOpenMode::read_only), Error);
  open_memory_file(path, DriverOpenMode::create_new, true)->write(0, as_bytes("abc"));
  open_memory_file(path, DriverOpenMode::read_write, false)->write(0, as_bytes("x"));
  open_memory_file(path, DriverOpenMode::read_write, true)->write(1, as_bytes("B"));
  const auto file = open_memory_file(path, DriverOpenMode::read_only, false);
  EXPECT_EQ(as_text(file->image()), "aBc");
  EXPECT_FALSE(file->writable());
  EXPECT_FALSE(open_memory_file(path, DriverOpenMode::read_only, true)->writable());
}

}  // namespace
}  // namespace filigree::io
