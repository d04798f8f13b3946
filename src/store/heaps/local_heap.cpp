// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/local_heap.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/heaps/local_heap.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

/// A data segment is not made smaller than this.
constexpr std::uint64_t least_shrunk_bytes = 88;

[[noreturn]] void bad_heap(Address at, std::string_view problem) { throw_corrupt("local heap", at, problem); }

}  // namespace

LocalHeapEntry::LocalHeapEntry(const format::Widths& widths, Address data, std::uint64_t data_bytes)
    : Entry(entry_kind), widths_(widths), data_(data), content_(data_bytes) {
  add_free(8, data_bytes - 8);
}

LocalHeapEntry::LocalHeapEntry(const format::Widths& widths, Address data, Buffer content,
                               std::uint64_t free_head)
    : Entry(entry_kind), widths_(widths), data_(data), content_(std::move(content)) {
  read_free_list(free_head);
}

void LocalHeapEntry::read_free_list(std::uint64_t head) {
  const std::uint64_t end = content_.size();
  std::map<std::uint64_t, std::uint64_t> found;
  for (std::uint64_t at = head; at != format::no_free_block;) {
    if (at % 8 != 0 || at >= end || end - at < 2u * widths_.length_bytes) return;
    const auto block = format::decode<format::LocalHeapFreeBlock>(Bytes(content_).subspan(at), widths_);
    if (block.bytes < 2u * widths_.length_bytes || block.bytes > end - at) return;
    if (!found.emplace(at, block.bytes).second) return;
    at = block.next;
  }
  std::uint64_t last_end = 0;
  for (const auto& [offset, bytes] : found) {
    if (offset < last_end) return;
    last_end = offset + bytes;
  }
  for (const auto& [offset, bytes] : found) add_free(offset, bytes);
}

std::uint64_t LocalHeapEntry::file_bytes() const {
  return format::local_heap_prefix_bytes(widths_) + content_.size();
}

std::string_view LocalHeapEntry::string_at(std::uint64_t offset) const {
  if (offset >= content_.size()) {
    bad_heap(address(), fmt::format("offset {} is beyond its {} bytes", offset, content_.size()));
  }
  const auto* start = reinterpret_cast<const char*>(content_.data()) + offset;
  const auto* end = static_cast<const char*>(std::memchr(start, 0, content_.size() - offset));
  if (end == nullptr) bad_heap(address(), fmt::format("the string at offset {} is not terminated", offset));
  return {start, static_cast<std::size_t>(end - start)};
}

int LocalHeapEntry::compare(std::string_view name, std::uint64_t offset) const {
  if (offset >= content_.size() || name.size() >= content_.size() - offset) {
    return name.compare(string_at(offset));
  }
  const auto* other = reinterpret_cast<const char*>(content_.data()) + offset;
  if (const int order = std::strncmp(name.data(), other, name.size()); order != 0) return order;
  return other[name.size()] == '\0' ? 0 : -1;
}

std::size_t LocalHeapEntry::memory_bytes() const {
  return sizeof(*this) + content_.size() + 128 * free_.size();
}

void LocalHeapEntry::encode(EncodedBlocks& out) const {
  format::LocalHeapPrefix prefix{content_.size(), format::no_free_block, data_};
  EncodedBlock segment{data_, content_};
  for (auto block = free_.rbegin(); block != free_.rend(); ++block) {
    const auto [offset, bytes] = *block;
    if (bytes < format::least_free_block_bytes(widths_)) continue;
    format::encode(format::LocalHeapFreeBlock{prefix.free_head, bytes},
                   MutableBytes(segment.bytes).subspan(offset, 2u * widths_.length_bytes), widths_);
    prefix.free_head = offset;
  }
  out.push_back({address(), format::encode(prefix, widths_)});
  out.push_back(std::move(segment));
}

