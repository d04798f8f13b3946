// SPDX-License-Identifier: Apache-2.0
#include "store/space/file_space.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

using enum SpaceKind;

FileSpaceOptions with(SpaceStrategy strategy) {
  FileSpaceOptions options;
  options.strategy = strategy;
  return options;
}

std::uint64_t put(FileSpace& space, SpaceKind kind, std::uint64_t bytes) {
  return to_number(space.allocate(kind, bytes));
}

TEST(FileSpace, AllocatesTheFirstObjectsWhereHdf5Does) {
  FileSpace space({}, 0);
  EXPECT_EQ(put(space, superblock, 96), 0u);
  EXPECT_EQ(put(space, object_header, 40), 96u);
  EXPECT_EQ(put(space, btree, 544), 136u);
  EXPECT_EQ(put(space, local_heap, 120), 680u);
  EXPECT_EQ(put(space, raw, 100000), 2048u);
  EXPECT_EQ(put(space, object_header, 40), 800u);
  space.finish();
  EXPECT_EQ(space.end_of_allocation(), 102048u);
  EXPECT_EQ(space.free_bytes(), 2048u - 840);
}

TEST(FileSpace, StartsAFreshBlockInAReopenedFile) {
  FileSpace space({}, 800);
  EXPECT_EQ(put(space, object_header, 40), 800u);
  EXPECT_EQ(put(space, raw, 100000), 2848u);
}

TEST(FileSpace, LetsRawDataFollowMetadataWithoutAHole) {
  FileSpace space({}, 0);
  put(space, object_header, 1500);
  put(space, object_header, 1500);
  EXPECT_EQ(put(space, raw, 10000), 3000u);
  EXPECT_EQ(space.free_bytes(), 0u);
}

TEST(FileSpace, GrowsTheBlockForLargeMetadataAtTheEnd) {
  FileSpace space({}, 0);
  put(space, object_header, 48);
  EXPECT_EQ(put(space, btree, 5000), 48u);
  EXPECT_EQ(put(space, object_header, 2000), 5048u);
  space.finish();
  EXPECT_EQ(space.end_of_allocation(), 7048u);
}

TEST(FileSpace, ReusesTheSmallestHoleThatFits) {
  FileSpace space({}, 0);
  const auto large = put(space, raw, 5000), wall = put(space, raw, 3000), fitting = put(space, raw, 4000);
  put(space, raw, 3000);
  space.release(raw, to_address(large), 5000);
  space.release(raw, to_address(fitting), 4000);
  EXPECT_EQ(put(space, raw, 3900), fitting);
  EXPECT_EQ(put(space, raw, 4500), large);
  EXPECT_LT(large, wall);
}

TEST(FileSpace, ShrinksIntoTheLowestHole) {
  FileSpace space({}, 0);
  const auto hole = put(space, local_heap, 3000);
  put(space, object_header, 3000);
  const auto other = put(space, local_heap, 2500);
  put(space, object_header, 3000);
  const auto last = put(space, local_heap, 8000);
  space.release(local_heap, to_address(hole), 3000);
  space.release(local_heap, to_address(other), 2500);
  EXPECT_EQ(to_number(space.shrink(local_heap, to_address(last), 8000, 2400)), hole);
  space.finish();
  EXPECT_EQ(space.end_of_allocation(), last);
}

TEST(FileSpace, ShrinksInPlaceWithoutReuse) {
  for (const SpaceStrategy strategy : {SpaceStrategy::aggregated, SpaceStrategy::none}) {
    FileSpace space(with(strategy), 0);
    const auto hole = put(space, local_heap, 9000);
    put(space, object_header, 3000);
    const auto last = put(space, local_heap, 8000);
    space.release(local_heap, to_address(hole), 9000);
    EXPECT_EQ(to_number(space.shrink(local_heap, to_address(last), 8000, 2400)), last);
    space.finish();
    EXPECT_EQ(space.end_of_allocation(), last + 2400);
  }
  FileSpace swmr({}, 0);
  const auto at = put(swmr, local_heap, 8000);
  swmr.keep_released();
  EXPECT_EQ(to_number(swmr.shrink(local_heap, to_address(at), 8000, 2400)), at);
  swmr.finish();
  EXPECT_EQ(swmr.end_of_allocation(), at + 8000);
}

TEST(FileSpace, MergesAdjacentFreeSpace) {
  FileSpace space({}, 0);
  const auto a = put(space, raw, 3000), b = put(space, raw, 3000), c = put(space, raw, 3000);
  put(space, raw, 3000);
  space.release(raw, to_address(a), 3000);
  space.release(raw, to_address(c), 3000);
  space.release(raw, to_address(b), 3000);
  EXPECT_EQ(put(space, raw, 9000), a);
}

