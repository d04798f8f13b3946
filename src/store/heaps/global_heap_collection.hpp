// SPDX-License-Identifier: Apache-2.0
//
// One collection of the global heap in memory.
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

/// A collection: its bytes, and where its objects stand in them. Removing leaves a hole, so that many objects
/// go at little cost; holes are closed when their room is wanted, and in what goes to the file.
class GlobalHeapCollection : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::global_heap;

  /// An empty collection of `bytes`, a multiple of 8.
  GlobalHeapCollection(const format::Widths& widths, std::uint64_t bytes);
  /// A collection read from the file at `where`. Throws Error(corrupt).
  GlobalHeapCollection(const format::Widths& widths, Buffer bytes, Address where);

  bool has(std::uint32_t index) const { return find(index) != nullptr; }
  /// Throws Error(corrupt) when there is no object `index`. Valid as long as buffer() is held.
  Bytes content(std::uint32_t index) const {
    const std::uint64_t offset = std::uint64_t{get(index).place} * 8;
    return {buffer_->data() + offset + header_bytes_, object_bytes(offset)};
  }
  /// Keeps contents as they are: none in this buffer ever moves or changes, even when the collection does.
  std::shared_ptr<const Buffer> buffer() const { return buffer_; }

  std::uint64_t bytes() const { return buffer_->size(); }
  std::size_t objects() const { return slots_.size() - free_indices_.size(); }
  /// Room for objects and their headers at the end.
  std::uint64_t tail_bytes() const { return buffer_->size() - free_offset_; }
  /// The same after pack().
  std::uint64_t room_bytes() const { return tail_bytes() + hole_bytes_; }
  bool has_unused_index() const { return objects() < most_objects; }

  /// Stores an object for which there is room and an index, and returns that index.
  std::uint16_t add(Bytes object);
  /// Throws Error(corrupt) when there is no object `index`.
  void remove(std::uint32_t index);
  void pack();
  /// Keeps all objects; for fewer bytes there must be room.
  void resize(std::uint64_t bytes);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

 private:
  static constexpr std::size_t most_objects = 65535;
  /// An index, and where its object's header stands in units of 8 bytes; 0 when the index is not in use.
  struct Slot {
    std::uint16_t index = 0;
    std::uint32_t place = 0;
  };
  const Slot* find(std::uint32_t index) const {
    if (index == 0 || slots_.empty()) return nullptr;
    // Indices are distinct, ordered, and start at 1, so none stands after this place.
    const std::size_t last = std::min<std::size_t>(index, slots_.size()) - 1;
    const Slot* slot = slots_[last].index == index ? &slots_[last] : find_before(index, last);
    return slot->index == index && slot->place != 0 ? slot : nullptr;
  }
  /// The first slot up to place `last` whose index is not less.
  const Slot* find_before(std::uint32_t index, std::size_t last) const;
  const Slot& get(std::uint32_t index) const {
    const Slot* slot = find(index);
    if (slot == nullptr) no_object(index);
    return *slot;
  }
  [[noreturn]] void no_object(std::uint32_t index) const;
  /// The slot of an index that is not in use, placed at `offset`.
  std::uint16_t take_index(std::uint64_t offset);
  void fill_gaps();
  /// Copies all objects, without holes, to the start of `to`; returns where they end. `moved` sees the index
  /// and the new offset of each.
  template <class Moved>
  std::uint64_t copy_packed(Buffer& to, Moved&& moved) const;
  std::uint64_t object_bytes(std::uint64_t offset) const {
    return format::global_heap_object_bytes(buffer_->data() + offset, widths_);
  }

  format::Widths widths_;
  std::uint32_t header_bytes_;  ///< of the collection and of each object
  // Bytes past free_offset_ are zero. A hole's header has index 0. The collection's own header and that of
  // the free room are made in encode().
  std::shared_ptr<Buffer> buffer_;
  std::vector<Slot> slots_;                  ///< by index
  std::vector<std::uint16_t> free_indices_;  ///< those of slots without an object
  std::uint64_t free_offset_ = 0;
  std::uint64_t hole_bytes_ = 0;
};

}  // namespace filigree::store
