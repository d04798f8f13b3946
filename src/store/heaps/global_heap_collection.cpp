// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/global_heap_collection.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"

namespace filigree::store {
namespace {

constexpr std::uint64_t most_offset = std::uint64_t{0xffffffff} * 8;

}  // namespace

GlobalHeapCollection::GlobalHeapCollection(const format::Widths& widths, std::uint64_t bytes)
    : Entry(entry_kind),
      widths_(widths),
      header_bytes_(static_cast<std::uint32_t>(format::global_heap_header_bytes(widths))),
      buffer_(std::make_shared<Buffer>()),
      free_offset_(header_bytes_) {
  // Many collections are extended once more for a last small object.
  buffer_->reserve(bytes + bytes / 64);
  buffer_->resize(bytes);
}

GlobalHeapCollection::GlobalHeapCollection(const format::Widths& widths, Buffer bytes, Address where)
    : Entry(entry_kind),
      widths_(widths),
      header_bytes_(static_cast<std::uint32_t>(format::global_heap_header_bytes(widths))),
      buffer_(std::make_shared<Buffer>(std::move(bytes))) {
  const auto layout = format::decode_global_heap(*buffer_, widths_, where);
  slots_.reserve(layout.objects.size());
  for (const format::GlobalHeapObject& object : layout.objects) {
    const std::uint64_t offset = object.offset - header_bytes_;
    if (offset > most_offset)
      throw Error(ErrorKind::limit,
                  fmt::format("global heap collection at {}: it is too large", to_string(where)));
    slots_.push_back({object.index, static_cast<std::uint32_t>(offset / 8)});
  }
  free_offset_ = layout.free_offset;
  std::fill(buffer_->begin() + static_cast<std::ptrdiff_t>(free_offset_), buffer_->end(), std::byte{0});
  const auto by_index = [](const Slot& a, const Slot& b) { return a.index < b.index; };
  if (!std::is_sorted(slots_.begin(), slots_.end(), by_index))
    std::sort(slots_.begin(), slots_.end(), by_index);
  fill_gaps();
}

/// Adds slots for unused indices unless there are many, so that find() needs no search.
void GlobalHeapCollection::fill_gaps() {
  if (slots_.empty() || slots_.back().index == slots_.size()) return;
  const std::size_t indices = slots_.back().index;
  if (indices > 2 * slots_.size() + 64) return;
  std::vector<Slot> all(indices);
  for (const Slot& slot : slots_) all[slot.index - 1u] = slot;
  for (std::size_t i = indices; i-- > 0;) {
    if (all[i].index != 0) continue;
    all[i].index = static_cast<std::uint16_t>(i + 1);
    free_indices_.push_back(all[i].index);
  }
  slots_ = std::move(all);
}

std::size_t GlobalHeapCollection::memory_bytes() const {
  return sizeof(*this) + buffer_->capacity() + slots_.capacity() * sizeof(Slot) +
         free_indices_.capacity() * 2;
}

const GlobalHeapCollection::Slot* GlobalHeapCollection::find_before(std::uint32_t index,
                                                                    std::size_t last) const {
  return std::lower_bound(slots_.data(), slots_.data() + last, index,
                          [](const Slot& slot, std::uint32_t wanted) { return slot.index < wanted; });
}

void GlobalHeapCollection::no_object(std::uint32_t index) const {
  throw Error(ErrorKind::corrupt,
              fmt::format("global heap collection at {}: it has no object {}", to_string(address()), index));
}

std::uint16_t GlobalHeapCollection::allocate_index(std::uint64_t offset) {
  const auto units = static_cast<std::uint32_t>(offset / 8);
  if (!free_indices_.empty()) {
    const std::uint16_t index = free_indices_.back();
    free_indices_.pop_back();
    const auto slot = std::lower_bound(slots_.begin(), slots_.end(), index,
                                       [](const Slot& s, std::uint16_t i) { return s.index < i; });
    slot->offset_units = units;
    return index;
  }
  if (slots_.empty() || slots_.back().index < most_objects) {
    const std::uint32_t index = slots_.empty() ? 1 : slots_.back().index + 1u;
    slots_.push_back({static_cast<std::uint16_t>(index), units});
    return slots_.back().index;
  }
  // Before the first gap, slot i has index i + 1.
  const auto gap = std::partition_point(slots_.begin(), slots_.end(), [&](const Slot& s) {
    return s.index == static_cast<std::size_t>(&s - slots_.data()) + 1;
  });
  const auto index = static_cast<std::uint16_t>(gap - slots_.begin() + 1);
  slots_.insert(gap, {index, units});
  return index;
}

std::uint16_t GlobalHeapCollection::add(Bytes object) {
  const std::uint64_t at = free_offset_;
  if (header_bytes_ + pad8(object.size()) > tail_bytes() || !has_unused_index() || at > most_offset)
    throw Error(ErrorKind::internal, "adding to a full global heap collection");
  const std::uint16_t index = allocate_index(at);
  std::byte* start = buffer_->data() + at;
  store_word(start, index, 2);
  store_word(start + 8, object.size(), widths_.length_bytes);
  if (!object.empty()) std::memcpy(start + header_bytes_, object.data(), object.size());
  free_offset_ = at + header_bytes_ + pad8(object.size());
  return index;
}

void GlobalHeapCollection::remove(std::uint32_t index) {
  Slot& slot = const_cast<Slot&>(get(index));
  const std::uint64_t offset = std::uint64_t{slot.offset_units} * 8;
  hole_bytes_ += header_bytes_ + pad8(object_bytes(offset));
  store_word(buffer_->data() + offset, 0, 2);
  slot.offset_units = 0;
  free_indices_.push_back(slot.index);
}

template <class Moved>
std::uint64_t GlobalHeapCollection::copy_packed(Buffer& to, Moved&& moved) const {
  std::uint64_t end = header_bytes_;
  for (std::uint64_t at = header_bytes_; at < free_offset_;) {
    const auto index = static_cast<std::uint16_t>(load_word(buffer_->data() + at, 2));
    const std::uint64_t bytes = header_bytes_ + pad8(object_bytes(at));
    if (index != 0) {
      std::memcpy(to.data() + end, buffer_->data() + at, bytes);
      moved(index, end);
      end += bytes;
    }
    at += bytes;
  }
  return end;
}

void GlobalHeapCollection::pack() {
  if (hole_bytes_ != 0) resize(bytes());
}

void GlobalHeapCollection::resize(std::uint64_t bytes) {
  if (hole_bytes_ == 0 && bytes <= buffer_->capacity()) {
    buffer_->resize(bytes);  // in place: contents stay where they are
    return;
  }
  auto packed = std::make_shared<Buffer>();
  packed->reserve(bytes + bytes / 64);
  packed->resize(bytes);
  if (hole_bytes_ == 0) {
    std::memcpy(packed->data(), buffer_->data(), free_offset_);
  } else {
    free_offset_ = copy_packed(*packed, [&](std::uint16_t index, std::uint64_t offset) {
      const_cast<Slot*>(find(index))->offset_units = static_cast<std::uint32_t>(offset / 8);
    });
    hole_bytes_ = 0;
  }
  buffer_ = std::move(packed);
}

void GlobalHeapCollection::encode(EncodedBlocks& out) const {
  Buffer header(header_bytes_);
  format::encode(format::GlobalHeapHeader{bytes()}, MutableBytes(header), widths_);
  out.push_back({address(), std::move(header)});
  const Address objects_at = to_address(to_number(address()) + header_bytes_);
  std::uint64_t end = free_offset_;
  if (hole_bytes_ == 0) {
    const Bytes objects = Bytes(*buffer_).subspan(header_bytes_, end - header_bytes_);
    if (!objects.empty()) out.push_back({objects_at, {}, objects, buffer_});
  } else {
    Buffer packed(bytes());
    end = copy_packed(packed, [](std::uint16_t, std::uint64_t) {});
    out.push_back({objects_at, Buffer(packed.begin() + static_cast<std::ptrdiff_t>(header_bytes_),
                                      packed.begin() + static_cast<std::ptrdiff_t>(end))});
  }
  if (end == bytes()) return;
  Buffer rest(bytes() - end);
  if (rest.size() >= header_bytes_)
    format::encode(format::GlobalHeapObjectHeader{0, 0, rest.size()}, MutableBytes(rest).first(header_bytes_),
                   widths_);
  out.push_back({to_address(to_number(address()) + end), std::move(rest)});
}

}  // namespace filigree::store
