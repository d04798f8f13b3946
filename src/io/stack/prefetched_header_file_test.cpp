// SPDX-License-Identifier: Apache-2.0
#include "io/stack/prefetched_header_file.hpp"

#include <gtest/gtest.h>

#include "io/memory/memory_file.hpp"
#include "io/uring/uring_file.hpp"
#include "testing/latency_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct PrefetchedHeaderFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PrefetchedHeaderFile>(std::make_unique<io::MemoryFile>(), 0);
  }
};
struct PrefetchedUringFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PrefetchedHeaderFile>(
        std::make_unique<io::UringFile>(dir / "file", io::DriverOpenMode::create_new), 0);
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(PrefetchedHeaderFile, VirtualFileSuite, PrefetchedHeaderFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(PrefetchedHeaderOfUringFile, VirtualFileSuite, PrefetchedUringFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

std::byte byte_at(const VirtualFile& file, std::uint64_t offset) {
  std::byte value{};
  file.read(offset, MutableBytes(&value, 1));
  return value;
}

TEST(PrefetchedHeaderFile, IsReadOnceUntilTheFileChanges) {
  MemoryFile memory(Buffer(1000, std::byte{1}));
  PrefetchedHeaderFile file(std::make_unique<testing::PassThroughFile>(memory), 100);
  const Buffer two(1000, std::byte{2});
  memory.write(0, two);
  EXPECT_EQ(byte_at(file, 99), std::byte{1});
  EXPECT_EQ(byte_at(file, 100), std::byte{2});
  file.write(500, Bytes(two).first(1));
  EXPECT_EQ(byte_at(file, 99), std::byte{2});
}

TEST(PrefetchedHeaderFile, WrapsFilesOfHighLatencyOnly) {
  auto near = PrefetchedHeaderFile::wrap(std::make_unique<MemoryFile>(Buffer(1000)));
  EXPECT_EQ(dynamic_cast<PrefetchedHeaderFile*>(near.get()), nullptr);
  testing::LatencyOptions options;
  options.sleep = false;
  options.coalescing = CoalescingLimits();
  options.coalescing->read_gap_bytes = 1u << 20;
  auto far = PrefetchedHeaderFile::wrap(
      std::make_unique<testing::LatencyFile>(std::make_unique<MemoryFile>(Buffer(1000)), options));
  EXPECT_NE(dynamic_cast<PrefetchedHeaderFile*>(far.get()), nullptr);
  EXPECT_TRUE(far->capabilities().concurrent);
}

}  // namespace
}  // namespace filigree::io
