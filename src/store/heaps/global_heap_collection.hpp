// SPDX-License-Identifier: Apache-2.0
//
// One collection of the global heap, as the metadata cache holds it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/heaps/global_heap.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

/// A collection: its bytes, and the offsets of its objects. Removing an object leaves a hole, which makes the
/// removal of many objects cheap. Holes are closed when their space is needed, and when the collection is
/// encoded.
class GlobalHeapCollection : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::global_heap;

  /// An empty collection of `bytes`, a multiple of 8.
  GlobalHeapCollection(const format::Widths& widths, std::uint64_t bytes);
  /// A collection whose bytes were read at `where`. *Throws* Error(corrupt).
  GlobalHeapCollection(const format::Widths& widths, Buffer bytes, Address where);

  bool has(std::uint32_t index) const { return find(index) != nullptr; }
  /// The bytes of an object. They are valid as long as buffer() is held. *Throws* Error(corrupt) when there
  /// is no object `index`.
  Bytes content(std::uint32_t index) const {
    const std::uint64_t offset = std::uint64_t{get(index).offset_units} * 8;
    return {buffer_->data() + offset + header_bytes_, object_bytes(offset)};
  }
  /// Keeps the bytes of objects valid: no object in this buffer moves or changes, even when the collection
  /// does.
  std::shared_ptr<const Buffer> buffer() const { return buffer_; }

  std::uint64_t bytes() const { return buffer_->size(); }
  std::size_t objects() const { return slots_.size() - free_indices_.size(); }
  /// Free bytes at the end, for objects and their headers.
  std::uint64_t tail_bytes() const { return buffer_->size() - free_offset_; }
  /// The same after pack().
  std::uint64_t free_bytes() const { return tail_bytes() + hole_bytes_; }
  bool has_unused_index() const { return objects() < most_objects; }

  /// Stores an object and returns its index. *Requires* tail_bytes() for the object and its header, and an
  /// unused index.
  std::uint16_t add(Bytes object);
  /// *Throws* Error(corrupt) when there is no object `index`.
  void remove(std::uint32_t index);
  /// Closes the holes.
  void pack();
  /// Changes the size of the collection. *Requires* that all objects fit.
  void resize(std::uint64_t bytes);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

 private:
  static constexpr std::size_t most_objects = 65535;
  /// An index, and the offset of its object's header in units of 8 bytes; 0 when the index is not in use.
  struct Slot {
    std::uint16_t index = 0;
    std::uint32_t offset_units = 0;
  };
  const Slot* find(std::uint32_t index) const {
    if (index == 0 || slots_.empty()) return nullptr;
    // Indices are distinct, ordered, and start at 1, so the slot is not after this one.
    const std::size_t last = std::min<std::size_t>(index, slots_.size()) - 1;
    const Slot* slot = slots_[last].index == index ? &slots_[last] : find_before(index, last);
    return slot->index == index && slot->offset_units != 0 ? slot : nullptr;
  }
  /// The first of the slots up to `last` whose index is not less.
  const Slot* find_before(std::uint32_t index, std::size_t last) const;
  const Slot& get(std::uint32_t index) const {
    const Slot* slot = find(index);
    if (slot == nullptr) no_object(index);
    return *slot;
  }
  [[noreturn]] void no_object(std::uint32_t index) const;
  /// Allocates an index for the object at `offset`.
  std::uint16_t allocate_index(std::uint64_t offset);
  void fill_gaps();
  /// Copies all objects, without holes, to the start of `to`; returns where they end. Calls `moved` with the
  /// index and the new offset of each object.
  template <class Moved>
  std::uint64_t copy_packed(Buffer& to, Moved&& moved) const;
  std::uint64_t object_bytes(std::uint64_t offset) const {
    return format::global_heap_object_bytes(buffer_->data() + offset, widths_);
  }

  format::Widths widths_;
  std::uint32_t header_bytes_;  ///< of the collection and of each object
  // Bytes from free_offset_ on are zero. The header of a hole has index 0. encode() makes the headers of the
  // collection and of its free space.
  std::shared_ptr<Buffer> buffer_;
  std::vector<Slot> slots_;                  ///< by index
  std::vector<std::uint16_t> free_indices_;  ///< those of slots without an object
  std::uint64_t free_offset_ = 0;
  std::uint64_t hole_bytes_ = 0;
};

}  // namespace filigree::store
