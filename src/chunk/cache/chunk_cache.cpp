// SPDX-License-Identifier: Apache-2.0
#include "chunk/cache/chunk_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"

namespace filigree::chunk {
namespace {

/// Chunks that are examined to find one to evict.
constexpr std::size_t most_looked_at = 1024;
constexpr std::size_t least_default_bytes = std::size_t{64} << 20;

/// The shared cache has space for so many chunks of any dataset.
constexpr std::size_t few_chunks = 4;

struct Budget {
  std::size_t bytes = least_default_bytes;
  std::size_t most_bytes = 0;
};

Budget default_budget() {
  if (const char* text = std::getenv("FILIGREE_CHUNK_CACHE_BYTES")) {
    const std::string_view given(text);
    std::size_t bytes = 0;
    const auto [end, failure] = std::from_chars(given.data(), given.data() + given.size(), bytes);
    if (failure == std::errc() && end == given.data() + given.size()) return {bytes};
    throw Error(ErrorKind::invalid_argument,
                fmt::format("FILIGREE_CHUNK_CACHE_BYTES is '{}'; it must be a number of bytes", given));
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return {};
  const std::size_t memory = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
  return {std::max(least_default_bytes, memory / 16), memory / 2};
}

}  // namespace

ChunkCache& ChunkCache::shared() {
  static const Budget budget = default_budget();
  // Files that are closed when the process ends still have chunks to write.
  static Immortal<ChunkCache> cache(budget.bytes, budget.most_bytes);
  return *cache;
}

std::uint64_t ChunkCache::new_owner() {
  const MutexLock lock(mutex_);
  return ++last_owner_;
}

std::size_t ChunkCache::budget_bytes() const {
  const MutexLock lock(mutex_);
  return budget_bytes_;
}

void ChunkCache::set_budget(std::size_t bytes) {
  const MutexLock lock(mutex_);
  budget_bytes_ = bytes;
  most_bytes_ = 0;
  evict();
}

void ChunkCache::expect_chunks_of(std::size_t bytes) {
  const MutexLock lock(mutex_);
  const std::size_t wanted = bytes < most_bytes_ / few_chunks ? bytes * few_chunks : most_bytes_;
  budget_bytes_ = std::max(budget_bytes_, wanted);
}

DecodedChunkPointer ChunkCache::find(const ChunkKey& key) {
  const MutexLock lock(mutex_);
  return use(key);
}

std::vector<DecodedChunkPointer> ChunkCache::find(std::uint64_t owner,
                                                  std::span<const std::uint64_t> chunks) {
  std::vector<DecodedChunkPointer> found(chunks.size());
  const MutexLock lock(mutex_);
  if (!held_.contains(owner)) {
    counters_.misses += chunks.size();
    return found;
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) found[i] = use({owner, chunks[i]});
  return found;
}

std::vector<DecodedChunkPointer> ChunkCache::find_held(std::uint64_t owner,
                                                       std::span<const std::uint64_t> chunks) {
  std::vector<DecodedChunkPointer> found(chunks.size());
  const MutexLock lock(mutex_);
  if (!held_.contains(owner)) return found;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ChunkKey key{owner, chunks[i]};
    if (const auto it = slots_.find(key); it != slots_.end()) found[i] = use(key, it->second);
  }
  return found;
}

void ChunkCache::count_misses(std::uint64_t chunks) {
  const MutexLock lock(mutex_);
  counters_.misses += chunks;
}

DecodedChunkPointer ChunkCache::use(const ChunkKey& key) {
  const auto it = slots_.find(key);
  if (it != slots_.end()) return use(key, it->second);
  ++counters_.misses;
  return nullptr;
}

const DecodedChunkPointer& ChunkCache::use(const ChunkKey& key, Slot& slot) {
  ++counters_.hits;
  if (slot.queue != Queue::dirty) {
    unlink(slot);
    slot.once = false;
    link(key, slot, Queue::proven, true);
    // The oldest proven chunks become fresh again: they have to be used once more to stay.
    while (proven_bytes_ > budget_bytes_ / 5 * 4 && proven_.size() > 1) {
      const ChunkKey last = proven_.back();
      Slot& demoted = slots_.at(last);
      unlink(demoted);
      link(last, demoted, Queue::fresh, true);
    }
  }
  return slot.decoded;
}

void ChunkCache::put(const ChunkKey& key, DecodedChunkPointer decoded, bool once) {
  const MutexLock lock(mutex_);
  if (const auto it = slots_.find(key); it != slots_.end()) {
    if (it->second.queue == Queue::dirty) return;  // newer than what was read
    erase(it);
  }
  Slot& slot = add(key, std::move(decoded));
  // With w0 = 1, as in the shared cache, the order of the queue is enough.
  slot.once = once && preemption_ > 0;
  link(key, slot, Queue::fresh, !(once && preemption_ >= 1));
  evict();
}

void ChunkCache::put_dirty(const ChunkKey& key, DecodedChunkPointer decoded) {
  const MutexLock lock(mutex_);
  if (const auto it = slots_.find(key); it != slots_.end()) erase(it);
  Slot& slot = add(key, std::move(decoded));
  slot.queue = Queue::dirty;
  count_dirty(key.owner, slot, true);
  evict();
}

void ChunkCache::make_clean(const ChunkKey& key) {
  const MutexLock lock(mutex_);
  const auto it = slots_.find(key);
  if (it == slots_.end() || it->second.queue != Queue::dirty) return;
  count_dirty(key.owner, it->second, false);
  link(key, it->second, Queue::fresh, true);
  evict();
}

void ChunkCache::forget(const ChunkKey& key) {
  const MutexLock lock(mutex_);
  if (const auto it = slots_.find(key); it != slots_.end()) erase(it);
}

void ChunkCache::forget(std::uint64_t owner, std::span<const std::uint64_t> chunks) {
  const MutexLock lock(mutex_);
  if (!held_.contains(owner)) return;
  for (const std::uint64_t chunk : chunks)
    if (const auto it = slots_.find({owner, chunk}); it != slots_.end()) erase(it);
}

void ChunkCache::forget_owner(std::uint64_t owner) {
  const MutexLock lock(mutex_);
  if (!held_.contains(owner)) return;
  for (auto it = slots_.begin(); it != slots_.end();) {
    const auto here = it++;
    if (here->first.owner == owner) erase(here);
  }
}

std::vector<std::uint64_t> ChunkCache::dirty_chunks(std::uint64_t owner) const {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> chunks;
  if (!dirty_of_.contains(owner)) return chunks;
  for (const auto& [key, slot] : slots_)
    if (key.owner == owner && slot.queue == Queue::dirty) chunks.push_back(key.chunk);
  std::ranges::sort(chunks);
  return chunks;
}

std::size_t ChunkCache::dirty_bytes() const {
  const MutexLock lock(mutex_);
  return counters_.dirty_bytes;
}

bool ChunkCache::has_dirty(std::uint64_t owner) const {
  const MutexLock lock(mutex_);
  return dirty_of_.contains(owner);
}

std::size_t ChunkCache::dirty_count(std::uint64_t owner) const {
  const MutexLock lock(mutex_);
  const auto found = dirty_of_.find(owner);
  return found == dirty_of_.end() ? 0 : found->second;
}

bool ChunkCache::dirty(const ChunkKey& key) const {
  const MutexLock lock(mutex_);
  const auto it = slots_.find(key);
  return it != slots_.end() && it->second.queue == Queue::dirty;
}

bool ChunkCache::should_flush() const {
  const MutexLock lock(mutex_);
  return counters_.dirty_bytes > budget_bytes_ / 2 || dirty_chunks_ > most_chunks_ / 2;
}

void ChunkCache::count_bypass(std::uint64_t chunks) {
  const MutexLock lock(mutex_);
  counters_.bypasses += chunks;
}

void ChunkCache::put_prefetched(const ChunkKey& key, DecodedChunkPointer decoded) {
  const MutexLock lock(mutex_);
  if (slots_.contains(key)) return;
  Slot& slot = add(key, std::move(decoded));
  link(key, slot, Queue::fresh, true);
  ++counters_.prefetched;
  evict();
}

bool ChunkCache::contains(const ChunkKey& key) const {
  const MutexLock lock(mutex_);
  return slots_.contains(key);
}

bool ChunkCache::fits(std::uint64_t chunks, std::uint64_t bytes) const {
  const MutexLock lock(mutex_);
  return bytes <= budget_bytes_ / 2 && chunks <= most_chunks_ / 2;
}

bool ChunkCache::can_hold(std::uint64_t bytes) const {
  const MutexLock lock(mutex_);
  return bytes <= budget_bytes_ && most_chunks_ > 0;
}

ChunkCacheCounters ChunkCache::counters() const {
  const MutexLock lock(mutex_);
  return counters_;
}

void ChunkCache::unlink(Slot& slot) {
  list_of(slot.queue).erase(slot.at);
  if (slot.queue == Queue::proven) proven_bytes_ -= slot.bytes;
}

void ChunkCache::link(const ChunkKey& key, Slot& slot, Queue queue, bool front) {
  std::list<ChunkKey>& list = list_of(queue);
  slot.queue = queue;
  slot.at = list.insert(front ? list.begin() : list.end(), key);
  if (queue == Queue::proven) proven_bytes_ += slot.bytes;
}

ChunkCache::Slot& ChunkCache::add(const ChunkKey& key, DecodedChunkPointer decoded) {
  Slot& slot = slots_[key];
  slot.bytes = decoded->memory_bytes();
  slot.decoded = std::move(decoded);
  counters_.bytes += slot.bytes;
  counters_.most_bytes = std::max(counters_.most_bytes, counters_.bytes);
  ++held_[key.owner];
  return slot;
}

void ChunkCache::erase(Slots::iterator it) {
  Slot& slot = it->second;
  if (slot.queue == Queue::dirty) {
    count_dirty(it->first.owner, slot, false);
  } else {
    unlink(slot);
  }
  counters_.bytes -= slot.bytes;
  if (const auto held = held_.find(it->first.owner); --held->second == 0) held_.erase(held);
  slots_.erase(it);
}

void ChunkCache::count_dirty(std::uint64_t owner, const Slot& slot, bool more) {
  if (more) {
    counters_.dirty_bytes += slot.bytes;
    ++dirty_chunks_;
    ++dirty_of_[owner];
    return;
  }
  counters_.dirty_bytes -= slot.bytes;
  --dirty_chunks_;
  const auto of = dirty_of_.find(owner);
  if (--of->second == 0) dirty_of_.erase(of);
}

ChunkKey ChunkCache::victim() {
  const std::list<ChunkKey>& from = fresh_.empty() ? proven_ : fresh_;
  if (preemption_ > 0 && preemption_ < 1) {
    const auto reach = static_cast<std::size_t>(preemption_ * static_cast<double>(slots_.size()));
    std::size_t left = std::min(reach, most_looked_at);
    for (auto it = fresh_.rbegin(); it != fresh_.rend() && left > 0; ++it, --left)
      if (slots_.at(*it).once) return *it;
  }
  return from.back();
}

void ChunkCache::evict() {
  while ((counters_.bytes > budget_bytes_ || slots_.size() > most_chunks_) &&
         !(fresh_.empty() && proven_.empty())) {
    erase(slots_.find(victim()));
    ++counters_.evictions;
  }
}

}  // namespace filigree::chunk
