// SPDX-License-Identifier: Apache-2.0
//
// File space of the blocks of a fractal heap. As in HDF5, a new block has no space before it is flushed: its
// filtered size is not known, and it may be freed before. Until then it has a temporary address, beyond all
// files. The cache keeps it there, because it is dirty.
//
// In files with narrow offsets, unfiltered blocks get their space at once. Such a file may become full, and
// the insertion should fail, not the flush.
#include <atomic>

#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"

namespace filigree::store {
namespace {

/// No file is as long, and no member of a multi file begins there: HDF5 places them at up to 5/6 of all
/// addresses.
constexpr std::uint64_t first_temporary = ~std::uint64_t{0} - (std::uint64_t{1} << 48);

Address temporary_address() {
  // Blocks get their space in the order of these addresses: the oldest first.
  static std::atomic<std::uint64_t> next{first_temporary};
  return to_address(next++);
}

}  // namespace

using format::FractalHeapHeader;

bool is_temporary(Address at) { return is_valid(at) && to_number(at) >= first_temporary; }

Address FractalHeap::new_address(SpaceKind kind, std::uint64_t bytes) {
  if (heap_->header.filtered() && kind == SpaceKind::local_heap) return temporary_address();
  return store_->widths().offset_bytes == 8 ? temporary_address() : store_->space().allocate(kind, bytes);
}

void FractalHeap::release_direct(const HeapBlockLocation& block) {
  if (!is_temporary(block.address))
    store_->space().release(SpaceKind::local_heap, block.address, block.stored_bytes);
}

void FractalHeap::release_indirect(Address at, std::uint64_t bytes) {
  if (!is_temporary(at)) store_->space().release(SpaceKind::object_header, at, bytes);
}

void FractalHeap::allocate_direct(HeapDirectEntry& block, std::uint64_t bytes, std::uint32_t filter_mask) {
  const HeapBlockLocation old = location_of(block.offset);
  Space& space = store_->space();
  Address at = old.address;
  if (is_temporary(at)) {
    at = space.allocate(SpaceKind::local_heap, bytes);
  } else if (bytes < old.stored_bytes) {
    at = space.shrink(SpaceKind::local_heap, old.address, old.stored_bytes, bytes);
  } else if (bytes > old.stored_bytes) {
    at = space.allocate(SpaceKind::local_heap, bytes);
    space.release(SpaceKind::local_heap, old.address, old.stored_bytes);
  }
  if (at != old.address) store_->cache().move(old.address, at);
  const bool filtered = heap_->header.filtered();
  if (heap_->header.root_rows > 0) {
    const auto [parent, cell] = cell_of(block.offset);
    store_->cache().edit(parent).block.children[cell] = {at, filtered ? bytes : 0, filter_mask};
    return;
  }
  FractalHeapHeader& h = edit().header;
  h.root = at;
  h.root_stored_bytes = filtered ? bytes : 0;
  h.root_filter_mask = filter_mask;
}

void FractalHeap::allocate_indirect(HeapIndirectEntry& block) {
  const Address old = block.address();
  const Address at = store_->space().allocate(SpaceKind::object_header, block.encoded_bytes());
  store_->cache().move(old, at);
  if (heap_->header.root == old) {
    edit().header.root = at;
    return;
  }
  const format::DoublingTable& table = heap_->table;
  auto parent = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  while (true) {
    const auto cell = table.find(block.block.offset - parent->block.offset);
    const unsigned index = cell.row * table.width() + cell.column;
    const Address child = parent->block.children[index].address;
    if (child == old) {
      store_->cache().edit(parent).block.children[index].address = at;
      return;
    }
    if (cell.row < table.direct_rows() || !is_valid(child))
      throw_corrupt(address(), "a new indirect block has no parent");
    parent = load_heap_indirect(*store_, *heap_, child, table.child_rows(cell.row),
                                parent->block.offset + cell.offset);
  }
}

}  // namespace filigree::store
