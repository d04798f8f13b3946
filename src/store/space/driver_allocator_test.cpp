// SPDX-License-Identifier: Apache-2.0
#include "store/space/driver_allocator.hpp"

#include <map>
#include <memory>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "store/space/file_space.hpp"

namespace filigree::store {
namespace {

using enum SpaceKind;

/// Leaves a gap before everything, or puts raw data into a range of its own.
class Driver final : public DriverAllocator {
 public:
  std::uint64_t gap = 0, end = 0, raw_end = 0;
  std::uint64_t allocations = 0, freed = 0;

  std::uint64_t allocate(SpaceKind kind, std::uint64_t bytes) override {
    ++allocations;
    std::uint64_t& used = kind == raw && raw_end != 0 ? raw_end : end;
    used += gap + bytes;
    return used - bytes;
  }
  void extend(SpaceKind, std::uint64_t to) override { (raw_end != 0 && to > raw_end ? raw_end : end) = to; }
  void free(std::uint64_t at, std::uint64_t bytes) override {
    freed += bytes;
    end = at;
  }
};

struct DriverSpace {
  explicit DriverSpace(FileSpaceOptions options = {}) {
    options.allocator = driver;
    space = std::make_unique<FileSpace>(options, 0);
  }
  std::uint64_t put(SpaceKind kind, std::uint64_t bytes) { return to_number(space->allocate(kind, bytes)); }

  std::shared_ptr<Driver> driver = std::make_shared<Driver>();
  std::unique_ptr<FileSpace> space;
};

FileSpaceOptions without_blocks() {
  FileSpaceOptions options;
  options.metadata_block_bytes = options.small_data_block_bytes = 0;
  return options;
}

TEST(DriverAllocator, AllocatesWhereTheDriverDoes) {
  DriverSpace made(without_blocks());
  made.driver->gap = 512;
  EXPECT_EQ(made.put(superblock, 96), 512u);
  EXPECT_EQ(made.put(object_header, 40), 1120u);
  EXPECT_EQ(made.put(raw, 4000), 1672u);
  EXPECT_EQ(made.space->end_of_allocation(), 5672u);
  EXPECT_EQ(made.driver->allocations, 3u);
}

TEST(DriverAllocator, AllocatesWholeBlocksAndExtendsTheLastOne) {
  DriverSpace made;
  made.driver->gap = 100;
  EXPECT_EQ(made.put(object_header, 40), 100u);
  EXPECT_EQ(made.put(object_header, 2000), 140u);
  EXPECT_EQ(made.put(object_header, 500), 2140u);  // the block grew
  EXPECT_EQ(made.driver->allocations, 1u);
  EXPECT_EQ(made.driver->end, made.space->end_of_allocation());
}

TEST(DriverAllocator, FreesSpaceOnlyAtTheEnd) {
  DriverSpace made(without_blocks());
  const std::uint64_t first = made.put(object_header, 100), second = made.put(object_header, 200);
  made.space->release(object_header, to_address(first), 100);
  EXPECT_EQ(made.driver->freed, 0u);
  EXPECT_EQ(made.put(btree, 60), first);  // freed space is the file's
  made.space->release(object_header, to_address(second), 200);
  EXPECT_EQ(made.driver->freed, 240u);
}

TEST(DriverAllocator, AcceptsAddressesBelowTheEnd) {
  DriverSpace made;
  made.driver->raw_end = 100000;
  EXPECT_EQ(made.put(raw, 5000), 100000u);
  EXPECT_EQ(made.put(object_header, 40), 0u);
  EXPECT_EQ(made.put(raw, 5000), 105000u);
  EXPECT_EQ(made.put(object_header, 3000), 2048u);
  EXPECT_EQ(made.space->end_of_allocation(), 110000u);
}

TEST(DriverAllocator, AlignsWhatTheDriverDoesNot) {
  FileSpaceOptions options = without_blocks();
  options.alignment = 1024;
  options.alignment_threshold = 1000;
  DriverSpace made(options);
  made.driver->gap = 10;
  EXPECT_EQ(made.put(object_header, 40), 10u);
  EXPECT_EQ(made.put(raw, 2000), 1024u);
  EXPECT_EQ(made.driver->end, 3024u);
}

TEST(DriverAllocator, AllocatesAlignedPages) {
  FileSpaceOptions options;
  options.strategy = SpaceStrategy::paged;
  DriverSpace made(options);
  made.driver->gap = 100;
  EXPECT_EQ(made.put(superblock, 96) % 4096, 0u);
  EXPECT_EQ(made.put(raw, 10000) % 4096, 0u);
  EXPECT_EQ(made.put(raw, 100) % 4096, 0u);
}

TEST(DriverAllocator, RefusesSpaceThatIsInUse) {
  DriverSpace made(without_blocks());
  made.put(object_header, 100);
  const std::uint64_t freed = made.put(object_header, 100);
  made.put(object_header, 100);
  made.space->release(object_header, to_address(freed), 100);
  made.driver->end = freed;
  EXPECT_THROW(made.put(raw, 500), Error);
}

TEST(DriverAllocator, NeverAllocatesTheSameBytesTwice) {
  std::mt19937 random(7);
  for (const std::uint64_t gap : {0u, 1u, 700u}) {
    DriverSpace made;
    made.driver->gap = gap;
    std::map<std::uint64_t, std::pair<std::uint64_t, SpaceKind>> used;
    for (int i = 0; i < 3000; ++i) {
      if (random() % 3 == 0 && !used.empty()) {
        const auto which = std::next(used.begin(), random() % used.size());
        made.space->release(which->second.second, to_address(which->first), which->second.first);
        used.erase(which);
        continue;
      }
      const SpaceKind kind = random() % 2 == 0 ? raw : object_header;
      const std::uint64_t bytes = 1 + random() % 3000, at = made.put(kind, bytes);
      const auto next = used.lower_bound(at);
      ASSERT_TRUE(next == used.end() || at + bytes <= next->first);
      ASSERT_TRUE(next == used.begin() || std::prev(next)->first + std::prev(next)->second.first <= at);
      used[at] = {bytes, kind};
    }
  }
}

}  // namespace
}  // namespace filigree::store
