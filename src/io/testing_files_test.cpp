// SPDX-License-Identifier: Apache-2.0
//
// The test files of src/testing keep their promises.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/memory_file.hpp"
#include "testing/counting_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct CountingFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<CountingFile>(std::make_unique<io::MemoryFile>());
  }
};
struct FaultyFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<FaultyFile>(std::make_unique<io::MemoryFile>());
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(CountingFile, VirtualFileSuite, CountingFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(FaultyFile, VirtualFileSuite, FaultyFiles);

namespace {

TEST(CountingFile, CountsCallsExtentsAndBytes) {
  CountingFile file(std::make_unique<io::MemoryFile>());
  const std::vector<io::WriteExtent> writes{{0, as_bytes("abc")}, {5, as_bytes("de")}};
  file.write(writes);
  Buffer into(4);
  file.read(0, into);
  file.read(3, into);
  file.truncate(1);
  file.sync();
  const IoCounts counts = file.counts();
  EXPECT_EQ(counts.write_calls, 1u);
  EXPECT_EQ(counts.write_extents, 2u);
  EXPECT_EQ(counts.write_bytes, 5u);
  EXPECT_EQ(counts.read_calls, 2u);
  EXPECT_EQ(counts.read_extents, 2u);
  EXPECT_EQ(counts.read_bytes, 8u);
  EXPECT_EQ(counts.truncate_calls, 1u);
  EXPECT_EQ(counts.sync_calls, 1u);
  file.reset();
  EXPECT_EQ(file.counts().read_calls, 0u);
}

TEST(FaultyFile, FailsExactlyTheNthCall) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  file.arm({.nth = 2, .kind = ErrorKind::no_space});
  file.write(0, as_bytes("a"));
  file.sync();
  try {
    file.write(0, as_bytes("b"));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
  }
  EXPECT_TRUE(file.struck());
  EXPECT_EQ(as_text(memory.image()), "a");
  file.write(0, as_bytes("c"));
  EXPECT_EQ(as_text(memory.image()), "c");
  EXPECT_EQ(file.calls(), 4u);
}

TEST(FaultyFile, CountsOnlyTheKindAsked) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  Buffer byte(1);
  file.arm({.nth = 1, .on = Fault::On::read});
  file.write(0, as_bytes("a"));
  file.read(0, byte);
  file.truncate(1);
  EXPECT_THROW(file.read(0, byte), Error);
  file.arm({.nth = 1, .on = Fault::On::write});
  file.read(0, byte);
  file.truncate(1);
  EXPECT_THROW(file.sync(), Error);
}

TEST(FaultyFile, TornWriteKeepsTheFirstHalf) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  file.arm({.tear = true});
  const std::vector<io::WriteExtent> writes{{0, as_bytes("abc")}, {3, as_bytes("defgh")}};
  EXPECT_THROW(file.write(writes), Error);
  EXPECT_EQ(as_text(memory.image()), "abcd");
}

TEST(FaultyFile, DeadDeviceFailsEverythingAfterwards) {
  io::MemoryFile memory(Buffer(4));
  FaultyFile file(memory);
  file.arm({.on = Fault::On::write, .device_dies = true});
  Buffer byte(1);
  file.read(0, byte);
  EXPECT_THROW(file.sync(), Error);
  EXPECT_THROW(file.read(0, byte), Error);
  EXPECT_THROW(file.write(0, byte), Error);
  file.disarm();
  file.read(0, byte);
}

TEST(TempDir, VanishesWithItsContents) {
  std::string path;
  {
    const TempDir dir;
    path = dir.path();
    std::ofstream(dir / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(dir / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace filigree::testing
