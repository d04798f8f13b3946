// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/global_heap.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

constexpr std::size_t most_candidates = 256;
// The limit up to which HDF5 lets collections grow. HDF5 moves the objects after one that it removes; larger
// collections would make that slow and save little.
constexpr std::uint64_t most_grown_bytes = 64u << 10;
constexpr std::uint64_t step_bytes = format::least_collection_bytes;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// Smaller free space is not searched for, and holes are not closed for it.
constexpr std::uint64_t least_useful_bytes(std::uint64_t collection_bytes) { return collection_bytes / 16; }

/// Whether an object fits, after packing if packing pays.
bool fits(const GlobalHeapCollection& in, std::uint64_t needed_bytes) {
  if (!in.has_unused_index()) return false;
  if (in.tail_bytes() >= needed_bytes) return true;
  return in.free_bytes() >= std::max(needed_bytes, least_useful_bytes(in.bytes()));
}

}  // namespace

GlobalHeap::GlobalHeap(FileStore& store)
    : store_(store),
      most_bytes_(
          std::min(most_grown_bytes, widest_word(store.widths().length_bytes) / step_bytes * step_bytes)) {}

std::shared_ptr<const GlobalHeapCollection> GlobalHeap::collection(Address at, bool* loaded) const {
  return store_.cache().get<GlobalHeapCollection>(at, [&] {
    const format::Widths& widths = store_.widths();
    const auto name = format::GlobalHeapHeader::structure;
    const std::size_t header_bytes = format::global_heap_header_bytes(widths);
    if (!is_valid(at) || store_.available(at) < header_bytes) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} at {}: the address is beyond the end of the file", name, to_string(at)));
    }
    if (removed_.contains(to_number(at)))
      throw Error(ErrorKind::corrupt, fmt::format("{} at {}: it has been freed", name, to_string(at)));
    const auto header =
        format::decode<format::GlobalHeapHeader>(store_.read(at, header_bytes, name), widths, at);
    if (loaded != nullptr) *loaded = true;
    return std::make_shared<GlobalHeapCollection>(widths, store_.read(at, header.collection_bytes, name), at);
  });
}

Buffer GlobalHeap::get(Address at, std::uint32_t index) const {
  const auto held = collection(at);
  const Bytes content = held->content(index);
  return {content.begin(), content.end()};
}

GlobalHeapId GlobalHeap::insert(Bytes object) {
  const std::uint64_t header_bytes = format::global_heap_header_bytes(store_.widths());
  const std::uint64_t most = widest_word(store_.widths().length_bytes);
  if (object.size() > most || 2 * header_bytes + pad8(object.size()) > most) {
    throw Error(ErrorKind::limit,
                fmt::format("an object of {} bytes does not fit the {} byte lengths of the file",
                            object.size(), store_.widths().length_bytes));
  }
  const std::uint64_t needed = header_bytes + pad8(object.size());
  inserted_bytes_ += needed;
  if (open_ != nullptr && fits(*open_, needed)) return add_to_open(needed, object);
  if (open_candidate(needed) || extend_open(needed)) return add_to_open(needed, object);
  open_new(needed);
  const GlobalHeapId id = add_to_open(needed, object);
  // An object with a collection of its own does not replace the open collection.
  if (open_->free_bytes() < least_useful_bytes(open_->bytes())) open_candidate(step_bytes / 16);
  return id;
}

GlobalHeapId GlobalHeap::add_to_open(std::uint64_t needed_bytes, Bytes object) {
  GlobalHeapCollection& edited = store_.cache().edit(open_);
  if (edited.tail_bytes() < needed_bytes) edited.pack();
  return {edited.address(), edited.add(object)};
}

/// Opens the collection with the most free space, if that is enough.
bool GlobalHeap::open_candidate(std::uint64_t needed_bytes) {
  while (!candidates_.empty()) {
    const auto best =
        std::max_element(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.free_bytes < b.free_bytes; });
    if (best->free_bytes < needed_bytes) return false;
    const Address at = best->at;
    *best = candidates_.back();
    candidates_.pop_back();
    Collection next = collection(at);
    if (!fits(*next, needed_bytes)) continue;
    set_open(std::move(next));
    return true;
  }
  return false;
}

