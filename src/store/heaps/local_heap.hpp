// SPDX-License-Identifier: Apache-2.0
//
// Local heaps: the names of links in an old-style group, or the file names of external storage.
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

/// A local heap in memory: the data segment and its free blocks. A pointer to it gives access to the strings
/// without copies, for callers that compare many of them.
class LocalHeapEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::local_heap;

  /// A heap that holds only the empty string, at offset 0.
  LocalHeapEntry(const format::Widths& widths, Address data, std::uint64_t data_bytes);
  /// A heap read from a file. A corrupt free list is ignored: its space is lost, but no string is.
  LocalHeapEntry(const format::Widths& widths, Address data, Buffer content, std::uint64_t free_head);

  /// The string at `offset`. *Throws* Error(corrupt) when it is not terminated. *Invalidates*: any change of
  /// the heap ends the validity of the result.
  std::string_view string_at(std::uint64_t offset) const;
  /// Compares `name`, which holds no NUL, with the string at `offset`, bytewise: negative, zero or positive.
  int compare(std::string_view name, std::uint64_t offset) const;

  Address data() const { return data_; }
  std::uint64_t data_bytes() const { return content_.size(); }
  /// Bytes of the prefix and the data segment in the file.
  std::uint64_t file_bytes() const;

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

 private:
  friend class LocalHeap;
  void read_free_list(std::uint64_t head);
  void add_free(std::uint64_t offset, std::uint64_t bytes);
  void drop_free(std::map<std::uint64_t, std::uint64_t>::iterator block);
  /// Allocates `bytes`, a multiple of 8, from a free block. Returns `no_space` when none fits. The rest of
  /// the block is large enough for the free list of the file, unless `any_rest` permits less.
  std::uint64_t allocate(std::uint64_t bytes, bool any_rest);
  static constexpr std::uint64_t no_space = ~std::uint64_t{0};

  format::Widths widths_;
  Address data_;
  Buffer content_;
  // Free blocks that are too small for the free list of the file are known only while the entry is in memory.
  std::map<std::uint64_t, std::uint64_t> free_;                     ///< offset to bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_by_size_;  ///< bytes, offset
};

/// A handle to the local heap at one address.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class LocalHeap {
 public:
  LocalHeap(FileStore& store, Address at) : store_(store), at_(at) {}

  /// Creates a heap whose data segment has at least `data_bytes_hint` bytes and follows the prefix directly.
  static Address create(FileStore& store, std::uint64_t data_bytes_hint);

  Address address() const { return at_; }
  std::shared_ptr<const LocalHeapEntry> entry() const;

  /// A copy of the string at `offset`. *Throws* Error(corrupt) when there is none.
  std::string get(std::uint64_t offset) const;
  /// Stores `text` and returns its offset, a multiple of 8. A full segment at least doubles, and may move.
  /// *Requires* that `text` holds no NUL. *Throws* Error(limit) when the segment cannot grow.
  std::uint64_t insert(std::string_view text);
  /// Removes a string of `bytes`, its NUL included. A segment that is more than half free at its end becomes
  /// smaller, and may move. *Throws* Error(corrupt) when that range is not in use.
  void remove(std::uint64_t offset, std::uint64_t bytes);
  /// Frees the space of the heap.
  void destroy();

 private:
  void grow(LocalHeapEntry& heap, std::uint64_t needed_bytes);
  void shrink(LocalHeapEntry& heap);

  FileStore& store_;
  Address at_;
};

}  // namespace filigree::store
