// SPDX-License-Identifier: Apache-2.0
#include "store/cache/metadata_cache.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

/// A flush holds at most about this many encoded bytes at a time, so that their memory is still in the
/// processor's cache when it serves the next blocks.
constexpr std::size_t flush_part_bytes = 1u << 20;
/// Upper bound on recorded retries.
constexpr std::size_t most_retries = 10'000;

}  // namespace

void pause_before_retry(unsigned failed) {
  std::this_thread::sleep_for(std::chrono::microseconds(failed < 10 ? 1u << failed : 1000u));
}

void MetadataCache::note_retries(EntryKind kind, unsigned failed) {
  const MutexLock lock(mutex_);
  if (retries_.size() < most_retries) retries_.push_back({kind, failed});
}

std::vector<LoadRetries> MetadataCache::retries() const {
  const MutexLock lock(mutex_);
  return retries_;
}

std::shared_ptr<Entry> MetadataCache::look_up(Address at, EntryKind expected) {
  const MutexLock lock(mutex_);
  Entry* const* found = entries_.find(at);
  return found == nullptr ? nullptr : use(**found, expected);
}

std::shared_ptr<Entry> MetadataCache::use(Entry& entry, EntryKind expected) {
  if (entry.kind_ != expected) {
    throw Error(ErrorKind::corrupt, fmt::format("the {} expected at {} overlaps a {}", to_string(expected),
                                                filigree::to_string(entry.address_), to_string(entry.kind_)));
  }
  entry.used_ = true;
  return clock_[entry.clock_index_];
}

std::shared_ptr<Entry> MetadataCache::add(Address at, std::shared_ptr<Entry> entry, EntryKind kind,
                                          bool dirty) {
  if (!is_valid(at))
    throw Error(ErrorKind::corrupt, fmt::format("the address of a {} is undefined", to_string(kind)));
  const MutexLock lock(mutex_);
  const auto [slot, added] = entries_.try_emplace(at);
  if (!added) {
    // Only a file whose free space is recorded wrongly allocates space that is in use.
    if (dirty)
      throw Error(ErrorKind::corrupt, fmt::format("space for a new {} at {} overlaps a structure in use",
                                                  to_string(kind), filigree::to_string(at)));
    return use(**slot, kind);  // under the same lock, or it could be evicted in between
  }
  *slot = entry.get();
  entry->address_ = at;
  entry->charged_bytes_ = entry->memory_bytes();
  entry->clock_index_ = clock_.size();
  clock_.push_back(entry);
  bytes_ += entry->charged_bytes_;
  entry->in_file_ = !dirty;
  if (dirty) {
    entry->dirty_ = true;
    ++dirty_;
    ++revision_;
  }
  note(dirty ? CacheEvent::Action::create : CacheEvent::Action::load, *entry);
  if (bytes_ > budget_bytes_) evict_clean();
  return entry;
}

void MetadataCache::mark_dirty(Entry& entry) {
  ++revision_;
  if (entry.dirty_) return;
  const MutexLock lock(mutex_);
  entry.dirty_ = true;
  ++dirty_;
  note(CacheEvent::Action::change, entry);
}

void MetadataCache::recharge(Entry& entry) {
  bytes_ -= entry.charged_bytes_;
  entry.charged_bytes_ = entry.memory_bytes();
  bytes_ += entry.charged_bytes_;
}

void MetadataCache::erase(Address at) {
  Entry* const* found = entries_.find(at);
  if (found == nullptr) return;
  Entry& entry = **found;
  bytes_ -= entry.charged_bytes_;
  if (entry.dirty_) --dirty_;
  entry.dirty_ = false;
  entries_.erase(at);
  const std::size_t index = entry.clock_index_;
  std::swap(clock_[index], clock_.back());
  clock_[index]->clock_index_ = index;
  clock_.pop_back();
}

void MetadataCache::evict_clean() {
  // At most two rounds: the first one clears the flags of all entries that may be evicted.
  for (std::size_t passes = 2 * clock_.size(); passes > 0 && bytes_ > budget_bytes_ && !clock_.empty();
       --passes) {
    if (hand_ >= clock_.size()) hand_ = 0;
    Entry& entry = *clock_[hand_];
    const bool keep = entry.dirty_ || entry.used_ || clock_[hand_].use_count() > 1;
    entry.used_ = false;
    if (keep) {
      ++hand_;
    } else {
      note(CacheEvent::Action::evict, entry);
      erase(entry.address_);  // the last entry of the clock is now under the hand
    }
  }
}

void MetadataCache::forget(Address at) {
  ++revision_;
  const MutexLock lock(mutex_);
  if (Entry* const* found = entries_.find(at); found != nullptr) note(CacheEvent::Action::free, **found);
  erase(at);
}

void MetadataCache::set_log(CacheLog log) {
  const MutexLock lock(mutex_);
  log_ = std::move(log);
}

void MetadataCache::evict_unused() {
  const MutexLock lock(mutex_);
  for (std::size_t i = clock_.size(); i-- > 0;) {
    if (clock_[i]->dirty_ || clock_[i].use_count() > 1) continue;
    note(CacheEvent::Action::evict, *clock_[i]);
    erase(clock_[i]->address_);  // the last entry of the clock is now at i
  }
  hand_ = 0;
}

