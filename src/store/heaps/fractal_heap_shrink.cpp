// SPDX-License-Identifier: Apache-2.0
//
// How a fractal heap becomes smaller. A direct block without objects is freed, and its cell becomes a run of
// skipped cells. If it was the last block:
//
// 1. The iterator returns to the end of the block that is the last one now, and the runs beyond are dropped.
// 2. Indirect blocks beyond the iterator are freed.
// 3. The root indirect block keeps as many rows as it would have after growing to the iterator.
// 4. If only the first block is left, it becomes the root.
//
// A block stays if it is the only one of an indirect block that is not the root, unless it is the last one:
// HDF5 has no indirect blocks without children.
#include <algorithm>
#include <bit>

#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"
#include "store/heaps/heap_free_space.hpp"

namespace filigree::store {

using format::DoublingTable;
using format::FractalHeapHeader;

FractalHeap::CellLocation FractalHeap::cell_of(std::uint64_t offset) const {
  const DoublingTable& table = heap_->table;
  auto parent = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  while (true) {
    const auto cell = table.find(offset - parent->block.offset);
    const unsigned index = cell.row * table.width() + cell.column;
    if (cell.row < table.direct_rows()) return {parent, index};
    parent = load_heap_indirect(*store_, *heap_, parent->block.children[index].address,
                                table.child_rows(cell.row), parent->block.offset + cell.offset);
  }
}

/// The last direct block within the indirect block `within`, if there is one.
std::optional<HeapBlockLocation> FractalHeap::last_block(const HeapIndirectEntry& within) const {
  const DoublingTable& table = heap_->table;
  for (std::size_t cell = within.block.children.size(); cell-- > 0;) {
    const auto& child = within.block.children[cell];
    if (!is_valid(child.address)) continue;
    const auto row = static_cast<unsigned>(cell / table.width());
    const std::uint64_t offset = within.block.offset + table.cell_offset(static_cast<unsigned>(cell));
    if (row < table.direct_rows()) {
      const std::uint64_t bytes = table.block_bytes(row);
      return HeapBlockLocation{child.address, offset, bytes,
                               heap_->header.filtered() ? child.stored_bytes : bytes, child.filter_mask};
    }
    const auto below = load_heap_indirect(*store_, *heap_, child.address, table.child_rows(row), offset);
    if (auto found = last_block(*below)) return found;
  }
  return std::nullopt;
}

bool FractalHeap::is_unused(const HeapBlockLocation& block, const HeapFreeSpace& free) const {
  const unsigned overhead = heap_->table.overhead();
  const auto hole = free.holes().find(block.offset + overhead);
  return hole != free.holes().end() && hole->second == block.bytes - overhead;
}

void FractalHeap::free_block(const HeapBlockLocation& block, HeapFreeSpace& free) {
  const auto [parent, cell] = cell_of(block.offset);
  free.take(block.offset + heap_->table.overhead(), block.bytes - heap_->table.overhead());
  free.add_freed({parent->block.offset, cell, 1});
  store_->cache().edit(parent).block.children[cell] = {};
  store_->cache().forget(block.address);
  release_direct(block);
  FractalHeapHeader& h = edit().header;
  h.allocated_bytes -= std::min(h.allocated_bytes, block.bytes);
}

void FractalHeap::free_if_unused(const HeapBlockLocation& block, HeapFreeSpace& free) {
  // SWMR readers may still use the block.
  if (heap_->header.root_rows == 0 || store_->swmr_writer() || !is_unused(block, free)) return;
  const auto root = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  const auto parent = cell_of(block.offset).parent;
  const auto has_block = [](const auto& child) { return is_valid(child.address); };
  const bool only_child = parent != root && std::ranges::count_if(parent->block.children, has_block) == 1;
  auto last = last_block(*root);
  const bool is_last = last && last->offset == block.offset;
  if (only_child && !is_last) return;
  free_block(block, free);
  if (!is_last || free.has_opaque()) return;
  for (last = last_block(*root); last && is_unused(*last, free); last = last_block(*root))
    free_block(*last, free);
  if (last) retreat_to(*last, free);
}

/// Ends the heap after `last`, its last block.
void FractalHeap::retreat_to(const HeapBlockLocation& last, HeapFreeSpace& free) {
  const std::uint64_t end = last.offset + last.bytes;
  if (end >= heap_->header.iterator) return;
  free.cut_runs(end);
  const auto root = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  free_indirect_beyond(root, end);
  edit().header.iterator = end;
  if (last.offset == 0) return make_root(last);
  const unsigned needed = heap_->table.find(last.offset).row + 1;
  const unsigned rows = std::max<unsigned>(std::bit_ceil(needed), heap_->header.start_rows);
  if (rows < heap_->header.root_rows) cut_root(root, rows);
}

/// Frees the indirect blocks below `within` that begin at `end` or later.
void FractalHeap::free_indirect_beyond(const std::shared_ptr<const HeapIndirectEntry>& within,
                                       std::uint64_t end) {
  const DoublingTable& table = heap_->table;
  const std::size_t first = std::size_t{table.direct_rows()} * table.width();
  for (std::size_t cell = first; cell < within->block.children.size(); ++cell) {
    const Address at = within->block.children[cell].address;
    const auto row = static_cast<unsigned>(cell / table.width());
    const std::uint64_t offset = within->block.offset + table.cell_offset(static_cast<unsigned>(cell));
    if (!is_valid(at) || offset + table.block_bytes(row) <= end) continue;
    const auto below = load_heap_indirect(*store_, *heap_, at, table.child_rows(row), offset);
    free_indirect_beyond(below, end);
    if (offset < end) continue;
    store_->cache().edit(within).block.children[cell] = {};
    store_->cache().forget(at);
    release_indirect(at, below->encoded_bytes());
  }
}

void FractalHeap::cut_root(const std::shared_ptr<const HeapIndirectEntry>& root, unsigned rows) {
  const DoublingTable& table = heap_->table;
  const unsigned old_rows = heap_->header.root_rows;
  auto block = make_heap_indirect(*store_, *heap_, rows, 0);
  std::copy_n(root->block.children.begin(), block->block.children.size(), block->block.children.begin());
  const Address old_at = root->address();
  store_->cache().forget(old_at);
  release_indirect(old_at, root->encoded_bytes());
  const Address at = new_address(SpaceKind::object_header, block->encoded_bytes());
  store_->cache().insert(at, std::move(block));
  FractalHeapHeader& h = edit().header;
  h.root = at;
  h.root_rows = static_cast<std::uint16_t>(rows);
  h.managed_bytes = table.covered(rows);
  h.free_bytes -= std::min(h.free_bytes, table.usable(old_rows) - table.usable(rows));
}

/// Makes the first block of the heap, which is the only one, its root.
void FractalHeap::make_root(const HeapBlockLocation& first) {
  const DoublingTable& table = heap_->table;
  const unsigned old_rows = heap_->header.root_rows;
  const Address old_at = heap_->header.root;
  const std::size_t old_bytes = load_heap_indirect(*store_, *heap_, old_at, old_rows, 0)->encoded_bytes();
  store_->cache().forget(old_at);
  release_indirect(old_at, old_bytes);
  FractalHeapHeader& h = edit().header;
  h.root = first.address;
  h.root_rows = 0;
  h.root_stored_bytes = h.filtered() ? first.stored_bytes : 0;
  h.root_filter_mask = first.filter_mask;
  h.managed_bytes = h.start_block;
  h.iterator = 0;
  h.free_bytes -= std::min(h.free_bytes, table.usable(old_rows) - table.usable_in_cell(0));
}

}  // namespace filigree::store
