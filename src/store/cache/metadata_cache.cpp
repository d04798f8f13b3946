// SPDX-License-Identifier: Apache-2.0
#include "store/cache/metadata_cache.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

/// EncodedBlocks of more bytes than this are not held at once: the memory of one part serves the next one
/// while the processor still has it at hand.
constexpr std::size_t flushed_part_bytes = 1u << 20;
/// What is told of more attempts in vain would be no news.
constexpr std::size_t most_retries = 10'000;

/// Structures point only to those of a lower level, as far as readers of a file that is written look.
int level_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::global_heap:
    case EntryKind::local_heap:
    case EntryKind::heap_direct_block:
    case EntryKind::shared_message_list:
    case EntryKind::array_page:
      return 0;
    case EntryKind::btree1_node:
    case EntryKind::symbol_node:
    case EntryKind::btree2_node:
    case EntryKind::heap_indirect_block:
    case EntryKind::fixed_array_block:
    case EntryKind::extensible_array_data_block:
      return 1;
    case EntryKind::extensible_array_super_block:
      return 2;
    case EntryKind::extensible_array_index_block:
      return 3;
    case EntryKind::btree2_header:
    case EntryKind::heap_header:
    case EntryKind::free_space:
    case EntryKind::shared_message_table:
    case EntryKind::fixed_array_header:
    case EntryKind::extensible_array_header:
      return 4;
    case EntryKind::object_header:
      return 5;
  }
  return 5;
}

}  // namespace

std::string_view to_string(EntryKind kind) {
  switch (kind) {
    case EntryKind::object_header:
      return "object header";
    case EntryKind::btree1_node:
      return "version 1 B-tree node";
    case EntryKind::symbol_node:
      return "symbol table node";
    case EntryKind::local_heap:
      return "local heap";
    case EntryKind::global_heap:
      return "global heap collection";
    case EntryKind::btree2_header:
      return "version 2 B-tree header";
    case EntryKind::btree2_node:
      return "version 2 B-tree node";
    case EntryKind::heap_header:
      return "fractal heap header";
    case EntryKind::heap_indirect_block:
      return "fractal heap indirect block";
    case EntryKind::heap_direct_block:
      return "fractal heap direct block";
    case EntryKind::free_space:
      return "free-space manager";
    case EntryKind::shared_message_table:
      return "shared message table";
    case EntryKind::shared_message_list:
      return "shared message list";
    case EntryKind::fixed_array_header:
      return "fixed array header";
    case EntryKind::fixed_array_block:
      return "fixed array data block";
    case EntryKind::extensible_array_header:
      return "extensible array header";
    case EntryKind::extensible_array_index_block:
      return "extensible array index block";
    case EntryKind::extensible_array_super_block:
      return "extensible array super block";
    case EntryKind::extensible_array_data_block:
      return "extensible array data block";
    case EntryKind::array_page:
      return "page of a chunk array";
  }
  return "structure";
}

io::MemoryType memory_type_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::object_header:
    case EntryKind::heap_header:
    case EntryKind::heap_indirect_block:
    case EntryKind::free_space:
    case EntryKind::shared_message_table:
    case EntryKind::fixed_array_header:
    case EntryKind::extensible_array_header:
    case EntryKind::extensible_array_index_block:
      return io::MemoryType::object_header;
    case EntryKind::btree1_node:
    case EntryKind::symbol_node:
    case EntryKind::btree2_header:
    case EntryKind::btree2_node:
    case EntryKind::shared_message_list:
    case EntryKind::extensible_array_super_block:
      return io::MemoryType::btree;
    case EntryKind::local_heap:
    case EntryKind::heap_direct_block:
    case EntryKind::fixed_array_block:
    case EntryKind::extensible_array_data_block:
    case EntryKind::array_page:
      return io::MemoryType::local_heap;
    case EntryKind::global_heap:
      return io::MemoryType::global_heap;
  }
  return io::MemoryType::unspecified;
}

void pause_before_retry(unsigned failed) {
  std::this_thread::sleep_for(std::chrono::microseconds(failed < 10 ? 1u << failed : 1000u));
}

void MetadataCache::note_retries(EntryKind kind, unsigned failed) {
  const std::lock_guard lock(mutex_);
  if (retries_.size() < most_retries) retries_.push_back({kind, failed});
}

std::vector<LoadRetries> MetadataCache::retries() const {
  const std::lock_guard lock(mutex_);
  return retries_;
}

std::shared_ptr<Entry> MetadataCache::look_up(Address at, EntryKind expected) {
  const std::lock_guard lock(mutex_);
  Entry* const* found = entries_.find(at);
  return found == nullptr ? nullptr : use(**found, expected);
}

std::shared_ptr<Entry> MetadataCache::use(Entry& entry, EntryKind expected) {
  if (entry.kind_ != expected) {
    throw Error(ErrorKind::corrupt, fmt::format("the {} expected at {} overlaps a {}", to_string(expected),
                                                filigree::to_string(entry.address_), to_string(entry.kind_)));
  }
  entry.used_ = true;
  return round_[entry.place_];
}

