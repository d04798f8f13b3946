// SPDX-License-Identifier: Apache-2.0
#include "model/file/write_mark.hpp"

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "io/memory/memory_file.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "testing/pass_through_file.hpp"

namespace filigree::model {
namespace {

using ::testing::HasSubstr;

format::Superblock superblock_of(std::uint8_t version, std::uint32_t flags = 0) {
  format::Superblock superblock;
  superblock.version = version;
  superblock.flags = flags;
  superblock.end_of_file = 2048;
  superblock.root.header = to_address(96);
  return superblock;
}

Buffer bytes_of(const format::Superblock& superblock) {
  return format::encode(superblock, superblock.widths);
}

TEST(WriteMark, IsSetAndClearedInEveryVersion) {
  for (std::uint8_t version = 0; version <= 3; ++version) {
    format::Superblock superblock = superblock_of(version);
    EXPECT_EQ(write_mark(superblock), WriteMark::none);
    set_write_mark(superblock);
    EXPECT_EQ(write_mark(superblock), WriteMark::writer) << int{version};
    const auto stored = format::decode<format::Superblock>(bytes_of(superblock), {});
    EXPECT_EQ(write_mark(stored), WriteMark::writer) << int{version};
    clear_write_mark(superblock);
    EXPECT_EQ(superblock.flags, 0u) << int{version};
  }
}

TEST(WriteMark, IsNotWhatOldFilesHappenToCarry) {
  for (const std::uint32_t flags : {1u, 3u, 0x5c110000u}) {
    format::Superblock superblock = superblock_of(0, flags);
    EXPECT_EQ(write_mark(superblock), WriteMark::none) << flags;
    clear_write_mark(superblock);
    EXPECT_EQ(superblock.flags, flags);
  }
  EXPECT_EQ(write_mark(superblock_of(2, 1)), WriteMark::none);
}

TEST(WriteMark, LeavesTheFirstByteOfOldFlagsAlone) {
  format::Superblock superblock = superblock_of(0, 3);
  set_write_mark(superblock);
  EXPECT_EQ(superblock.flags & 0xff, 3u);
  clear_write_mark(superblock);
  EXPECT_EQ(superblock.flags, 3u);
}

TEST(WriteMark, KnowsWritersOfTheReference) {
  EXPECT_EQ(write_mark(superblock_of(3, 1)), WriteMark::writer);
  EXPECT_EQ(write_mark(superblock_of(3, 5)), WriteMark::swmr_writer);
  EXPECT_THAT(not_closed(WriteMark::swmr_writer), HasSubstr("SWMR"));
}

TEST(WriteMark, IsEitherFlagOfVersion3) {
  EXPECT_EQ(write_mark(superblock_of(3, 1)), WriteMark::writer);
  EXPECT_EQ(write_mark(superblock_of(3, 4)), WriteMark::writer);  // HDF5 refuses it, also to SWMR readers
  EXPECT_EQ(write_mark(superblock_of(3, 5)), WriteMark::swmr_writer);
}

TEST(WriteMark, OfASwmrWriterIsThatOfTheReference) {
  format::Superblock superblock = superblock_of(3);
  set_write_mark(superblock, WriteMark::swmr_writer);
  EXPECT_EQ(superblock.flags, 5u);
  const Buffer marked = bytes_of(superblock);
  EXPECT_EQ(with_write_mark(marked), marked);
  Buffer torn = marked;
  std::copy_n(bytes_of(superblock_of(3)).end() - 4, 4, torn.end() - 4);  // the checksum without the mark
  EXPECT_TRUE(torn_superblock(torn));
  clear_write_mark(superblock);
  EXPECT_EQ(superblock.flags, 0u);
}

TEST(WriteMark, WrittenHalfDiffersFromDamage) {
  for (const std::uint8_t version : {std::uint8_t{2}, std::uint8_t{3}}) {
    const Buffer plain = bytes_of(superblock_of(version));
    const Buffer marked = with_write_mark(plain);
    for (std::size_t cut = 12; cut < plain.size(); ++cut) {
      for (const auto& [first, second] : {std::pair(marked, plain), std::pair(plain, marked)}) {
        Buffer torn = first;
        std::copy(second.begin() + static_cast<std::ptrdiff_t>(cut), second.end(),
                  torn.begin() + static_cast<std::ptrdiff_t>(cut));
        if (cut > plain.size() - 4 && !torn_superblock(torn)) continue;  // some bytes of checksums are equal
        ASSERT_TRUE(torn_superblock(torn)) << cut;
        if (cut <= plain.size() - 4) {
          EXPECT_EQ(mended_superblock(torn), marked) << cut;
        }
      }
    }
    Buffer damaged = plain;
    damaged[20] ^= std::byte{4};
    EXPECT_FALSE(torn_superblock(damaged));
    EXPECT_FALSE(torn_superblock(plain));
    EXPECT_FALSE(torn_superblock(marked));
  }
}

/// A file that has been changed after its last flush, as it is on its device.
struct Unclosed {
  explicit Unclosed(Version low) {
    AccessOptions access;
    access.versions.low = low;
    access.metadata_cache_bytes = 0;
    file = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, access);
    flushed = memory.image();
    const Change change(*file, "create a group");
    LinkMessage link;
    link.name = "group";
    link.header = LinkTable::create_group(*file, {});
    LinkTable(*file, file->root()).insert(link);
  }
  io::MemoryFile memory;
  std::shared_ptr<File> file;
  Buffer flushed;
};

std::shared_ptr<File> opened(Buffer image, bool ignoring = false) {
  AccessOptions access;
  access.ignore_write_mark = ignoring;
  return File::open(std::make_unique<io::MemoryFile>(std::move(image)), access);
}

class MarkedFile : public ::testing::TestWithParam<Version> {};

TEST_P(MarkedFile, IsRefusedUntilItIsFlushed) {
  Unclosed unclosed(GetParam());
  EXPECT_NO_THROW(opened(unclosed.flushed));
  try {
    opened(unclosed.memory.image());
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::locked);
    EXPECT_THAT(error.what(), HasSubstr("was not closed"));
  }
  unclosed.file->flush();
  EXPECT_NO_THROW(opened(unclosed.memory.image()));
  const Buffer image = unclosed.memory.image();
  unclosed.file->flush();
  EXPECT_EQ(unclosed.memory.image(), image);
}

TEST_P(MarkedFile, OpensWhenTheMarkIsIgnoredAndLosesItWithTheNextChange) {
  Unclosed unclosed(GetParam());
  const Buffer image = unclosed.memory.image();
  io::MemoryFile memory(image);
  AccessOptions access;
  access.ignore_write_mark = true;
  const auto file = File::open(std::make_unique<testing::PassThroughFile>(memory), access);
  file->close();
  EXPECT_EQ(memory.image(), image) << "nothing was changed";
  const auto again = File::open(std::make_unique<testing::PassThroughFile>(memory), access);
  EXPECT_TRUE(again->remove_write_mark());
  EXPECT_FALSE(again->remove_write_mark());
  again->close();
  EXPECT_NO_THROW(opened(memory.image()));
}

INSTANTIATE_TEST_SUITE_P(Versions, MarkedFile,
                         ::testing::Values(Version::earliest, Version::v1_8, Version::latest),
                         [](const auto& row) { return "Low" + std::to_string(static_cast<int>(row.param)); });

}  // namespace
}  // namespace filigree::model