TEST(FileSpace, SeparatesMetadataAndRawData) {
  FileSpace space({}, 0);
  const auto hole = put(space, raw, 3000);
  put(space, raw, 3000);
  space.release(raw, to_address(hole), 3000);
  EXPECT_NE(put(space, btree, 2500), hole);
  EXPECT_EQ(put(space, global_heap, 2500), hole);
}

TEST(FileSpace, ShrinksWhenTheLastAllocationIsReleased) {
  for (auto strategy : {SpaceStrategy::fsm_aggregated, SpaceStrategy::aggregated, SpaceStrategy::none}) {
    FileSpace space(with(strategy), 1000);
    const auto a = put(space, raw, 9000), b = put(space, raw, 9000);
    space.release(raw, to_address(b), 9000);
    space.release(raw, to_address(a), 9000);
    EXPECT_EQ(space.end_of_allocation(), 1000u);
  }
}

TEST(FileSpace, CountsWhatStrategiesWithoutReuseLose) {
  FileSpace space(with(SpaceStrategy::none), 1000);
  const auto a = put(space, raw, 100);
  put(space, raw, 100);
  space.release(raw, to_address(a), 100);
  EXPECT_EQ(space.lost_bytes(), 100u);
  EXPECT_EQ(space.free_bytes(), 0u);
  EXPECT_EQ(put(space, raw, 50), 1200u);
}

TEST(FileSpace, AbsorbsWhatIsReleasedBesideTheBlock) {
  FileSpace space(with(SpaceStrategy::aggregated), 0);
  put(space, object_header, 100);
  const auto last = put(space, object_header, 200);
  space.release(object_header, to_address(last), 200);
  EXPECT_EQ(space.lost_bytes(), 0u);
  EXPECT_EQ(put(space, object_header, 300), last);
}

TEST(FileSpace, ExtendsIntoTheBlockTheEndAndFreeSpace) {
  FileSpace space({}, 0);
  const auto a = put(space, object_header, 100);
  EXPECT_TRUE(space.try_extend(object_header, to_address(a), 100, 50));
  const auto b = put(space, object_header, 100);
  EXPECT_EQ(b, a + 150);
  EXPECT_FALSE(space.try_extend(object_header, to_address(a), 150, 50));
  space.release(object_header, to_address(b), 100);
  EXPECT_TRUE(space.try_extend(object_header, to_address(a), 150, 50));
  const auto c = put(space, raw, 5000);
  EXPECT_TRUE(space.try_extend(raw, to_address(c), 5000, 7000));
  EXPECT_EQ(space.end_of_allocation(), c + 12000);
}

TEST(FileSpace, AlignsLargeRequestsToAbsoluteMultiples) {
  FileSpaceOptions options;
  options.alignment = 4096;
  options.alignment_threshold = 1000;
  options.base = 512;
  FileSpace space(options, 100);
  EXPECT_EQ(put(space, raw, 5000), 4096u - 512);
  EXPECT_EQ(space.free_bytes(), 4096u - 512 - 100);
  EXPECT_EQ(put(space, raw, 200), 100u);
  EXPECT_EQ((put(space, object_header, 1000) + 512) % 4096, 0u);
}

TEST(FileSpace, RefusesToFreeTwice) {
  for (auto strategy : {SpaceStrategy::fsm_aggregated, SpaceStrategy::paged}) {
    FileSpace space(with(strategy), 0);
    const auto a = put(space, raw, 100), b = put(space, raw, 100);
    space.release(raw, to_address(a), 100);
    EXPECT_THROW(space.release(raw, to_address(a), 100), Error);
    EXPECT_THROW(space.release(object_header, to_address(a + 50), 100), Error);
    EXPECT_THROW(space.release(raw, to_address(b), 200), Error);
    EXPECT_THROW(space.release(raw, to_address(1u << 20), 1), Error);
    EXPECT_THROW(space.release(raw, to_address(~std::uint64_t{7}), 100), Error);
    EXPECT_THROW(space.try_extend(raw, to_address(a), 100, 1), Error);
    EXPECT_NO_THROW(space.release(raw, to_address(b), 100));
  }
}