std::shared_ptr<Entry> MetadataCache::add(Address at, std::shared_ptr<Entry> entry, EntryKind kind,
                                          bool dirty) {
  if (!is_valid(at))
    throw Error(ErrorKind::corrupt, fmt::format("the address of a {} is undefined", to_string(kind)));
  const std::lock_guard lock(mutex_);
  const auto [place, added] = entries_.try_emplace(at);
  if (!added) {
    // Only a file whose account of its space is wrong gives out a place that is in use.
    if (dirty)
      throw Error(ErrorKind::corrupt, fmt::format("space for a new {} at {} overlaps a structure in use",
                                                  to_string(kind), filigree::to_string(at)));
    return use(**place, kind);  // under the same lock, or it could be evicted in between
  }
  *place = entry.get();
  entry->address_ = at;
  entry->charged_bytes_ = entry->memory_bytes();
  entry->place_ = round_.size();
  round_.push_back(entry);
  bytes_ += entry->charged_bytes_;
  entry->in_file_ = !dirty;
  if (dirty) {
    entry->dirty_ = true;
    ++dirty_;
  }
  if (bytes_ > budget_bytes_) evict_clean();
  return entry;
}

void MetadataCache::mark_dirty(Entry& entry) {
  if (entry.dirty_) return;
  const std::lock_guard lock(mutex_);
  entry.dirty_ = true;
  ++dirty_;
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
  const std::size_t place = entry.place_;
  std::swap(round_[place], round_.back());
  round_[place]->place_ = place;
  round_.pop_back();
}

void MetadataCache::evict_clean() {
  // Two rounds at most: the first one takes away the flags of what is not dirty or in use anyway.
  for (std::size_t passes = 2 * round_.size(); passes > 0 && bytes_ > budget_bytes_ && !round_.empty();
       --passes) {
    if (hand_ >= round_.size()) hand_ = 0;
    Entry& entry = *round_[hand_];
    const bool keep = entry.dirty_ || entry.used_ || round_[hand_].use_count() > 1;
    entry.used_ = false;
    if (keep) {
      ++hand_;
    } else {
      erase(entry.address_);  // the last of the round now stands under the hand
    }
  }
}

void MetadataCache::forget(Address at) {
  const std::lock_guard lock(mutex_);
  erase(at);
}

void MetadataCache::drop_clean() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = round_.size(); i-- > 0;) {
    if (!round_[i]->dirty_) erase(round_[i]->address_);  // the last of the round now stands at i
  }
  hand_ = 0;
}

void MetadataCache::move(Address from, Address to) {
  const std::lock_guard lock(mutex_);
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
}

std::vector<Entry*> MetadataCache::dirty_entries(std::optional<EntryKind> kind) const {
  // The address beside the pointer saves the sort a look into each entry.
  std::vector<std::pair<Address, Entry*>> placed;
  {
    const std::lock_guard lock(mutex_);
    if (dirty_ == 0) return {};
    if (!kind) placed.reserve(dirty_);
    for (const auto& entry : round_) {
      if (entry->dirty_ && (!kind || entry->kind_ == *kind))
        placed.emplace_back(entry->address_, entry.get());
    }
  }
  std::ranges::sort(placed, {}, &std::pair<Address, Entry*>::first);
  std::vector<Entry*> dirty(placed.size());
  std::ranges::transform(placed, dirty.begin(), &std::pair<Address, Entry*>::second);
  return dirty;
}

void MetadataCache::flush(FunctionRef<void(EncodedBlocks&)> write) {
  hand_over(dirty_entries(), Blocks::all, write);
}

void MetadataCache::flush_for_swmr(FunctionRef<void(EncodedBlocks&)> write) {
  std::vector<Entry*> dirty = dirty_entries();
  // What the file has no version of, nothing in the file points to.
  const auto level = [](const Entry* entry) { return entry->in_file() ? level_of(entry->kind()) : -1; };
  std::ranges::stable_sort(dirty, {}, level);
  for (auto from = dirty.begin(); from != dirty.end();) {
    const auto to = std::find_if(from, dirty.end(), [&](const Entry* e) { return level(e) != level(*from); });
    const std::span<Entry* const> entries(from, to);
    const bool linked = level(*from) == level_of(EntryKind::object_header);
    if (linked) hand_over(entries, Blocks::others, write);
    hand_over(entries, linked ? Blocks::first : Blocks::all, write);
    from = to;
  }
}

void MetadataCache::hand_over(std::span<Entry* const> entries, Blocks blocks,
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
      encoded[k].type = memory_type_of(entries[i]->kind());
      bytes += encoded[k].content().size();
    }
    if (bytes < flushed_part_bytes && i + 1 < entries.size()) continue;
    if (!encoded.empty()) write(encoded);
    if (blocks != Blocks::others) mark_clean(entries.subspan(written, i + 1 - written));
    written = i + 1;
    encoded.clear();
    bytes = 0;
  }
}

void MetadataCache::mark_clean(std::span<Entry* const> entries) {
  const std::lock_guard lock(mutex_);
  for (Entry* entry : entries) {
    entry->dirty_ = false;
    entry->in_file_ = true;
    recharge(*entry);
  }
  dirty_ -= entries.size();
}

void MetadataCache::trim(FunctionRef<void()> write_dirty) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes_ <= budget_bytes_) return;
    evict_clean();
    if (bytes_ <= budget_bytes_) return;
  }
  write_dirty();
  const std::lock_guard lock(mutex_);
  evict_clean();
}

bool MetadataCache::has_dirty() const {
  const std::lock_guard lock(mutex_);
  return dirty_ > 0;
}

std::size_t MetadataCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t MetadataCache::entries() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace filigree::store
