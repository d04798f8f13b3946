// SPDX-License-Identifier: Apache-2.0
#include "store/global_heap.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec.hpp"
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

constexpr std::size_t most_recent = 16;
// Removing an object moves what follows it, so collections do not grow without end.
constexpr std::uint64_t most_extended_bytes = 64u << 10;

void write_header(Buffer& image, const format::Widths& widths) {
  format::encode(format::GlobalHeapHeader{image.size()},
                 MutableBytes(image).first(format::global_heap_header_bytes(widths)), widths);
}

}  // namespace

GlobalHeapCollection::GlobalHeapCollection(const format::Widths& widths, std::uint64_t bytes)
    : Entry(entry_kind),
      widths_(widths),
      image_(bytes),
      free_offset_(format::global_heap_header_bytes(widths)) {
  write_header(image_, widths_);
  mark_free_room();
}

GlobalHeapCollection::GlobalHeapCollection(const format::Widths& widths, Buffer image, Address where)
    : Entry(entry_kind), widths_(widths), image_(std::move(image)) {
  auto layout = format::decode_global_heap(image_, widths_, where);
  objects_ = std::move(layout.objects);
  free_offset_ = layout.free_offset;
  const auto by_index = [](const auto& a, const auto& b) { return a.index < b.index; };
  if (!std::is_sorted(objects_.begin(), objects_.end(), by_index)) {
    std::sort(objects_.begin(), objects_.end(), by_index);
  }
}

std::size_t GlobalHeapCollection::memory_bytes() const {
  return sizeof(*this) + image_.size() + objects_.capacity() * sizeof(format::GlobalHeapObject);
}

GlobalHeapCollection::Objects::const_iterator GlobalHeapCollection::find(std::uint32_t index) const {
  const auto found = std::partition_point(objects_.begin(), objects_.end(),
                                          [&](const auto& object) { return object.index < index; });
  if (found == objects_.end() || found->index != index) {
    throw Error(ErrorKind::corrupt, fmt::format("global heap collection at {}: it has no object {}",
                                                to_string(address()), index));
  }
  return found;
}

Bytes GlobalHeapCollection::content(std::uint32_t index) const {
  const auto object = find(index);
  return Bytes(image_).subspan(object->offset, object->bytes);
}

std::uint16_t GlobalHeapCollection::unused_index() const {
  if (objects_.empty()) return 1;
  if (objects_.back().index < 65535) return static_cast<std::uint16_t>(objects_.back().index + 1);
  // Indices are distinct and ordered, so up to the first gap object i has index i + 1.
  std::size_t low = 0;
  std::size_t high = objects_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (objects_[middle].index == middle + 1) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < 65535 ? static_cast<std::uint16_t>(low + 1) : 0;
}

void GlobalHeapCollection::mark_free_room() {
  std::fill(image_.begin() + static_cast<std::ptrdiff_t>(free_offset_), image_.end(), std::byte{0});
  const std::size_t header_bytes = format::global_heap_header_bytes(widths_);
  if (free_bytes() < header_bytes) return;
  format::encode(format::GlobalHeapObjectHeader{0, 0, free_bytes()},
                 MutableBytes(image_).subspan(free_offset_, header_bytes), widths_);
}

void GlobalHeapCollection::add(std::uint16_t index, Bytes object) {
  const std::size_t header_bytes = format::global_heap_header_bytes(widths_);
  const std::uint64_t at = free_offset_;
  format::encode(format::GlobalHeapObjectHeader{index, 0, object.size()},
                 MutableBytes(image_).subspan(at, header_bytes), widths_);
  const auto content = image_.begin() + static_cast<std::ptrdiff_t>(at + header_bytes);
  free_offset_ = at + header_bytes + pad8(object.size());
  std::fill(std::copy(object.begin(), object.end(), content),
            image_.begin() + static_cast<std::ptrdiff_t>(free_offset_), std::byte{0});
  if (free_bytes() >= header_bytes) {
    format::encode(format::GlobalHeapObjectHeader{0, 0, free_bytes()},
                   MutableBytes(image_).subspan(free_offset_, header_bytes), widths_);
  }
  const auto place = std::partition_point(objects_.begin(), objects_.end(),
                                          [&](const auto& other) { return other.index < index; });
  objects_.insert(place, {index, at + header_bytes, object.size()});
}

void GlobalHeapCollection::remove(Objects::const_iterator object) {
  const std::uint64_t start = object->offset - format::global_heap_header_bytes(widths_);
  const std::uint64_t end = object->offset + pad8(object->bytes);
  const auto position = [&](std::uint64_t offset) {
    return image_.begin() + static_cast<std::ptrdiff_t>(offset);
  };
  std::copy(position(end), position(free_offset_), position(start));
  objects_.erase(object);
  for (auto& other : objects_) {
    if (other.offset > start) other.offset -= end - start;
  }
  free_offset_ -= end - start;
  mark_free_room();
}

void GlobalHeapCollection::extend(std::uint64_t bytes) {
  image_.resize(bytes);
  write_header(image_, widths_);
  mark_free_room();
}