bool GlobalHeap::extend_open(std::uint64_t needed_bytes) {
  if (open_ == nullptr || !open_->has_unused_index()) return false;
  const std::uint64_t bytes = open_->bytes();
  const std::uint64_t least = bytes + needed_bytes - std::min(needed_bytes, open_->free_bytes());
  std::uint64_t grown = std::max(least, std::min(2 * bytes, most_bytes_));
  if (grown > most_bytes_) {
    // One last object may exceed the limit, so that the free space before it is not lost.
    if (bytes > most_bytes_ || open_->free_bytes() == 0 || needed_bytes > most_bytes_ / 4) return false;
    if (least > widest_word(store_.widths().length_bytes)) return false;
    grown = least;
  }
  if (!store_.space().try_extend(SpaceKind::global_heap, open_->address(), bytes, grown - bytes))
    return false;
  store_.cache().edit(open_).resize(grown);
  return true;
}

void GlobalHeap::open_new(std::uint64_t needed_bytes) {
  const format::Widths& widths = store_.widths();
  std::uint64_t bytes = std::max(step_bytes, format::global_heap_header_bytes(widths) + needed_bytes);
  if (needed_bytes <= most_bytes_ / 4) {
    const std::uint64_t usual = inserted_bytes_ / 8 / step_bytes * step_bytes;
    bytes = std::max(bytes, std::min(usual, most_bytes_));
  }
  const Address at = store_.space().allocate(SpaceKind::global_heap, bytes);
  removed_.erase(to_number(at));
  set_open(store_.cache().insert(at, std::make_shared<GlobalHeapCollection>(widths, bytes)));
}

void GlobalHeap::set_open(Collection next) {
  if (open_ != nullptr) remember(*open_);
  open_ = std::move(next);
}

void GlobalHeap::release_unused() {
  if (open_ == nullptr) return;
  Space& space = store_.space();
  const std::uint64_t bytes = open_->bytes();
  const std::uint64_t keep = round_up(bytes - open_->free_bytes(), std::max(step_bytes, space.page_bytes()));
  const std::uint64_t end = to_number(open_->address()) + bytes;
  // The unused rest of an aggregator block may follow.
  if (keep >= bytes || end + step_bytes < space.allocated_until(open_->address())) return;
  space.release(SpaceKind::global_heap, open_->address() + keep, bytes - keep);
  store_.cache().edit(open_).resize(keep);
}

void GlobalHeap::remove(std::span<const GlobalHeapId> ids) {
  std::vector<GlobalHeapId> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Collection> touched;
  for (const GlobalHeapId& id : sorted) {
    if (touched.empty() || touched.back()->address() != id.collection)
      touched.push_back(collection(id.collection));
    (void)touched.back()->content(id.index);
  }
  auto id = sorted.begin();
  for (const Collection& held : touched) {
    GlobalHeapCollection& edited = store_.cache().edit(held);
    for (; id != sorted.end() && id->collection == held->address(); ++id) edited.remove(id->index);
    if (held->objects() == 0) {
      drop(held);
    } else if (held != open_) {
      remember(*held);
    }
  }
}

void GlobalHeap::drop(const Collection& empty) {
  const Address at = empty->address();
  store_.space().release(SpaceKind::global_heap, at, empty->bytes());
  removed_.insert(to_number(at));
  ++generation_;
  if (open_ == empty) open_.reset();
  forget_candidate(at);
  store_.cache().forget(at);
}

void GlobalHeap::forget_candidate(Address at) {
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.at == at; });
}

void GlobalHeap::remember(const GlobalHeapCollection& collection) {
  forget_candidate(collection.address());
  const std::uint64_t free = collection.free_bytes();
  if (free < least_useful_bytes(collection.bytes()) || !collection.has_unused_index()) return;
  if (candidates_.size() == most_candidates) {
    const auto fullest =
        std::min_element(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.free_bytes < b.free_bytes; });
    candidates_.erase(fullest);
  }
  candidates_.push_back({collection.address(), free});
}

}  // namespace filigree::store
