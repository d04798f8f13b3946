// SPDX-License-Identifier: Apache-2.0
#include "base/block_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace filigree {
namespace {

/// A size gets regions once this much of it is in use.
constexpr std::size_t most_malloced_bytes = BlockPool::region_bytes / 2;

/// Rounds up to whole pages, so that the pages of a single block can be returned to the system.
std::size_t rounded(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// Maps a region that is aligned to a huge page. Returns null if there is no memory.
std::byte* map_region() {
  constexpr std::size_t bytes = BlockPool::region_bytes;
  void* const all = ::mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(all);
  const std::size_t before = (bytes - reinterpret_cast<std::uintptr_t>(first) % bytes) % bytes;
  if (before > 0) ::munmap(first, before);
  ::munmap(first + before + bytes, bytes - before);
#ifdef MADV_HUGEPAGE
  // This is advice only: if it is refused, the region has small pages.
  static_cast<void>(::madvise(first + before, bytes, MADV_HUGEPAGE));
#endif
  return first + before;
}

}  // namespace

struct BlockPool::Region {
  enum class State : unsigned char { used, free, returned };  ///< returned: free, without pages

  explicit Region(std::byte* memory) : start(memory) {}
  ~Region() { ::munmap(start, region_bytes); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Divides the region into blocks and returns the spare bytes that result.
  std::size_t cut(std::size_t bytes, State state) {
    block_bytes = bytes;
    states.assign(region_bytes / bytes, state);
    return spare_bytes();
  }
  std::size_t spare_bytes() const {
    return block_bytes * static_cast<std::size_t>(std::ranges::count(states, State::free));
  }
  bool full() const { return used == states.size(); }

  /// *Requires* that the region is not full. Prefers blocks that still have their pages.
  std::byte* allocate() {
    auto found = std::ranges::find(states, State::free);
    if (found == states.end()) found = std::ranges::find(states, State::returned);
    *found = State::used;
    ++used;
    return start + static_cast<std::size_t>(found - states.begin()) * block_bytes;
  }

  void free(const std::byte* block) {
    states[static_cast<std::size_t>(block - start) / block_bytes] = State::free;
    --used;
  }
  bool mostly_free() const { return used != 0 && used * 2 < states.size(); }
  void return_pages() {
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i] != State::free) continue;
      ::madvise(start + i * block_bytes, block_bytes, MADV_DONTNEED);
      states[i] = State::returned;
    }
  }

  std::byte* const start;
  std::size_t block_bytes = 0;
  std::size_t used = 0;
  std::vector<State> states{};
};

void BlockPool::Return::operator()(std::byte* block) const {
  if (region_ == nullptr) std::free(block);
  if (pool_ == nullptr) return;
  const MutexLock lock(pool_->mutex_);
  pool_->free(block, region_, bytes_);
}

BlockPool& BlockPool::shared() {
  constexpr std::size_t spare_bytes = std::size_t{64} << 20;  // about as much as malloc keeps
  static auto* const pool = new BlockPool(spare_bytes);
  return *pool;
}

BlockPool::BlockPool(std::size_t spare_bytes) : most_spare_bytes_(spare_bytes) {}
BlockPool::~BlockPool() = default;

BlockPool::Region* BlockPool::open_region(Size& size, std::size_t block_bytes) {
  if (!size.open.empty()) return size.open.back();
  size.open.reserve(size.regions + 1);  // free() adds regions here and must not fail
  idle_.reserve(counters_.regions + idle_.size() + 1);
  std::unique_ptr<Region> region;
  if (idle_.empty()) {
    std::byte* const memory = map_region();
    if (memory == nullptr) return nullptr;
    region = std::make_unique<Region>(memory);
    region->cut(block_bytes, Region::State::returned);
  } else {
    region = std::move(idle_.back());
    idle_.pop_back();
    spare_bytes_ -= region_bytes;
    spare_bytes_ += region->cut(block_bytes, Region::State::free);
  }
  size.open.push_back(region.get());
  ++size.regions;
  ++counters_.regions;
  return region.release();
}

BlockPool::Block BlockPool::allocate(std::size_t bytes) {
  const bool counts = bytes >= least_bytes && bytes <= most_bytes;
  const std::size_t block_bytes = rounded(bytes);
  if (counts) {
    const MutexLock lock(mutex_);
    Size& size = sizes_[block_bytes];
    if (size.malloced * block_bytes >= most_malloced_bytes) {
      if (Region* const region = open_region(size, block_bytes)) {
        spare_bytes_ -= region->spare_bytes();
        std::byte* const block = region->allocate();
        spare_bytes_ += region->spare_bytes();
        if (region->full()) size.open.pop_back();
        ++counters_.blocks;
        return {block, Return(this, region, block_bytes)};
      }
    }
    ++size.malloced;
  }
  const Return returns = counts ? Return(this, nullptr, block_bytes) : Return();
  auto* const block = static_cast<std::byte*>(std::malloc(std::max<std::size_t>(1, bytes)));
  if (block == nullptr) {
    returns(block);
    throw std::bad_alloc();
  }
  return {block, returns};
}

void BlockPool::free(const std::byte* block, Region* region, std::size_t bytes) {
  const auto found = sizes_.find(bytes);
  Size& size = found->second;
  if (region == nullptr) {
    --size.malloced;
  } else {
    if (region->full()) size.open.push_back(region);
    region->free(block);
    spare_bytes_ += bytes;
    --counters_.blocks;
    if (spare_bytes_ > most_spare_bytes_ && region->mostly_free()) {
      spare_bytes_ -= region->spare_bytes();
      region->return_pages();
    }
    if (region->used == 0) close_region(size, region);
  }
  if (size.malloced == 0 && size.regions == 0) sizes_.erase(found);
}

void BlockPool::close_region(Size& size, Region* region) {
  std::erase(size.open, region);
  --size.regions;
  --counters_.regions;
  std::unique_ptr<Region> owned(region);
  spare_bytes_ -= region->spare_bytes();
  if (!idle_.empty() && spare_bytes_ + region_bytes > most_spare_bytes_) return;
  spare_bytes_ += region_bytes;
  idle_.push_back(std::move(owned));
}

BlockPool::Counters BlockPool::counters() const {
  const MutexLock lock(mutex_);
  return counters_;
}

}  // namespace filigree
