// SPDX-License-Identifier: Apache-2.0
#include "base/block_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace filigree {
namespace {

constexpr std::size_t block_bytes = std::size_t{128} << 10;
constexpr std::size_t in_region = BlockPool::region_bytes / block_bytes;
constexpr std::size_t malloced = in_region / 2;

/// Allocates as many blocks as malloc serves, and then `more` from regions.
std::vector<BlockPool::Block> allocate(BlockPool& pool, std::size_t more) {
  std::vector<BlockPool::Block> blocks;
  for (std::size_t i = 0; i < malloced + more; ++i) {
    blocks.push_back(pool.allocate(block_bytes));
    std::memset(blocks.back().get(), static_cast<int>(i), block_bytes);
  }
  return blocks;
}

/// Otherwise the kernel may back a block again at any time, when it makes a huge page of those around it.
[[maybe_unused]] const bool without_huge_pages = ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0;

/// Whether the first byte is backed by a page.
bool is_held(const std::byte* block) {
  unsigned char held = 0;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto* const start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(block) / page * page);
  return ::mincore(start, 1, &held) == 0 && (held & 1) != 0;
}

TEST(BlockPool, AllocatesNoRegionForFewBlocks) {
  BlockPool pool;
  const auto blocks = allocate(pool, 0);
  EXPECT_EQ(pool.counters().regions, 0u);
}

TEST(BlockPool, AllocatesRegionsOnceASizeHasManyBlocks) {
  BlockPool pool;
  auto blocks = allocate(pool, in_region + 1);
  EXPECT_EQ(pool.counters().regions, 2u);
  EXPECT_EQ(pool.counters().blocks, in_region + 1);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    EXPECT_TRUE(std::all_of(blocks[i].get(), blocks[i].get() + block_bytes, [&](std::byte b) {
      return b == static_cast<std::byte>(i);
    })) << i;
  blocks.clear();
  EXPECT_EQ(pool.counters().regions, 0u);
  EXPECT_EQ(pool.counters().blocks, 0u);
}

TEST(BlockPool, ReusesFreedBlocks) {
  BlockPool pool;
  auto blocks = allocate(pool, 2 * in_region);
  const std::byte* const gone = blocks[malloced + 3].get();
  blocks[malloced + 3].reset();
  EXPECT_EQ(pool.allocate(block_bytes).get(), gone);
  EXPECT_EQ(pool.counters().regions, 2u);
}

TEST(BlockPool, UsesDifferentRegionsForDifferentSizes) {
  BlockPool pool;
  const auto blocks = allocate(pool, 1);
  const auto other = pool.allocate(2 * block_bytes);
  EXPECT_EQ(pool.counters().regions, 1u);
  EXPECT_EQ(pool.counters().blocks, 1u);
}

TEST(BlockPool, AllocatesSmallAndLargeBlocksWithMalloc) {
  BlockPool pool;
  std::vector<BlockPool::Block> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(pool.allocate(BlockPool::least_bytes - 1));
    blocks.push_back(pool.allocate(BlockPool::most_bytes + 1));
    blocks.push_back(pool.allocate(0));
  }
  EXPECT_EQ(pool.counters().regions, 0u);
}

TEST(BlockPool, ReturnsPagesOnceARegionIsLessThanHalfFull) {
  BlockPool pool;
  auto blocks = allocate(pool, in_region);
  const std::byte* const first = blocks[malloced].get();
  for (std::size_t i = 0; i < in_region / 2; ++i) blocks[malloced + i].reset();
  EXPECT_TRUE(is_held(first));
  blocks[malloced + in_region / 2].reset();
  EXPECT_FALSE(is_held(first));
  EXPECT_TRUE(is_held(blocks.back().get()));
  EXPECT_EQ(blocks.back().get()[block_bytes - 1], static_cast<std::byte>(blocks.size() - 1));
  // A block without pages is reused like any other.
  for (std::size_t i = 0; i <= in_region / 2; ++i) {
    blocks[malloced + i] = pool.allocate(block_bytes);
    std::memset(blocks[malloced + i].get(), 1, block_bytes);
  }
  EXPECT_EQ(pool.counters().regions, 1u);
}

TEST(BlockPool, KeepsSpareMemoryForLaterBlocks) {
  BlockPool pool(2 * BlockPool::region_bytes);
  auto blocks = allocate(pool, 3 * in_region);
  const std::byte* const first = blocks[malloced].get();
  const std::byte* const last = blocks.back().get();
  for (std::size_t i = 0; i < 2 * in_region; ++i) blocks[malloced + i].reset();
  EXPECT_TRUE(is_held(first));
  while (blocks.size() > malloced + 2 * in_region + 1) blocks.pop_back();
  EXPECT_FALSE(is_held(last));  // otherwise more than two regions would be spare
  blocks.clear();
  EXPECT_EQ(pool.counters().regions, 0u);
  EXPECT_TRUE(is_held(first));
}

TEST(BlockPool, ServesManyThreads) {
  BlockPool pool;
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (unsigned self = 0; self < 4; ++self) {
      threads.emplace_back([&, self] {
        std::mt19937 random(self);
        std::vector<BlockPool::Block> held(20);
        for (int i = 0; i < 500; ++i) {
          auto& block = held[random() % held.size()];
          if (block && block[100] != static_cast<std::byte>(self)) ++wrong[self];
          block = pool.allocate(block_bytes + random() % 3 * 4096);
          block[100] = static_cast<std::byte>(self);
        }
      });
    }
  }
  EXPECT_EQ(std::ranges::count(wrong, 0), 4);
  EXPECT_EQ(pool.counters().regions, 0u);
}

}  // namespace
}  // namespace filigree
