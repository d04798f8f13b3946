// SPDX-License-Identifier: Apache-2.0
#include "store/metadata_cache.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {

std::string_view to_string(EntryKind kind) {
  switch (kind) {
    case EntryKind::object_header: return "object header";
    case EntryKind::btree1_node: return "version 1 B-tree node";
    case EntryKind::symbol_node: return "symbol table node";
    case EntryKind::local_heap: return "local heap";
    case EntryKind::global_heap: return "global heap collection";
    case EntryKind::btree2_header: return "version 2 B-tree header";
    case EntryKind::btree2_node: return "version 2 B-tree node";
    case EntryKind::heap_header: return "fractal heap header";
    case EntryKind::heap_indirect_block: return "fractal heap indirect block";
    case EntryKind::heap_direct_block: return "fractal heap direct block";
    case EntryKind::free_space: return "free-space manager";
    case EntryKind::shared_message_table: return "shared message table";
    case EntryKind::shared_message_list: return "shared message list";
  }
  return "structure";
}

MetadataCache::~MetadataCache() = default;

std::shared_ptr<Entry> MetadataCache::look_up(Address at, EntryKind expected) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(at);
  if (found == entries_.end()) return nullptr;
  Entry& entry = *found->second;
  if (entry.kind_ != expected) {
    throw Error(ErrorKind::corrupt, fmt::format("the {} expected at {} overlaps a {}", to_string(expected), filigree::to_string(at),
                                                to_string(entry.kind_)));
  }
  by_recency_.splice(by_recency_.end(), by_recency_, entry.recency_);
  return found->second;
}

std::shared_ptr<Entry> MetadataCache::add(Address at, std::shared_ptr<Entry> entry, EntryKind kind, bool dirty) {
  {
    const std::lock_guard lock(mutex_);
    const auto [place, added] = entries_.try_emplace(at, entry);
    if (added) {
      entry->address_ = at;
      entry->charged_bytes_ = entry->memory_bytes();
      bytes_ += entry->charged_bytes_;
      entry->recency_ = by_recency_.insert(by_recency_.end(), entry.get());
      if (dirty) {
        entry->dirty_ = true;
        ++dirty_;
      }
      if (bytes_ > budget_bytes_) evict_clean();
      return entry;
    }
  }
  if (dirty) throw Error(ErrorKind::internal, fmt::format("new {} at {}, where the cache holds one already", to_string(kind), filigree::to_string(at)));
  return look_up(at, kind);
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
  const auto found = entries_.find(at);
  if (found == entries_.end()) return;
  Entry& entry = *found->second;
  bytes_ -= entry.charged_bytes_;
  if (entry.dirty_) --dirty_;
  entry.dirty_ = false;
  by_recency_.erase(entry.recency_);
  entries_.erase(found);
}

void MetadataCache::evict_clean() {
  // One pass at most: what is dirty or in use stays, however old.
  for (auto next = by_recency_.begin(); next != by_recency_.end() && bytes_ > budget_bytes_;) {
    Entry& entry = **next++;
    if (entry.dirty_) continue;
    const auto found = entries_.find(entry.address_);
    if (found->second.use_count() == 1) erase(entry.address_);
  }
}

void MetadataCache::forget(Address at) {
  const std::lock_guard lock(mutex_);
  erase(at);
}

void MetadataCache::move(Address from, Address to) {
  const std::lock_guard lock(mutex_);
  auto node = entries_.extract(from);
  if (node.empty()) throw Error(ErrorKind::internal, "moving an entry that is not cached");
  node.key() = to;
  node.mapped()->address_ = to;
  if (!node.mapped()->dirty_) {
    node.mapped()->dirty_ = true;
    ++dirty_;
  }
  entries_.insert(std::move(node));
}

void MetadataCache::flush(FunctionRef<void(Images&)> write) {
  std::vector<Entry*> dirty;
  {
    const std::lock_guard lock(mutex_);
    if (dirty_ == 0) return;
    dirty.reserve(dirty_);
    for (Entry* entry : by_recency_) {
      if (entry->dirty_) dirty.push_back(entry);
    }
  }
  std::sort(dirty.begin(), dirty.end(), [](const Entry* a, const Entry* b) { return a->address_ < b->address_; });
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

void MetadataCache::trim(FunctionRef<void(Images&)> write) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes_ <= budget_bytes_) return;
    evict_clean();
    // Below the budget by an eighth, so that the next operations do not each come back here.
    if (bytes_ <= budget_bytes_) return;
  }
  flush(write);
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
