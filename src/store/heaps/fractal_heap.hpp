// SPDX-License-Identifier: Apache-2.0
//
// Fractal heaps: they store the links of dense groups, densely stored attributes, and shared messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "store/space/space.hpp"

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

/// The creation parameters of a heap (HDF5 File Format Specification, section "Fractal Heap").
struct FractalHeapShape {
  std::uint16_t id_bytes = 7;
  std::uint16_t table_width = 4;
  std::uint64_t start_block = 512;
  std::uint64_t max_direct = 65536;
  std::uint16_t max_bits = 32;
  std::uint16_t start_rows = 1;
  std::uint32_t max_managed = 4096;  ///< longer objects are huge objects, outside of the heap's blocks
  bool checksum_direct = true;
  Buffer pipeline{};  ///< body of a filter pipeline message; empty for a heap without filters

  static FractalHeapShape links() { return {}; }
  /// For attributes and shared messages.
  static FractalHeapShape attributes() { return {.id_bytes = 8, .start_block = 1024, .max_bits = 40}; }
};

/// One heap of a file: a cheap value that keeps the header of the heap in the cache. An object has an ID of
/// id_bytes() bytes, which is valid until the object is removed.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file. *Throws* Error(corrupt) for IDs without an object.
class FractalHeap {
 public:
  /// Creates an empty heap and returns the address of its header. *Throws* Error(limit) for parameters that
  /// the format does not permit, and Error if a mandatory filter is not available.
  static Address create(FileStore& store, const FractalHeapShape& shape);

  FractalHeap(FileStore& store, Address header);

  Address address() const;
  std::size_t id_bytes() const;
  /// The number of managed, huge and tiny objects.
  std::uint64_t objects() const;
  const format::FractalHeapHeader& header() const;

  Buffer read(Bytes id) const;
  /// Calls `use` with the object, without a copy if it is in a block of the heap. `use` must not change the
  /// heap.
  void read(Bytes id, FunctionRef<void(Bytes)> use) const;

  /// Stores `object` (at least one byte) and returns its ID.
  Buffer insert(Bytes object);
  /// Removes the object. Blocks without objects are freed.
  void remove(Bytes id);
  /// Replaces the object in place. Returns false, changing nothing, when the sizes differ or the object is
  /// stored in its ID (a tiny object) or filtered on its own (a huge object).
  bool overwrite(Bytes id, Bytes object);
  /// Frees the header, the blocks and the huge objects. *Invalidates* all handles to the heap.
  void destroy();

  /// Called by blocks before a flush. Gives a block space, and records its address, stored size and filter
  /// mask in the block or header that refers to it.
  void allocate_direct(HeapDirectEntry& block, std::uint64_t bytes, std::uint32_t filter_mask);
  void allocate_indirect(HeapIndirectEntry& block);

  /// The blocks that the root block refers to, for FileStore::prefetch().
  std::vector<Address> first_blocks() const;
  /// The root block, for FileStore::prefetch(); undefined when there are no blocks.
  Address root_block() const;

  /// Bytes of the heap in the file, as its header counts blocks and huge objects. Reads the indirect blocks.
  std::uint64_t file_bytes() const;

  /// Walks the heap. *Throws* Error(corrupt) when statistics, iterator, blocks and free space are
  /// inconsistent.
  void check() const;

 private:
  struct Blocks;

  HeapHeaderEntry& edit();
  HeapBlockLocation location_of(std::uint64_t offset) const;
  /// The block of a managed object. *Throws* Error(corrupt) when the object is not inside of its data.
  HeapBlockLocation location_of(const format::HeapId& id) const;
  void collect_blocks(Address at, unsigned rows, std::uint64_t offset, Blocks& out) const;
  Blocks blocks() const;

  // Managed objects
  /// Allocates heap space for a managed object; adds blocks as necessary. Returns its heap offset.
  std::uint64_t allocate(std::uint64_t bytes);
  /// Frees all blocks and the free-space manager of a heap without managed objects.
  void release_blocks();
  /// The address of a new block: temporary, or of new space.
  Address new_address(SpaceKind kind, std::uint64_t bytes);
  void release_direct(const HeapBlockLocation& block);
  void release_indirect(Address at, std::uint64_t bytes);
  std::shared_ptr<const HeapFreeSpace> find_free_space() const;
  std::shared_ptr<const HeapFreeSpace> free_space();
  /// Adapts the stored free-space manager after a change of `entry`.
  void update_free_space(const std::shared_ptr<const HeapFreeSpace>& entry);
  void drop_free_space();

  // Growth: each function adds one direct block, whose data is free space afterwards
  void add_block(std::uint64_t bytes, HeapFreeSpace& free);
  void add_root_direct(HeapFreeSpace& free);
  void add_root_indirect(std::uint64_t bytes);
  void grow_root(std::uint64_t bytes);
  bool add_at_iterator(std::uint64_t bytes, HeapFreeSpace& free);
  void fill_cell(const std::shared_ptr<const HeapIndirectEntry>& parent, unsigned cell, HeapFreeSpace& free);
  Address new_direct(std::uint64_t offset, std::uint64_t bytes, HeapFreeSpace& free);
  /// The indirect block that covers the heap from `block_offset` on, or null.
  std::shared_ptr<const HeapIndirectEntry> find_indirect(std::uint64_t block_offset) const;
  std::shared_ptr<const HeapIndirectEntry> indirect_at(std::uint64_t block_offset) const;
  std::shared_ptr<const HeapIndirectEntry> child_of(const std::shared_ptr<const HeapIndirectEntry>& parent,
                                                    unsigned cell);

  // Shrinking
  struct CellLocation;
  /// The cell of the direct block that covers `offset`. *Requires* a root indirect block, and that block.
  CellLocation cell_of(std::uint64_t offset) const;
  std::optional<HeapBlockLocation> last_block(const HeapIndirectEntry& within) const;
  /// Whether no object is in the block.
  bool is_unused(const HeapBlockLocation& block, const HeapFreeSpace& free) const;
  void free_block(const HeapBlockLocation& block, HeapFreeSpace& free);
  /// Frees the block if it has no object, and everything that is unused after it if it was the last one.
  void free_if_unused(const HeapBlockLocation& block, HeapFreeSpace& free);
  void retreat_to(const HeapBlockLocation& last, HeapFreeSpace& free);
  void free_indirect_beyond(const std::shared_ptr<const HeapIndirectEntry>& within, std::uint64_t end);
  void cut_root(const std::shared_ptr<const HeapIndirectEntry>& root, unsigned rows);
  void make_root(const HeapBlockLocation& first);

  // Huge objects
  struct Huge;
  Huge find_huge(const format::HeapId& id) const;
  Buffer insert_huge(Bytes object);
  /// An unused ID for a huge object that is found by its ID.
  std::uint64_t new_huge_key();
  void remove_huge(const format::HeapId& id);
  void destroy_huge();
  std::uint64_t huge_tree_bytes() const;

  FileStore* store_;
  std::shared_ptr<const HeapHeaderEntry> heap_;
};

}  // namespace filigree::store