std::shared_ptr<const GlobalHeapCollection> GlobalHeap::collection(Address at) const {
  return store_.cache().get<GlobalHeapCollection>(at, [&] {
    const format::Widths& widths = store_.widths();
    const auto name = format::GlobalHeapHeader::structure;
    const Buffer start = store_.read(at, format::global_heap_header_bytes(widths), name);
    const auto header = format::decode<format::GlobalHeapHeader>(start, widths, at);
    return std::make_shared<GlobalHeapCollection>(widths, store_.read(at, header.collection_bytes, name), at);
  });
}

Buffer GlobalHeap::get(Address at, std::uint32_t index) const {
  const auto held = collection(at);
  const Bytes content = held->content(index);
  return {content.begin(), content.end()};
}

GlobalHeapId GlobalHeap::insert(Bytes object) {
  if (object.empty()) throw Error(ErrorKind::invalid_argument, "the global heap holds no empty objects");
  const std::uint64_t header_bytes = format::global_heap_header_bytes(store_.widths());
  const std::uint64_t needed = header_bytes + pad8(object.size());
  if (header_bytes + needed > widest_word(store_.widths().length_bytes)) {
    throw Error(ErrorKind::limit,
                fmt::format("an object of {} bytes does not fit the {} byte lengths of the file",
                            object.size(), store_.widths().length_bytes));
  }
  if (const auto id = insert_in_room(needed, object)) return *id;
  if (const auto id = insert_by_extension(needed, object)) return *id;
  return insert_in_new(needed, object);
}

std::optional<GlobalHeapId> GlobalHeap::insert_in_room(std::uint64_t needed_bytes, Bytes object) {
  for (auto recent = recent_.begin(); recent != recent_.end(); ++recent) {
    if (recent->free_bytes < needed_bytes) continue;
    const auto held = collection(recent->at);
    const std::uint16_t index = held->free_bytes() >= needed_bytes ? held->unused_index() : 0;
    if (index == 0) {
      recent->free_bytes = 0;
      continue;
    }
    store_.cache().edit(held).add(index, object);
    recent->free_bytes = held->free_bytes();
    std::rotate(recent_.begin(), recent, std::next(recent));
    return GlobalHeapId{held->address(), index};
  }
  return std::nullopt;
}

std::optional<GlobalHeapId> GlobalHeap::insert_by_extension(std::uint64_t needed_bytes, Bytes object) {
  for (const Recent& recent : recent_) {
    const auto held = collection(recent.at);
    const std::uint64_t old_bytes = held->bytes();
    const std::uint64_t extra =
        std::max(old_bytes, needed_bytes - std::min(needed_bytes, held->free_bytes()));
    const std::uint64_t most = std::min(most_extended_bytes, widest_word(store_.widths().length_bytes));
    if (old_bytes > most || extra > most - old_bytes) continue;
    const std::uint16_t index = held->unused_index();
    if (index == 0 || !store_.space().try_extend(SpaceKind::global_heap, recent.at, old_bytes, extra))
      continue;
    GlobalHeapCollection& edited = store_.cache().edit(held);
    edited.extend(old_bytes + extra);
    edited.add(index, object);
    remember(held->address(), held->free_bytes());
    return GlobalHeapId{held->address(), index};
  }
  return std::nullopt;
}

GlobalHeapId GlobalHeap::insert_in_new(std::uint64_t needed_bytes, Bytes object) {
  const format::Widths& widths = store_.widths();
  const std::uint64_t bytes =
      std::max(format::least_collection_bytes, format::global_heap_header_bytes(widths) + needed_bytes);
  const Address at = store_.space().allocate(SpaceKind::global_heap, bytes);
  auto made = std::make_shared<GlobalHeapCollection>(widths, bytes);
  made->add(1, object);
  remember(at, made->free_bytes());
  store_.cache().insert(at, std::move(made));
  return {at, 1};
}

void GlobalHeap::remove(const GlobalHeapId& id) {
  const auto held = collection(id.collection);
  const auto object = held->find(id.index);
  if (held->objects() == 1) {
    store_.space().release(SpaceKind::global_heap, id.collection, held->bytes());
    store_.cache().forget(id.collection);
    forget(id.collection);
    return;
  }
  store_.cache().edit(held).remove(object);
  remember(id.collection, held->free_bytes());
}

void GlobalHeap::forget(Address at) {
  std::erase_if(recent_, [&](const Recent& recent) { return recent.at == at; });
}

void GlobalHeap::remember(Address at, std::uint64_t free_bytes) {
  const auto known =
      std::find_if(recent_.begin(), recent_.end(), [&](const Recent& recent) { return recent.at == at; });
  if (known != recent_.end()) {
    known->free_bytes = free_bytes;
    return;
  }
  // The one with the least room makes place, be it the new one.
  if (recent_.size() == most_recent) {
    const auto fullest =
        std::min_element(recent_.begin(), recent_.end(),
                         [](const Recent& a, const Recent& b) { return a.free_bytes < b.free_bytes; });
    recent_.erase(fullest);
  }
  recent_.insert(recent_.begin(), {at, free_bytes});
}

}  // namespace filigree::store
