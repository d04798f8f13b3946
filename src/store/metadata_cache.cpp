// SPDX-License-Identifier: Apache-2.0
#include "store/metadata_cache.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {

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

MetadataCache::~MetadataCache() {
  // In the order in which they were made, which is much faster for the allocator than that of the hash.
  for (const Entry* entry : round_) entries_.find(entry->address_)->reset();
}

std::shared_ptr<Entry> MetadataCache::look_up(Address at, EntryKind expected) {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<Entry>* found = entries_.find(at);
  return found == nullptr ? nullptr : use(*found, expected);
}

std::shared_ptr<Entry> MetadataCache::use(const std::shared_ptr<Entry>& entry, EntryKind expected) {
  if (entry->kind_ != expected) {
    throw Error(ErrorKind::corrupt,
                fmt::format("the {} expected at {} overlaps a {}", to_string(expected),
                            filigree::to_string(entry->address_), to_string(entry->kind_)));
  }
  entry->used_ = true;
  return entry;
}

std::shared_ptr<Entry> MetadataCache::add(Address at, std::shared_ptr<Entry> entry, EntryKind kind,
                                          bool dirty) {
  if (!defined(at))
    throw Error(ErrorKind::corrupt, fmt::format("the address of a {} is undefined", to_string(kind)));
  const std::lock_guard lock(mutex_);
  const auto [place, added] = entries_.try_emplace(at);
  if (!added) {
    // Only a file whose account of its space is wrong gives out a place that is in use.
    if (dirty)
      throw Error(ErrorKind::corrupt, fmt::format("space for a new {} at {} overlaps a structure in use",
                                                  to_string(kind), filigree::to_string(at)));
    return use(*place, kind);  // under the same lock, or it could be evicted in between
  }
  *place = entry;
  entry->address_ = at;
  entry->charged_bytes_ = entry->memory_bytes();
  entry->place_ = round_.size();
  round_.push_back(entry.get());
  bytes_ += entry->charged_bytes_;
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
  const std::shared_ptr<Entry>* found = entries_.find(at);
  if (found == nullptr) return;
  Entry& entry = **found;
  bytes_ -= entry.charged_bytes_;
  if (entry.dirty_) --dirty_;
  entry.dirty_ = false;
  round_.back()->place_ = entry.place_;
  round_[entry.place_] = round_.back();
  round_.pop_back();
  entries_.erase(at);
}

void MetadataCache::evict_clean() {
  // Two rounds at most: the first one takes away the flags of what is not dirty or in use anyway.
  for (std::size_t passes = 2 * round_.size(); passes > 0 && bytes_ > budget_bytes_ && !round_.empty();
       --passes) {
    if (hand_ >= round_.size()) hand_ = 0;
    Entry& entry = *round_[hand_];
    const bool keep = entry.dirty_ || entry.used_ || entries_.find(entry.address_)->use_count() > 1;
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

void MetadataCache::move(Address from, Address to) {
  const std::lock_guard lock(mutex_);
  const std::shared_ptr<Entry>* found = entries_.find(from);
  if (found == nullptr) throw Error(ErrorKind::internal, "moving an entry that is not cached");
  if (entries_.find(to) != nullptr) {
    throw Error(ErrorKind::corrupt,
                fmt::format("space to move a structure to, at {}, overlaps a structure in use",
                            filigree::to_string(to)));
  }
  const std::shared_ptr<Entry> entry = *found;
  entries_.erase(from);
  *entries_.try_emplace(to).first = entry;
  entry->address_ = to;
  if (!entry->dirty_) {
    entry->dirty_ = true;
    ++dirty_;
  }
}

std::vector<Entry*> MetadataCache::dirty_entries() const {
  std::vector<Entry*> dirty;
  {
    const std::lock_guard lock(mutex_);
    if (dirty_ == 0) return dirty;
    dirty.reserve(dirty_);
    for (Entry* entry : round_) {
      if (entry->dirty_) dirty.push_back(entry);
    }
  }
  std::sort(dirty.begin(), dirty.end(),
            [](const Entry* a, const Entry* b) { return a->address_ < b->address_; });
  return dirty;
}

void MetadataCache::flush(FunctionRef<void(Images&)> write) {
  const std::vector<Entry*> dirty = dirty_entries();
  if (dirty.empty()) return;
  Images images;
  images.reserve(dirty.size());
  for (const Entry* entry : dirty) entry->encode(images);
  write(images);
  const std::lock_guard lock(mutex_);
  for (Entry* entry : dirty) {
    entry->dirty_ = false;
    recharge(*entry);
  }
  dirty_ = 0;
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
