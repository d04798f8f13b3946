// SPDX-License-Identifier: Apache-2.0
//
// Fractal heaps: where dense groups keep their links, objects their many attributes, and files their
// shared messages.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"

namespace filigree::format {
struct FractalHeapHeader;
struct HeapId;
}  // namespace filigree::format

namespace filigree::store {

class FileStore;
class HeapDirectEntry;
class HeapFreeSpace;
class HeapHeaderEntry;
class HeapIndirectEntry;
struct HeapBlockLocation;

/// What a new heap is made of.
struct FractalHeapShape {
  std::uint16_t id_bytes = 7;
  std::uint16_t table_width = 4;
  std::uint64_t start_block = 512;
  std::uint64_t max_direct = 65536;
  std::uint16_t max_bits = 32;
  std::uint16_t start_rows = 1;
  std::uint32_t max_managed = 4096;  ///< longer objects are stored on their own
  bool checksum_direct = true;

  static FractalHeapShape links() { return {}; }
  /// Also for shared messages.
  static FractalHeapShape attributes() { return {.id_bytes = 8, .start_block = 1024, .max_bits = 40}; }
};

/// One heap of a file. A cheap value; it keeps the heap's header in the cache. Objects are known by IDs of
/// id_bytes() bytes, which stay valid until the object is removed. Reading is safe on any number of
/// threads; changing needs the caller to be alone with the file.
///
/// Throws Error(corrupt) for IDs that lead nowhere. Heaps with filters can be read, not changed:
/// Error(unsupported).
class FractalHeap {
 public:
  /// Makes an empty heap and returns the address of its header. Throws Error(limit) for a shape that the
  /// format does not allow.
  static Address create(FileStore& store, const FractalHeapShape& shape);

  FractalHeap(FileStore& store, Address header);

  Address address() const;
  std::size_t id_bytes() const;
  /// Managed, huge and tiny objects together.
  std::uint64_t objects() const;
  const format::FractalHeapHeader& header() const;

  Buffer read(Bytes id) const;
  /// Shows the object without copying it when it lies in the heap's blocks. `see` must not change the heap.
  void read(Bytes id, FunctionRef<void(Bytes)> see) const;

  /// Stores `object` (at least one byte) and returns its ID.
  Buffer insert(Bytes object);
  /// Frees the object. A heap without managed objects gives all its blocks back.
  void remove(Bytes id);
  /// Replaces the object in place. False, and nothing is changed, when the sizes differ or the ID itself
  /// holds the object.
  bool overwrite(Bytes id, Bytes object);
  /// Frees all that the heap consists of. All handles to it are unusable afterwards.
  void destroy();

  /// The blocks that its root refers to, for FileStore::prefetch().
  std::vector<Address> first_blocks() const;
  /// For FileStore::prefetch() as well; undefined when there are no blocks.
  Address root_block() const;

  /// What the heap takes in the file, as its header counts blocks and huge objects. Reads the indirect
  /// blocks.
  std::uint64_t file_bytes() const;

  /// Walks the heap and throws Error(corrupt) when statistics, iterator, blocks and free space disagree.
  void check() const;

 private:
  struct Blocks;

  HeapHeaderEntry& edit();
  void require_changeable(std::string_view doing) const;
  HeapBlockLocation location_of(std::uint64_t offset) const;
  /// The block of a managed object, after checking that the object lies in its data.
  HeapBlockLocation location_of(const format::HeapId& id) const;
  void collect_blocks(Address at, unsigned rows, std::uint64_t offset, Blocks& out) const;
  Blocks blocks() const;

  // Managed objects
  std::uint64_t allocate(std::uint64_t bytes);
  void release_blocks();
  std::shared_ptr<const HeapFreeSpace> find_free_space() const;
  std::shared_ptr<const HeapFreeSpace> free_space();
  void settle_free_space(const std::shared_ptr<const HeapFreeSpace>& entry);
  void drop_free_space();

  // Growth: each adds one direct block whose room is free afterwards
  void add_block(std::uint64_t bytes, HeapFreeSpace& free);
  void add_root_direct(HeapFreeSpace& free);
  void add_root_indirect(std::uint64_t bytes);
  void grow_root(std::uint64_t bytes);
  bool add_at_iterator(std::uint64_t bytes, HeapFreeSpace& free);
  void fill_cell(const std::shared_ptr<const HeapIndirectEntry>& parent, unsigned cell, HeapFreeSpace& free);
  Address new_direct(std::uint64_t offset, std::uint64_t bytes, HeapFreeSpace& free);
  /// The indirect block that covers the heap from `block_offset`, or null.
  std::shared_ptr<const HeapIndirectEntry> find_indirect(std::uint64_t block_offset) const;
  std::shared_ptr<const HeapIndirectEntry> indirect_at(std::uint64_t block_offset) const;
  std::shared_ptr<const HeapIndirectEntry> child_of(const std::shared_ptr<const HeapIndirectEntry>& parent,
                                                    unsigned cell);

  // Huge objects
  struct Huge;
  Huge find_huge(const format::HeapId& id) const;
  Buffer insert_huge(Bytes object);
  std::uint64_t new_huge_key();
  void remove_huge(const format::HeapId& id);
  void destroy_huge();
  std::uint64_t huge_tree_bytes() const;

  FileStore* store_;
  std::shared_ptr<const HeapHeaderEntry> heap_;
};

}  // namespace filigree::store