TEST(FileSpace, StopsWhereNarrowOffsetsEnd) {
  FileSpaceOptions options;
  options.offset_bytes = 2;
  options.base = 512;
  FileSpace space(options, 0);
  put(space, raw, 60000);
  put(space, object_header, 5000);
  EXPECT_EQ(space.end_of_allocation(), 65000u);
  EXPECT_EQ(put(space, object_header, 22), 65000u);
  try {
    space.allocate(object_header, 1);
    FAIL() << "allocated beyond the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("offsets of 2 bytes reach only 65022"));
  }
  EXPECT_FALSE(space.try_extend(object_header, to_address(65000), 22, 1));
  options.offset_bytes = 4;
  FileSpace wider(options, 0);
  put(wider, raw, 0xf0000000u);
  EXPECT_THROW(wider.allocate(raw, 0x10000000u), Error);
  EXPECT_THROW(FileSpace({}, 100).allocate(raw, ~std::uint64_t{0}), Error);
}

TEST(FileSpace, KeepsPagesToOnePool) {
  FileSpace space(with(SpaceStrategy::paged), 0);
  EXPECT_EQ(put(space, superblock, 48), 0u);
  EXPECT_EQ(put(space, raw, 300), 4096u);
  EXPECT_EQ(put(space, object_header, 200), 48u);
  EXPECT_EQ(put(space, raw, 10000), 8192u);
  EXPECT_EQ(put(space, raw, 3900), 20480u);
  EXPECT_EQ(space.end_of_allocation(), 24576u);
}

TEST(FileSpace, ReusesPagesThatAreWhollyFree) {
  FileSpace space(with(SpaceStrategy::paged), 48);
  const auto a = put(space, raw, 2000), b = put(space, raw, 2000), c = put(space, raw, 2000);
  space.release(raw, to_address(a), 2000);
  space.release(raw, to_address(b), 2000);
  EXPECT_EQ(put(space, object_header, 4090), a);
  space.release(raw, to_address(c), 2000);
  EXPECT_EQ(space.end_of_allocation(), 8192u);
}

TEST(FileSpace, ExtendsWithinPages) {
  FileSpace space(with(SpaceStrategy::paged), 48);
  const auto small = put(space, raw, 2000), large = put(space, raw, 5000);
  EXPECT_TRUE(space.try_extend(raw, to_address(small), 2000, 2096));
  EXPECT_FALSE(space.try_extend(raw, to_address(small), 4096, 1));
  EXPECT_TRUE(space.try_extend(raw, to_address(large), 5000, 3000));
  EXPECT_EQ(space.end_of_allocation(), large + 8192);
  EXPECT_TRUE(space.try_extend(raw, to_address(large), 8000, 3000));
  EXPECT_EQ(space.end_of_allocation(), large + 12288);
  space.release(raw, to_address(large), 11000);
  space.release(raw, to_address(small), 4096);
  EXPECT_EQ(space.end_of_allocation(), 4096u);
}

TEST(FileSpace, RefusesAbsurdPages) {
  FileSpaceOptions options = with(SpaceStrategy::paged);
  for (std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{511}, std::uint64_t{1} << 40}) {
    options.page_bytes = bytes;
    EXPECT_THROW(FileSpace(options, 0), Error);
  }
}

/// Random changes against a map of what is in use.
class FileSpaceModel {
 public:
  FileSpaceModel(const FileSpaceOptions& options, std::uint32_t seed)
      : space_(options, start), random_(seed) {}

  void step() {
    switch (random_() % 8) {
      case 0:
      case 1:
      case 2:
      case 3:
        return allocate();
      case 4:
      case 5:
        return release();
      case 6:
        return extend();
      case 7:
        if (random_() % 50 == 0) space_.finish();
    }
  }

  void check() const {
    std::uint64_t end = start, in_use = start;
    for (const auto& [at, block] : used_) {
      ASSERT_GE(at, end) << "allocations overlap";
      end = at + block.bytes;
      in_use += block.bytes;
    }
    ASSERT_LE(end, space_.end_of_allocation());
    if (options().strategy == SpaceStrategy::fsm_aggregated || options().strategy == SpaceStrategy::paged) {
      ASSERT_EQ(in_use + space_.free_bytes() + space_.lost_bytes(), space_.end_of_allocation());
    }
    if (options().strategy == SpaceStrategy::paged) check_pages();
  }

  void release_everything() {
    while (!used_.empty()) release();
    space_.finish();
  }

  const FileSpaceOptions& options() const { return space_.options(); }
  FileSpace& space() { return space_; }
  static constexpr std::uint64_t start = 96;

 private:
  struct Use {
    std::uint64_t bytes;
    SpaceKind kind;
  };

  std::uint64_t random_bytes() {
    const std::uint64_t most = random_() % 10 == 0 ? 20000 : random_() % 3 == 0 ? 3000 : 300;
    return 1 + random_() % most;
  }

