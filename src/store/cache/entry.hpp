// SPDX-License-Identifier: Apache-2.0
//
// A decoded on-disk structure as the metadata cache holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "io/extent.hpp"
#include "store/cache/entry_kind.hpp"

namespace filigree::store {

class FileStore;

/// The serialised bytes of one block of a structure, and the address where they are written.
struct EncodedBlock {
  Address at = Address::undefined;
  Buffer bytes;
  /// Used instead of `bytes` when the bytes need not be copied. Without an owner they belong to the entry,
  /// which does not change before they are written.
  Bytes shared{};
  std::shared_ptr<const void> owner{};
  /// Set by the cache, from the kind of the entry.
  io::MemoryType type = io::MemoryType::unspecified;

  Bytes content() const { return shared.data() != nullptr ? shared : Bytes(bytes); }
};
using EncodedBlocks = std::vector<EncodedBlock>;

/// A decoded structure. A structure of several blocks (an object header and its continuation blocks, a local
/// heap and its data) is one entry, cached under the address of its first block.
///
/// A class T derived from Entry has `static constexpr EntryKind entry_kind`.
class Entry {
 public:
  explicit Entry(EntryKind kind) : kind_(kind) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  virtual ~Entry() = default;

  EntryKind kind() const { return kind_; }
  Address address() const { return address_; }
  bool dirty() const { return dirty_; }
  /// Whether the file holds a version of this structure at this address, which an SWMR reader may be reading.
  bool in_file() const { return in_file_; }

  /// What the entry is charged to the budget of the cache: an estimate of its memory.
  virtual std::size_t memory_bytes() const = 0;
  /// Appends the blocks that bring the file up to date with this entry; the first block leads to the others.
  virtual void encode(EncodedBlocks& out) const = 0;
  /// Called before the entry is edited. An entry that caches values derived from its contents drops them
  /// here.
  virtual void before_edit() {}

  /// Allocates and frees file space so that it fits what encode() will append. Called for dirty entries
  /// before a flush; encode() itself must not change the space of the file. Requires `allocates_for_flush` in
  /// the row of the kind.
  virtual void allocate_for_flush(FileStore&) {}
  /// Moves the changed blocks below this entry that SWMR readers may know to new addresses. Called for dirty
  /// entries before a flush. Requires `moves_for_swmr_readers` in the row of the kind.
  virtual void move_for_swmr_readers(FileStore&) {}

 private:
  friend class MetadataCache;
  const EntryKind kind_;
  bool dirty_ = false;
  bool in_file_ = false;
  Address address_ = Address::undefined;
  bool used_ = false;  ///< since the clock hand last passed
  std::size_t charged_bytes_ = 0;
  std::size_t clock_index_ = 0;  ///< in MetadataCache::clock_
};

}  // namespace filigree::store