void MetadataCache::drop_clean() {
  ++revision_;
  const MutexLock lock(mutex_);
  for (std::size_t i = clock_.size(); i-- > 0;) {
    if (clock_[i]->dirty_) continue;
    note(CacheEvent::Action::evict, *clock_[i]);
    erase(clock_[i]->address_);  // the last entry of the clock is now at i
  }
  hand_ = 0;
}

void MetadataCache::move(Address from, Address to) {
  ++revision_;
  const MutexLock lock(mutex_);
  Entry* const* found = entries_.find(from);
  if (found == nullptr) throw Error(ErrorKind::internal, "moving an entry that is not cached");
  if (entries_.find(to) != nullptr) {
    throw Error(ErrorKind::corrupt,
                fmt::format("space to move a structure to, at {}, overlaps a structure in use",
                            filigree::to_string(to)));
  }
  Entry* const entry = *found;
  entries_.erase(from);
  *entries_.try_emplace(to).first = entry;
  entry->address_ = to;
  entry->in_file_ = false;
  if (!entry->dirty_) {
    entry->dirty_ = true;
    ++dirty_;
  }
  note(CacheEvent::Action::move, *entry);
}

std::vector<Entry*> MetadataCache::dirty_entries(std::optional<EntryKind> kind) const {
  // Sorting pairs with the address avoids a cache miss per entry.
  std::vector<std::pair<Address, Entry*>> by_address;
  {
    const MutexLock lock(mutex_);
    if (dirty_ == 0) return {};
    if (!kind) by_address.reserve(dirty_);
    for (const auto& entry : clock_) {
      if (entry->dirty_ && (!kind || entry->kind_ == *kind))
        by_address.emplace_back(entry->address_, entry.get());
    }
  }
  std::ranges::sort(by_address, {}, &std::pair<Address, Entry*>::first);
  std::vector<Entry*> dirty(by_address.size());
  std::ranges::transform(by_address, dirty.begin(), &std::pair<Address, Entry*>::second);
  return dirty;
}

void MetadataCache::flush(FunctionRef<void(EncodedBlocks&)> write) {
  write_entries(dirty_entries(), Blocks::all, write);
}

// Steps 5 and 6 of the protocol in store/flush.cpp.
void MetadataCache::flush_for_swmr(FunctionRef<void(EncodedBlocks&)> write) {
  std::vector<Entry*> dirty = dirty_entries();
  // Nothing in the file points to a structure that the file has no version of.
  const auto level = [](const Entry* entry) {
    return entry->in_file() ? int{row_of(entry->kind()).swmr_level} : -1;
  };
  std::ranges::stable_sort(dirty, {}, level);
  for (auto from = dirty.begin(); from != dirty.end();) {
    const auto to = std::find_if(from, dirty.end(), [&](const Entry* e) { return level(e) != level(*from); });
    const std::span<Entry* const> entries(from, to);
    const bool linked = level(*from) == row_of(EntryKind::object_header).swmr_level;
    if (linked) write_entries(entries, Blocks::others, write);
    write_entries(entries, linked ? Blocks::first : Blocks::all, write);
    from = to;
  }
}

void MetadataCache::write_entries(std::span<Entry* const> entries, Blocks blocks,
                                  FunctionRef<void(EncodedBlocks&)> write) {
  EncodedBlocks encoded;
  std::size_t bytes = 0;
  std::size_t written = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t before = encoded.size();
    entries[i]->encode(encoded);
    const auto first = encoded.begin() + static_cast<std::ptrdiff_t>(before);
    if (blocks == Blocks::first) encoded.erase(first + 1, encoded.end());
    if (blocks == Blocks::others) encoded.erase(first);
    for (std::size_t k = before; k < encoded.size(); ++k) {
      encoded[k].type = row_of(entries[i]->kind()).memory_type;
      bytes += encoded[k].content().size();
    }
    if (bytes < flush_part_bytes && i + 1 < entries.size()) continue;
    if (!encoded.empty()) write(encoded);
    if (blocks != Blocks::others) mark_clean(entries.subspan(written, i + 1 - written));
    written = i + 1;
    encoded.clear();
    bytes = 0;
  }
}

void MetadataCache::mark_clean(std::span<Entry* const> entries) {
  const MutexLock lock(mutex_);
  for (Entry* entry : entries) {
    entry->dirty_ = false;
    entry->in_file_ = true;
    recharge(*entry);
    note(CacheEvent::Action::write, *entry);
  }
  dirty_ -= entries.size();
}

void MetadataCache::trim(FunctionRef<void()> write_dirty) {
  {
    const MutexLock lock(mutex_);
    if (bytes_ <= budget_bytes_) return;
    evict_clean();
    if (bytes_ <= budget_bytes_) return;
  }
  write_dirty();
  const MutexLock lock(mutex_);
  evict_clean();
}

bool MetadataCache::has_dirty() const {
  const MutexLock lock(mutex_);
  return dirty_ > 0;
}

std::size_t MetadataCache::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

std::size_t MetadataCache::entries() const {
  const MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace filigree::store
