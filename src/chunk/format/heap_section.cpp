// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/heap_section.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/format/heap_set.hpp"

namespace filigree::chunk {
namespace {

using format::DatatypeMessage;
using format::TypeClass;

/// Before the payloads: the count of unused bytes.
constexpr std::size_t head_bytes = 4;
constexpr std::uint64_t uncounted = 0xffffffff;

[[noreturn]] void corrupt(std::string message) { throw Error(ErrorKind::corrupt, std::move(message)); }

Bytes payload(Bytes section, std::uint64_t offset, std::uint64_t bytes) {
  if (offset < head_bytes || offset > section.size() || bytes > section.size() - offset) {
    corrupt(fmt::format("a value of {} bytes at {} of a chunk's heap, which has {} bytes", bytes, offset,
                        section.size()));
  }
  return section.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
}

void check_flat_heap(Bytes heap) {
  if (heap.empty()) return;
  if (heap.size() < head_bytes) corrupt(fmt::format("a chunk's heap of {} bytes", heap.size()));
  const std::uint64_t unused = load_word(heap.data(), head_bytes);
  if (unused > heap.size() - head_bytes && unused != uncounted)
    corrupt(fmt::format("{} unused bytes in a chunk's heap of {}", unused, heap.size()));
}

}  // namespace

type::FileValues::Content HeapReader::fetch(const type::HeapObject& object) {
  const std::uint64_t offset = to_number(object.collection);
  if (object.index != 0) corrupt(fmt::format("a value in a chunk's heap has the index {}", object.index));
  payload(section_, offset, 0);
  return {section_.subspan(static_cast<std::size_t>(offset)), nullptr};
}

type::HeapObject HeapReader::store(Bytes) {
  throw Error(ErrorKind::internal, "a value was to be written to a chunk that is only read");
}

type::FileValues::Content HeapWriter::fetch(const type::HeapObject& object) {
  return HeapReader(section_, offset_bytes_).fetch(object);
}

std::uint64_t HeapWriter::allocate(std::size_t bytes) {
  const std::size_t offset = std::max(section_.size(), head_bytes);
  // All ones mean a missing value elsewhere.
  if (offset >= widest_word(offset_bytes_)) {
    throw Error(ErrorKind::limit,
                fmt::format("a chunk's heap of {} bytes; offsets have {} bytes", offset, offset_bytes_));
  }
  section_.resize(offset + bytes);
  return offset;
}

type::HeapObject HeapWriter::store(Bytes content) {
  const std::uint64_t offset = allocate(content.size());
  std::ranges::copy(content, section_.begin() + static_cast<std::ptrdiff_t>(offset));
  return {to_address(offset), 0};
}

/// Copies payloads from one heap to another and makes descriptors follow.
class VariableLayout::Rebuild {
 public:
  Rebuild(const VariableLayout& layout, Bytes from, Buffer& to)
      : layout_(layout), from_(from), heap_(to), to_(to, layout.offset_bytes_) {}
  /// Payloads are found in the set instead.
  void find_in(const HeapSet& set) { set_ = &set; }
  /// Payloads may have these bytes together.
  void limit(std::uint64_t bytes) { budget_ = bytes; }

  void run(Buffer& elements) {
    for (std::size_t at = 0; at < elements.size(); at += layout_.element_bytes_)
      parts(layout_.parts_, elements, at);
  }

 private:
  /// `at` is in `where`, which is the elements or the new heap, and may move.
  void parts(const std::vector<Part>& parts, Buffer& where, std::size_t at) {
    for (const Part& part : parts) {
      if (part.payload_bytes != 0) {
        descriptor(part, where, at + part.offset);
        continue;
      }
      for (std::size_t i = 0; i < part.count; ++i)
        this->parts(part.below, where, at + part.offset + i * part.stride);
    }
  }

  void descriptor(const Part& part, Buffer& where, std::size_t at) {
    const unsigned width = layout_.offset_bytes_;
    std::byte* const descriptor = where.data() + at;
    const std::uint64_t count = load_word(descriptor, 4);
    const std::uint64_t offset = load_word(descriptor + 4, width);
    const std::uint64_t index = load_word(descriptor + 4 + width, 4);
    if (offset == 0 || offset == widest_word(width)) {
      if (count != 0) corrupt(fmt::format("a missing value of {} elements", count));
      std::memset(descriptor, 0, 8u + width);
      return;
    }
    if (index != 0) corrupt(fmt::format("a value in a chunk's heap has the index {}", index));
    const std::uint64_t bytes = checked_multiply(count, part.payload_bytes, "the bytes of a value");
    if (bytes > budget_) corrupt("the values of a chunk have more bytes than its heap");
    budget_ -= bytes;
    const Bytes found = set_ != nullptr ? set_->payload(offset, bytes) : payload(from_, offset, bytes);
    const std::uint64_t moved = to_number(to_.store(found).collection);
    // The heap may be where the descriptor is.
    store_word(where.data() + at + 4, moved, width);
    if (part.below.empty()) return;
    for (std::uint64_t i = 0; i < count; ++i)
      parts(part.below, heap_, static_cast<std::size_t>(moved + i * part.payload_bytes));
  }

