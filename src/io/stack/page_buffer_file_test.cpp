// SPDX-License-Identifier: Apache-2.0
#include "io/stack/page_buffer_file.hpp"

#include <gtest/gtest.h>

#include "io/memory/memory_file.hpp"
#include "testing/counting_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct PageBufferFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PageBufferFile>(std::make_unique<io::MemoryFile>(),
                                                io::PageBufferOptions{.page_bytes = 64, .bytes = 512});
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(PageBufferFile, VirtualFileSuite, PageBufferFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

constexpr std::uint64_t page = 100;

struct Buffered {
  explicit Buffered(std::size_t pages, unsigned metadata_percent = 0, unsigned raw_percent = 0)
      : memory(image()) {
    auto counting = std::make_unique<testing::CountingFile>(memory);
    io = counting.get();
    file = std::make_unique<PageBufferFile>(std::move(counting),
                                            PageBufferOptions{.page_bytes = page,
                                                              .bytes = pages * page,
                                                              .metadata_percent = metadata_percent,
                                                              .raw_percent = raw_percent});
  }
  static Buffer image() {
    Buffer bytes(20 * page);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
    return bytes;
  }
  void read_page(std::uint64_t number, MemoryType type) {
    Buffer bytes(10);
    file->read(number * page + 20, bytes, type);
    EXPECT_EQ(bytes[0], static_cast<std::byte>((number * page + 20) * 7));
  }
  MemoryFile memory;
  testing::CountingFile* io;
  std::unique_ptr<PageBufferFile> file;
};

TEST(PageBuffer, ReadsAPageOnceAndWhole) {
  Buffered b(4);
  for (int i = 0; i < 5; ++i) b.read_page(3, MemoryType::raw);
  EXPECT_EQ(b.io->counts().read_calls, 1u);
  EXPECT_EQ(b.io->counts().read_bytes, page);
  EXPECT_EQ(b.file->counters().raw.hits, 4u);
  EXPECT_EQ(b.file->counters().raw.misses, 1u);
}

TEST(PageBuffer, ReadsAllMissingPagesWithOneRequest) {
  Buffered b(8);
  b.read_page(2, MemoryType::raw);
  b.io->reset();
  Buffer bytes(4 * page);
  b.file->read(page, bytes, MemoryType::raw);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), b.memory.image().begin() + page));
  EXPECT_EQ(b.io->counts().read_calls, 1u);
  EXPECT_EQ(b.io->counts().read_bytes, 3 * page);
}

TEST(PageBuffer, LetsLargerRequestsPassByAndWritesWhatTheyOverlapFirst) {
  Buffered b(4);
  const Buffer changed(page / 2, std::byte{0xee});
  b.file->write(2 * page, changed, MemoryType::raw);
  EXPECT_EQ(b.io->counts().write_calls, 0u);
  Buffer all(20 * page);
  b.file->read(0, all, MemoryType::raw);
  EXPECT_EQ(all[2 * page], std::byte{0xee});
  EXPECT_EQ(b.file->counters().raw.bypasses, 1u);
  EXPECT_EQ(b.io->counts().write_calls, 1u);
  EXPECT_EQ(b.io->counts().write_bytes, page);
  // A large write reaches the pages that are held.
  const Buffer over(10 * page, std::byte{0x55});
  b.file->write(0, over, MemoryType::raw);
  Buffer one(10);
  b.file->read(2 * page, one, MemoryType::raw);
  EXPECT_EQ(one[0], std::byte{0x55});
}

TEST(PageBuffer, HoldsChangedPagesBackUntilTheyMayBeWritten) {
  Buffered b(4);
  const Buffer changed(10, std::byte{0xee});
  b.file->write(5, changed, MemoryType::object_header);
  b.file->write(3 * page, changed, MemoryType::raw);
  EXPECT_EQ(b.io->counts().write_calls, 0u);
  b.file->ctl({.op = ctl_op::write_back, .unknown = CtlUnknown::ignore});
  EXPECT_EQ(b.io->counts().write_calls, 2u);
  EXPECT_EQ(b.io->counts().write_bytes, 2 * page);
  EXPECT_EQ(b.memory.image()[3 * page], std::byte{0xee});
  b.file->sync();
  EXPECT_EQ(b.io->counts().write_calls, 2u);
}

TEST(PageBuffer, WritesTheSuperblockAtOnce) {
  Buffered b(4);
  b.read_page(0, MemoryType::object_header);
  const Buffer changed(10, std::byte{0xee});
  b.file->write(0, changed, MemoryType::superblock);
  EXPECT_EQ(b.memory.image()[0], std::byte{0xee});
  Buffer back(10);
  b.file->read(0, back);
  EXPECT_EQ(back, changed);
}

TEST(PageBuffer, DrivesOutWhatWasUsedLongestAgo) {
  Buffered b(3);
  for (const std::uint64_t number : {0, 1, 2, 0, 3}) b.read_page(number, MemoryType::raw);
  b.io->reset();
  for (const std::uint64_t number : {0, 2, 3}) b.read_page(number, MemoryType::raw);
  EXPECT_EQ(b.io->counts().read_calls, 0u);
  EXPECT_EQ(b.file->counters().raw.evictions, 1u);
}

TEST(PageBuffer, KeepsTheShareOfEachKind) {
  Buffered b(4, 50, 25);
  b.read_page(0, MemoryType::btree);
  b.read_page(1, MemoryType::btree);
  for (std::uint64_t number = 2; number < 12; ++number) b.read_page(number, MemoryType::raw);
  b.io->reset();
  b.read_page(0, MemoryType::btree);
  b.read_page(1, MemoryType::btree);
  EXPECT_EQ(b.io->counts().read_calls, 0u);
  // Metadata may take what raw data has no share in.
  for (std::uint64_t number = 12; number < 20; ++number) b.read_page(number, MemoryType::btree);
  b.io->reset();
  b.read_page(11, MemoryType::raw);
  EXPECT_EQ(b.io->counts().read_calls, 0u);
}

TEST(PageBuffer, GrowsTheFileWithPagesThatAreNotWrittenYet) {
  Buffered b(4);
  const Buffer more(30, std::byte{0x11});
  b.file->write(25 * page, more, MemoryType::raw);
  EXPECT_EQ(b.file->size(), 25 * page + 30);
  Buffer back(30);
  b.file->read(25 * page, back, MemoryType::raw);
  EXPECT_EQ(back, more);
  b.file->sync();
  EXPECT_EQ(b.memory.size(), 25 * page + 30);
  b.file->truncate(3 * page + 10);
  EXPECT_EQ(b.memory.size(), 3 * page + 10);
  EXPECT_THROW(b.file->read(25 * page, back), Error);
}

TEST(PageBuffer, KeepsAPageThatCouldNotBeWritten) {
  MemoryFile memory(Buffered::image());
  auto faulty = std::make_unique<testing::FaultyFile>(memory);
  testing::FaultyFile& device = *faulty;
  PageBufferFile file(std::move(faulty), {.page_bytes = page, .bytes = 2 * page});
  const Buffer changed(10, std::byte{0xee});
  file.write(0, changed, MemoryType::raw);
  device.arm({.nth = 0, .on = testing::Fault::On::write});
  EXPECT_THROW(file.ctl({.op = ctl_op::write_back, .unknown = CtlUnknown::ignore}), Error);
  device.disarm();
  file.sync();
  EXPECT_EQ(memory.image()[0], std::byte{0xee});
}

}  // namespace
}  // namespace filigree::io