void LocalHeapEntry::drop_free(std::map<std::uint64_t, std::uint64_t>::iterator block) {
  free_by_size_.erase({block->second, block->first});
  free_.erase(block);
}

void LocalHeapEntry::add_free(std::uint64_t offset, std::uint64_t bytes) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + bytes) {
    bytes += next->second;
    drop_free(next++);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      drop_free(before);
    }
  }
  free_.emplace(offset, bytes);
  free_by_size_.emplace(bytes, offset);
}

std::uint64_t LocalHeapEntry::allocate(std::uint64_t bytes, bool any_rest) {
  auto fit = free_by_size_.lower_bound({bytes, 0});
  if (fit != free_by_size_.end() && fit->first != bytes && !any_rest) {
    fit = free_by_size_.lower_bound({bytes + format::least_free_block_bytes(widths_), 0});
  }
  if (fit == free_by_size_.end()) return no_space;
  const auto [block_bytes, offset] = *fit;
  drop_free(free_.find(offset));
  if (block_bytes > bytes) add_free(offset + bytes, block_bytes - bytes);
  return offset;
}

Address LocalHeap::create(FileStore& store, std::uint64_t data_bytes_hint) {
  const format::Widths& widths = store.widths();
  const std::uint64_t prefix_bytes = format::local_heap_prefix_bytes(widths);
  const std::uint64_t most = widest_word(widths.length_bytes) / 8 * 8;
  const std::uint64_t least = 8 + format::least_free_block_bytes(widths);
  const std::uint64_t data_bytes = pad8(std::clamp(data_bytes_hint, least, most - 8));
  const Address at = store.space().allocate(SpaceKind::local_heap, prefix_bytes + data_bytes);
  store.cache().insert(at, std::make_shared<LocalHeapEntry>(widths, at + prefix_bytes, data_bytes));
  return at;
}

std::shared_ptr<const LocalHeapEntry> LocalHeap::entry() const {
  return store_.cache().get<LocalHeapEntry>(at_, [&] {
    const format::Widths& widths = store_.widths();
    const auto name = format::LocalHeapPrefix::structure;
    const Buffer bytes = store_.read(at_, format::local_heap_prefix_bytes(widths), name);
    const auto prefix = format::decode<format::LocalHeapPrefix>(bytes, widths, at_);
    Buffer content;
    if (prefix.data_bytes > 0)
      content = store_.read(prefix.data, prefix.data_bytes, "local heap data segment");
    return std::make_shared<LocalHeapEntry>(widths, prefix.data, std::move(content), prefix.free_head);
  });
}

std::string LocalHeap::get(std::uint64_t offset) const { return std::string(entry()->string_at(offset)); }

std::uint64_t LocalHeap::insert(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    throw Error(ErrorKind::invalid_argument, "a string in a local heap cannot contain a NUL character");
  }
  const auto held = entry();
  LocalHeapEntry& heap = store_.cache().edit(held);
  const std::uint64_t bytes = pad8(text.size() + 1);
  std::uint64_t offset = heap.allocate(bytes, false);
  if (offset == LocalHeapEntry::no_space) {
    grow(heap, bytes);
    offset = heap.allocate(bytes, true);
  }
  const auto target = heap.content_.begin() + static_cast<std::ptrdiff_t>(offset);
  const Bytes source = as_bytes(text);
  std::fill(std::copy(source.begin(), source.end(), target), target + static_cast<std::ptrdiff_t>(bytes),
            std::byte{0});
  return offset;
}