  const VariableLayout& layout_;
  Bytes from_;
  const HeapSet* set_ = nullptr;
  Buffer& heap_;
  HeapWriter to_;
  std::uint64_t budget_ = ~std::uint64_t{0};
};

/// Copies payloads from a trusted heap to a set and makes descriptors follow. Payloads are added after those
/// that they refer to.
class VariableLayout::ToSet {
 public:
  ToSet(const VariableLayout& layout, Bytes from) : layout_(layout), from_(from) {}

  Buffer run(Buffer& elements) {
    for (std::size_t at = 0; at < elements.size(); at += layout_.element_bytes_)
      parts(layout_.parts_, elements.data() + at);
    return set_.finish();
  }

 private:
  void parts(const std::vector<Part>& parts, std::byte* at) {
    for (const Part& part : parts) {
      if (part.payload_bytes != 0) {
        descriptor(part, at + part.offset);
        continue;
      }
      for (std::size_t i = 0; i < part.count; ++i)
        this->parts(part.below, at + part.offset + i * part.stride);
    }
  }

  void descriptor(const Part& part, std::byte* at) {
    const unsigned width = layout_.offset_bytes_;
    const std::uint64_t count = load_word(at, 4);
    const std::uint64_t offset = load_word(at + 4, width);
    if (offset == 0) return;
    const Bytes found = payload(from_, offset, count * part.payload_bytes);
    if (part.below.empty()) return store_word(at + 4, set_.add(found), width);
    Buffer content(found.begin(), found.end());
    for (std::uint64_t i = 0; i < count; ++i)
      parts(part.below, content.data() + static_cast<std::size_t>(i * part.payload_bytes));
    store_word(at + 4, set_.add(content), width);
  }

  const VariableLayout& layout_;
  Bytes from_;
  HeapSetWriter set_;
};

VariableLayout::VariableLayout(const DatatypeMessage& type) : element_bytes_(type.size) {
  add(type, 0, parts_);
  if (parts_.empty() || element_bytes_ == 0)
    throw Error(ErrorKind::unsupported, "a heap in chunks whose type has no parts of variable length");
}

void VariableLayout::add(const DatatypeMessage& type, std::size_t offset, std::vector<Part>& parts) {
  switch (type.type_class) {
    case TypeClass::compound:
      for (const auto& member : type.members)
        add(format::member_type(member), offset + member.byte_offset, parts);
      return;
    case TypeClass::array: {
      Part part{offset, 0, type.base.at(0).size, 0, {}};
      add(type.base.at(0), 0, part.below);
      if (part.below.empty()) return;
      part.count = part.stride == 0 ? 0 : type.size / part.stride;
      parts.push_back(std::move(part));
      return;
    }
    case TypeClass::variable_length: {
      const bool known = offset_bytes_ == 0 || offset_bytes_ + 8u == type.size;
      if (type.container != nullptr || type.size <= 8 || type.size > 16 || !known)
        throw Error(ErrorKind::corrupt, fmt::format("values of variable length of {} bytes", type.size));
      offset_bytes_ = static_cast<std::uint8_t>(type.size - 8);
      Part part{offset, 1, 0, type.base.empty() ? 1 : type.base.front().size, {}};
      if (part.payload_bytes == 0) throw Error(ErrorKind::corrupt, "a type of no bytes");
      if (!type.base.empty()) add(type.base.front(), 0, part.below);
      parts.push_back(std::move(part));
      return;
    }
    default:
      return;
  }
}

void VariableLayout::move_payloads(Buffer& elements, Bytes from, Buffer& to) const {
  Rebuild(*this, from, to).run(elements);
}

VariableCells VariableLayout::compact(Buffer elements, Bytes heap) const {
  VariableCells cells{std::move(elements), {}};
  move_payloads(cells.elements, heap, cells.heap);
  return cells;
}

VariableCells VariableLayout::encode_set(Buffer elements, Bytes heap) const {
  constexpr unsigned reference_bytes = 4;
  if (offset_bytes_ < reference_bytes) {
    throw Error(ErrorKind::limit,
                fmt::format("references to heap sets have {} bytes, but offsets in this file {}",
                            reference_bytes, offset_bytes_));
  }
  // Fill values share payloads; the compact form separates them.
  VariableCells flat = compact(std::move(elements), heap);
  flat.heap = ToSet(*this, flat.heap).run(flat.elements);
  return flat;
}

VariableCells VariableLayout::decode(Buffer elements, Bytes heap) const {
  if (elements.size() % element_bytes_ != 0)
    corrupt(fmt::format("{} bytes of elements of {}", elements.size(), element_bytes_));
  VariableCells cells{std::move(elements), {}};
  Rebuild work(*this, heap, cells.heap);
  std::optional<HeapSet> set;
  if (HeapSet::recognises(heap)) {
    set.emplace(heap);
    work.find_in(*set);
    work.limit(heap.size());
  } else {
    check_flat_heap(heap);
    work.limit(heap.empty() ? 0 : heap.size() - head_bytes);
  }
  work.run(cells.elements);
  return cells;
}

}  // namespace filigree::chunk
