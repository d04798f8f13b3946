// SPDX-License-Identifier: Apache-2.0
//
// The global heap: variable-length elements, region references and other loose objects of a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/global_heap.hpp"
#include "store/entry.hpp"

namespace filigree::store {

class FileStore;

struct GlobalHeapId {
  Address collection = Address::undefined;
  std::uint32_t index = 0;
  friend bool operator==(const GlobalHeapId&, const GlobalHeapId&) = default;
};

/// A collection in memory: its bytes as in the file, and where its objects stand.
class GlobalHeapCollection : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::global_heap;

  /// An empty collection of `bytes`, a multiple of 8.
  GlobalHeapCollection(const format::Widths& widths, std::uint64_t bytes);
  /// A collection read from the file at `where`. Throws Error(corrupt).
  GlobalHeapCollection(const format::Widths& widths, Buffer image, Address where);

  /// The content of object `index`; valid until the collection changes. Throws Error(corrupt) when it has
  /// no such object.
  Bytes content(std::uint32_t index) const;
  std::uint64_t bytes() const { return image_.size(); }
  std::size_t objects() const { return objects_.size(); }

  std::size_t memory_bytes() const override;
  void encode(Images& out) const override { out.push_back({address(), image_}); }

 private:
  friend class GlobalHeap;
  using Objects = std::vector<format::GlobalHeapObject>;
  Objects::const_iterator find(std::uint32_t index) const;
  std::uint64_t free_bytes() const { return image_.size() - free_offset_; }
  /// An index not in use, or 0 when there is none.
  std::uint16_t unused_index() const;
  void add(std::uint16_t index, Bytes object);
  void remove(Objects::const_iterator object);
  void extend(std::uint64_t bytes);
  /// Writes the header of object 0 over the free room, which becomes zero otherwise.
  void mark_free_room();

  format::Widths widths_;
  Buffer image_;
  Objects objects_;  ///< by index
  std::uint64_t free_offset_ = 0;
};

/// The global heap of one open file. Remembers which collections have room, so there is one object per
/// file. get() and collection() are thread-safe.
class GlobalHeap {
 public:
  explicit GlobalHeap(FileStore& store) : store_(store) {}

  /// For callers that read many objects of one collection: hold it, then use content().
  std::shared_ptr<const GlobalHeapCollection> collection(Address at) const;
  /// Throws Error(corrupt) when the collection or the object does not exist.
  Buffer get(Address collection, std::uint32_t index) const;
  Buffer get(const GlobalHeapId& id) const { return get(id.collection, id.index); }

  /// Stores `object`, which must not be empty, in a recent collection with room, an extended one, or a
  /// new one. Throws Error(limit) when the file's widths do not allow for it.
  GlobalHeapId insert(Bytes object);
  /// Throws Error(corrupt) when there is no such object. The last object takes its collection along.
  void remove(const GlobalHeapId& id);

 private:
  std::optional<GlobalHeapId> insert_in_room(std::uint64_t needed_bytes, Bytes object);
  std::optional<GlobalHeapId> insert_by_extension(std::uint64_t needed_bytes, Bytes object);
  GlobalHeapId insert_in_new(std::uint64_t needed_bytes, Bytes object);
  void remember(Address at, std::uint64_t free_bytes);
  void forget(Address at);

  struct Recent {
    Address at;
    std::uint64_t free_bytes;  ///< what the collection has left; 0 when it must not be filled further
  };

  FileStore& store_;
  std::vector<Recent> recent_;  ///< latest first
};

}  // namespace filigree::store
