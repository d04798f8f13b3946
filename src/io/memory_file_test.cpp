// SPDX-License-Identifier: Apache-2.0
#include "io/memory_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct MemoryFiles {
  std::unique_ptr<io::VirtualFile> make() { return std::make_unique<io::MemoryFile>(); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(MemoryFile, VirtualFileSuite, MemoryFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::HasSubstr;

Buffer bytes_of(std::string_view text) {
  const Bytes bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

TEST(MemoryFile, TakesAnImageAndGivesItBack) {
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

}  // namespace
}  // namespace filigree::io
