// SPDX-License-Identifier: Apache-2.0
//
// The strings of an old-style group, or of a list of external files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// A local heap in memory: the data segment and which parts of it are free. A pointer to one gives
/// access to strings in place, for callers that compare many.
class LocalHeapEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::local_heap;

  /// A heap with nothing in use but the empty string at offset 0.
  LocalHeapEntry(const format::Widths& widths, Address data, std::uint64_t data_bytes);
  /// A heap read from a file. A free list that makes no sense is ignored: its room is lost, the
  /// strings are not.
  LocalHeapEntry(const format::Widths& widths, Address data, Buffer content, std::uint64_t free_head);

  /// The string at `offset`; valid until the heap changes. Throws Error(corrupt) when it has no end.
  std::string_view text(std::uint64_t offset) const;
  /// Negative, zero or positive as `name`, which holds no NUL, is below, equal to or above the string at
  /// `offset`, bytewise. Reads no further than it must.
  int compare(std::string_view name, std::uint64_t offset) const;

  Address data() const { return data_; }
  std::uint64_t data_bytes() const { return content_.size(); }
  /// What prefix and data take in the file.
  std::uint64_t file_bytes() const;

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

 private:
  friend class LocalHeap;
  void read_free_list(std::uint64_t head);
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void drop_free(std::map<std::uint64_t, std::uint64_t>::iterator block);
  /// Takes `bytes` (a multiple of 8) from a free block; no_room when none fits. What stays of the
  /// block is large enough for the free list of the file, unless `any_rest` allows for less.
  std::uint64_t allocate(std::uint64_t bytes, bool any_rest);
  static constexpr std::uint64_t no_room = ~std::uint64_t{0};

  format::Widths widths_;
  Address data_;
  Buffer content_;
  // Holes too small for the free list of the file are kept here while the entry is in memory.
  std::map<std::uint64_t, std::uint64_t> free_;                     ///< offset to bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_by_size_;  ///< bytes, offset
};

/// A handle on the local heap at one address.
class LocalHeap {
 public:
  LocalHeap(FileStore& store, Address at) : store_(store), at_(at) {}

  /// Makes a heap whose segment holds at least `data_bytes_hint` and stands directly behind the prefix.
  static Address create(FileStore& store, std::uint64_t data_bytes_hint);

  Address address() const { return at_; }
  std::shared_ptr<const LocalHeapEntry> entry() const;

  /// The string at `offset`. Throws Error(corrupt) when the segment has none there.
  std::string get(std::uint64_t offset) const;
  /// Stores `text`, which must hold no NUL, and returns its offset, a multiple of 8. The segment at
  /// least doubles when it is full, and may move. Throws Error(limit) when it cannot grow.
  std::uint64_t insert(std::string_view text);
  /// Frees what insert() took for a string of `bytes` with its NUL. Throws Error(corrupt) when that
  /// is not in use.
  void remove(std::uint64_t offset, std::uint64_t bytes);
  /// Gives back all space.
  void destroy();

 private:
  void grow(LocalHeapEntry& heap, std::uint64_t needed_bytes);

  FileStore& store_;
  Address at_;
};

}  // namespace filigree::store
