// SPDX-License-Identifier: Apache-2.0
#include "model/heap/file_values.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "model/file/file.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"

namespace filigree::model {

HeapFileValues::HeapFileValues(File& file, std::uint64_t elements)
    : store_(file.store()),
      heap_(file.global_heap()),
      offset_bytes_(store_.widths().offset_bytes),
      elements_(elements),
      generation_(heap_.generation()) {}

HeapFileValues::~HeapFileValues() {
  if (!stored_) return;
  try {
    heap_.release_unused();
  } catch (const Error&) {
    // The space stays in the heap for later values.
  }
}

HeapFileValues::Content HeapFileValues::fetch(const type::HeapObject& object) {
  const store::GlobalHeapCollection& in = collection(object.collection);
  const Bytes bytes = in.content(object.index);
  if (!budget_) budget_.emplace(store_, elements_);
  budget_->spend(bytes.size());
  return {bytes, in.buffer()};
}

type::HeapObject HeapFileValues::store(Bytes content) {
  stored_ = true;
  const store::GlobalHeapId id = heap_.insert(content);
  return {id.collection, id.index};
}

const store::GlobalHeapCollection& HeapFileValues::collection(Address at) {
  if (generation_ != heap_.generation()) {
    recent_ = {};
    extents_.clear();
    generation_ = heap_.generation();
  }
  // Collections are mostly multiples of 4096 bytes apart, and grow to 16 times that.
  const std::uint64_t number = to_number(at) >> 12;
  Recent& recent = recent_[(number ^ number >> 4) % recent_.size()];
  if (recent.at != at || recent.collection == nullptr) {
    bool loaded = false;
    Collection found = heap_.collection(at, &loaded);
    if (loaded) require_apart(at, found->bytes());
    recent = {at, std::move(found)};
  }
  return *recent.collection;
}

/// A malicious file could name overlapping collections at every eighth byte, each as long as the file.
void HeapFileValues::require_apart(Address at, std::uint64_t bytes) {
  const std::uint64_t start = to_number(at);
  const auto next = extents_.upper_bound(start);
  const bool meets_next = next != extents_.end() && next->first < start + bytes;
  const bool meets_previous =
      next != extents_.begin() && std::prev(next)->first != start && std::prev(next)->second > start;
  if (meets_next || meets_previous)
    throw Error(ErrorKind::corrupt,
                fmt::format("global heap collection at {}: it overlaps another one", to_string(at)));
  extents_.insert_or_assign(start, start + bytes);
}

}  // namespace filigree::model