  void allocate() {
    const std::uint64_t bytes = random_bytes();
    const auto kind = static_cast<SpaceKind>(random_() % 6);
    const std::uint64_t at = put(space_, kind, bytes);
    if (options().strategy != SpaceStrategy::paged && bytes >= options().alignment_threshold) {
      ASSERT_EQ((at + options().base) % options().alignment, 0u);
    }
    ASSERT_TRUE(used_.emplace(at, Use{bytes, kind}).second);
  }

  std::map<std::uint64_t, Use>::iterator any() {
    const auto it = used_.lower_bound(random_() % (space_.end_of_allocation() + 1));
    return it == used_.end() ? used_.begin() : it;
  }

  void release() {
    if (used_.empty()) return;
    const auto it = any();
    space_.release(it->second.kind, to_address(it->first), it->second.bytes);
    used_.erase(it);
  }

  void extend() {
    if (used_.empty()) return;
    const auto it = any();
    const std::uint64_t extra = random_bytes();
    if (space_.try_extend(it->second.kind, to_address(it->first), it->second.bytes, extra))
      it->second.bytes += extra;
  }

  void check_pages() const {
    const std::uint64_t page = options().page_bytes;
    ASSERT_EQ(space_.end_of_allocation() % page, 0u);
    std::map<std::uint64_t, SpacePool> pools;
    for (const auto& [at, use] : used_) {
      if (use.bytes >= page) {
        ASSERT_EQ(at % page, 0u);
        continue;
      }
      ASSERT_EQ(at / page, (at + use.bytes - 1) / page) << "crosses a page";
      ASSERT_EQ(pools.emplace(at / page, pool_of(use.kind)).first->second, pool_of(use.kind));
    }
  }

  FileSpace space_;
  std::mt19937 random_;
  std::map<std::uint64_t, Use> used_;
};

class EveryStrategy : public ::testing::TestWithParam<FileSpaceOptions> {};

TEST_P(EveryStrategy, NeverAllocatesBytesTwice) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    FileSpaceModel model(GetParam(), seed);
    model.space().release(object_header, model.space().allocate(object_header, 1), 1);
    for (int i = 0; i < 600; ++i) {
      model.step();
      model.check();
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<FileSpaceOptions> all_options() {
  std::vector<FileSpaceOptions> all;
  for (auto strategy : {SpaceStrategy::fsm_aggregated, SpaceStrategy::paged, SpaceStrategy::aggregated,
                        SpaceStrategy::none}) {
    all.push_back(with(strategy));
    all.push_back(with(strategy));
    all.back().page_bytes = 512;
    all.back().alignment = 64;
    all.back().alignment_threshold = 100;
    all.back().base = 512 + 8;
    all.back().metadata_block_bytes = 512;
    all.back().small_data_block_bytes = 0;
    all.push_back(with(strategy));
    all.back().page_bytes = 1000;
    all.back().alignment = 1000;
    all.back().metadata_block_bytes = 10000;
  }
  return all;
}

TEST(FileSpace, ShrinksBackWhenEverythingIsReleased) {
  for (const FileSpaceOptions& options : all_options()) {
    const bool paged = options.strategy == SpaceStrategy::paged;
    if (!paged && options.strategy != SpaceStrategy::fsm_aggregated) continue;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      FileSpaceModel model(options, seed);
      for (int i = 0; i < 1000; ++i) model.step();
      model.release_everything();
      // With pages the superblock's page stays.
      const std::uint64_t least = paged ? options.page_bytes : FileSpaceModel::start;
      EXPECT_EQ(model.space().end_of_allocation(), least);
      EXPECT_EQ(model.space().free_bytes(), least - FileSpaceModel::start);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FileSpace, EveryStrategy, ::testing::ValuesIn(all_options()));

TEST(FileSpace, DoesNotReuseSpaceOfSwmrReaders) {
  FileSpace space({}, 0);
  put(space, superblock, 48);
  const std::uint64_t before = put(space, raw, 5000);
  const std::uint64_t during = put(space, raw, 5000);
  space.release(raw, to_address(before), 5000);
  EXPECT_EQ(put(space, raw, 5000), before);
  space.keep_released();
  const std::uint64_t end = space.end_of_allocation();
  space.release(raw, to_address(during), 5000);
  space.release(raw, to_address(before), 5000);
  EXPECT_EQ(space.end_of_allocation(), end);
  EXPECT_GE(put(space, raw, 5000), end);
  EXPECT_THROW(space.release(raw, to_address(end + 100000), 10), Error);
}

}  // namespace
}  // namespace filigree::store