void LocalHeap::grow(LocalHeapEntry& heap, std::uint64_t needed_bytes) {
  const std::uint64_t old_bytes = heap.content_.size();
  const std::uint64_t start = pad8(old_bytes);
  const std::uint64_t most = widest_word(store_.widths().length_bytes) / 8 * 8;
  if (start > most || needed_bytes > most - start) {
    throw Error(ErrorKind::limit,
                fmt::format("local heap at {}: {} more bytes do not fit the {} byte lengths of the file",
                            to_string(at_), needed_bytes, store_.widths().length_bytes));
  }
  const std::uint64_t extra = std::min(std::max(needed_bytes, start), most - start);
  const std::uint64_t new_bytes = start + extra;

  Space& space = store_.space();
  const std::uint64_t prefix_bytes = format::local_heap_prefix_bytes(store_.widths());
  const bool joined = heap.data_ == at_ + prefix_bytes;
  const std::uint64_t before = joined ? prefix_bytes : 0;
  const bool extended = old_bytes > 0 && space.try_extend(SpaceKind::local_heap, joined ? at_ : heap.data_,
                                                          before + old_bytes, new_bytes - old_bytes);
  if (!extended) {
    const Address moved = space.allocate(SpaceKind::local_heap, new_bytes);
    if (old_bytes > 0) space.release(SpaceKind::local_heap, heap.data_, old_bytes);
    heap.data_ = moved;
  }
  heap.content_.resize(new_bytes);
  heap.add_free(start, extra);
}

void LocalHeap::remove(std::uint64_t offset, std::uint64_t bytes) {
  const auto held = entry();
  const std::uint64_t end = held->content_.size();
  if (offset % 8 != 0 || bytes == 0 || offset >= end || bytes > end - offset) {
    bad_heap(at_, fmt::format("there is no string of {} bytes at offset {}", bytes, offset));
  }
  bytes = std::min(pad8(bytes), end - offset);
  const auto next = held->free_.lower_bound(offset);
  const bool runs_into_next = next != held->free_.end() && next->first < offset + bytes;
  const bool inside_before =
      next != held->free_.begin() && std::prev(next)->first + std::prev(next)->second > offset;
  if (runs_into_next || inside_before)
    bad_heap(at_, fmt::format("the string at offset {} is free already", offset));
  LocalHeapEntry& heap = store_.cache().edit(held);
  std::fill_n(heap.content_.begin() + static_cast<std::ptrdiff_t>(offset), bytes, std::byte{0});
  heap.add_free(offset, bytes);
  shrink(heap);
}

void LocalHeap::shrink(LocalHeapEntry& heap) {
  const std::uint64_t old_bytes = heap.content_.size();
  const auto last = std::prev(heap.free_.end());
  const auto [used, free_bytes] = *last;
  if (used + free_bytes != old_bytes || free_bytes <= old_bytes / 2) return;
  const std::uint64_t least =
      std::max(used + format::least_free_block_bytes(store_.widths()), least_shrunk_bytes);
  std::uint64_t new_bytes = old_bytes;
  while (pad8(new_bytes / 2) >= least && pad8(new_bytes / 2) < new_bytes) new_bytes = pad8(new_bytes / 2);
  if (new_bytes == old_bytes) return;

  Space& space = store_.space();
  const std::uint64_t prefix_bytes = format::local_heap_prefix_bytes(store_.widths());
  if (heap.data_ != at_ + prefix_bytes) {
    heap.data_ = space.shrink(SpaceKind::local_heap, heap.data_, old_bytes, new_bytes);
  } else if (prefix_bytes + old_bytes < space.page_bytes() || space.page_bytes() == 1) {
    space.release(SpaceKind::local_heap, heap.data_ + new_bytes, old_bytes - new_bytes);
  } else {
    return;  // pages of a large allocation are freed together
  }
  heap.drop_free(last);
  heap.content_.resize(new_bytes);
  heap.add_free(used, new_bytes - used);
}

void LocalHeap::destroy() {
  const auto held = entry();
  Space& space = store_.space();
  space.release(SpaceKind::local_heap, at_, format::local_heap_prefix_bytes(store_.widths()));
  if (!held->content_.empty()) space.release(SpaceKind::local_heap, held->data_, held->content_.size());
  store_.cache().forget(at_);
}

}  // namespace filigree::store
