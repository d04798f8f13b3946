// SPDX-License-Identifier: Apache-2.0
//
// Growth of a fractal heap. New blocks are added in the order of the doubling table. Cells whose blocks would
// be too small for the object are skipped, and recorded as free.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"
#include "store/heaps/heap_free_space.hpp"

namespace filigree::store {
namespace {

using format::DoublingTable;
using format::FractalHeapHeader;

/// The first row whose blocks hold an object of `bytes`.
unsigned row_for(const DoublingTable& table, std::uint64_t bytes) {
  unsigned row = 0;
  while (table.block_bytes(row) - table.overhead() < bytes) ++row;
  return row;
}

}  // namespace

void FractalHeap::add_block(std::uint64_t bytes, HeapFreeSpace& free) {
  if (const auto skipped = free.allocate_cell(bytes)) {
    return fill_cell(indirect_at(skipped->block_offset), skipped->first, free);
  }
  const FractalHeapHeader& h = heap_->header;
  if (!is_valid(h.root) && row_for(heap_->table, bytes) == 0) return add_root_direct(free);
  if (h.root_rows == 0) add_root_indirect(bytes);
  while (!add_at_iterator(bytes, free)) continue;
}

void FractalHeap::add_root_direct(HeapFreeSpace& free) {
  const Address at = new_direct(0, heap_->header.start_block, free);
  FractalHeapHeader& h = edit().header;
  h.root = at;
  h.root_stored_bytes = h.root_filter_mask = 0;
  h.managed_bytes = h.start_block;
  h.free_bytes = heap_->table.usable_in_cell(0);
  h.iterator = 0;
}

void FractalHeap::add_root_indirect(std::uint64_t bytes) {
  const DoublingTable& table = heap_->table;
  const unsigned wanted = heap_->header.start_rows == 0 ? table.max_root_rows() : heap_->header.start_rows;
  const unsigned rows = std::min(std::max(wanted, row_for(table, bytes) + 1), table.max_root_rows());
  auto block = make_heap_indirect(*store_, *heap_, rows, 0);
  const bool had_direct = is_valid(heap_->header.root);
  if (had_direct)
    block->block.children[0] = {heap_->header.root, heap_->header.root_stored_bytes,
                                heap_->header.root_filter_mask};
  const Address at = new_address(SpaceKind::object_header, block->encoded_bytes());
  store_->cache().insert(at, std::move(block));
  FractalHeapHeader& h = edit().header;
  h.root = at;
  h.root_rows = static_cast<std::uint16_t>(rows);
  h.root_stored_bytes = h.root_filter_mask = 0;
  h.managed_bytes = table.covered(rows);
  h.free_bytes += table.usable(rows) - (had_direct ? table.usable_in_cell(0) : 0);
  h.iterator = had_direct ? h.start_block : 0;
}

void FractalHeap::grow_root(std::uint64_t bytes) {
  const DoublingTable& table = heap_->table;
  const unsigned old_rows = heap_->header.root_rows;
  if (old_rows >= table.max_root_rows()) {
    throw Error(ErrorKind::limit, fmt::format("fractal heap at {} is full: its limit is 2^{} bytes",
                                              to_string(address()), heap_->header.max_bits));
  }
  const unsigned rows = std::min(std::max(2 * old_rows, row_for(table, bytes) + 1), table.max_root_rows());
  const Address old_at = heap_->header.root;
  const auto old = load_heap_indirect(*store_, *heap_, old_at, old_rows, 0);
  auto block = make_heap_indirect(*store_, *heap_, rows, 0);
  std::copy(old->block.children.begin(), old->block.children.end(), block->block.children.begin());
  const std::size_t old_bytes = old->encoded_bytes();
  const Address at = new_address(SpaceKind::object_header, block->encoded_bytes());
  store_->cache().insert(at, std::move(block));
  store_->cache().forget(old_at);
  release_indirect(old_at, old_bytes);
  FractalHeapHeader& h = edit().header;
  h.root = at;
  h.root_rows = static_cast<std::uint16_t>(rows);
  h.managed_bytes = table.covered(rows);
  h.free_bytes += table.usable(rows) - table.usable(old_rows);
}

/// One step of the iterator: fills its cell, skips cells that are too small, or adds rows. Returns whether a
/// block was added.
bool FractalHeap::add_at_iterator(std::uint64_t bytes, HeapFreeSpace& free) {
  const DoublingTable& table = heap_->table;
  const std::uint64_t next = heap_->header.iterator;
  if (next >= table.covered(heap_->header.root_rows)) {
    if (next > table.covered(heap_->header.root_rows))
      throw_corrupt(address(), "its iterator is beyond its rows");
    grow_root(bytes);
    return false;
  }
  auto parent = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  auto cell = table.find(next);
  while (cell.row >= table.direct_rows()) {
    parent = child_of(parent, cell.row * table.width() + cell.column);
    cell = table.find(next - parent->block.offset);
  }
  if (parent->block.offset + cell.offset != next)
    throw_corrupt(address(), "its iterator is inside of a block");
  const unsigned first = cell.row * table.width() + cell.column;
  const unsigned good_row = row_for(table, bytes);
  if (cell.row < good_row) {
    const unsigned end = std::min(good_row, parent->block.rows) * table.width();
    const unsigned cells = std::min(end - first, HeapRun::most_cells);
    free.add_run({parent->block.offset, first, cells});
    edit().header.iterator = parent->block.offset + table.cell_offset(first + cells);
    return false;
  }
  fill_cell(parent, first, free);
  edit().header.iterator = next + cell.bytes;
  return true;
}

void FractalHeap::fill_cell(const std::shared_ptr<const HeapIndirectEntry>& parent, unsigned cell,
                            HeapFreeSpace& free) {
  const DoublingTable& table = heap_->table;
  const unsigned row = cell / table.width();
  if (row >= parent->block.rows || is_valid(parent->block.children[cell].address)) {
    throw_corrupt(parent->address(),
                  fmt::format("cell {} has a block, although the heap does not use it yet", cell));
  }
  const std::uint64_t offset = parent->block.offset + table.cell_offset(cell);
  const Address at = new_direct(offset, table.block_bytes(row), free);
  store_->cache().edit(parent).block.children[cell] = {at, 0, 0};
}

Address FractalHeap::new_direct(std::uint64_t offset, std::uint64_t bytes, HeapFreeSpace& free) {
  const unsigned overhead = heap_->table.overhead();
  require_heap_filters(heap_->header.pipeline);
  free.free(offset + overhead, bytes - overhead);
  const Address at = new_address(SpaceKind::local_heap, bytes);
  store_->cache().insert(at, make_heap_direct(*store_, *heap_, offset, bytes));
  edit().header.allocated_bytes += bytes;
  return at;
}

std::shared_ptr<const HeapIndirectEntry> FractalHeap::find_indirect(std::uint64_t block_offset) const {
  const DoublingTable& table = heap_->table;
  if (heap_->header.root_rows == 0 || block_offset >= table.covered(heap_->header.root_rows)) return nullptr;
  auto block = load_heap_indirect(*store_, *heap_, heap_->header.root, heap_->header.root_rows, 0);
  while (block->block.offset != block_offset) {
    const auto cell = table.find(block_offset - block->block.offset);
    const auto& child = block->block.children[cell.row * table.width() + cell.column];
    if (cell.row < table.direct_rows() || !is_valid(child.address)) return nullptr;
    block = load_heap_indirect(*store_, *heap_, child.address, table.child_rows(cell.row),
                               block->block.offset + cell.offset);
  }
  return block;
}

std::shared_ptr<const HeapIndirectEntry> FractalHeap::indirect_at(std::uint64_t block_offset) const {
  auto found = find_indirect(block_offset);
  if (!found) throw_corrupt(address(), fmt::format("no indirect block at offset {}", block_offset));
  return found;
}

/// The indirect block that a cell of `parent` points to; creates it when there is none.
std::shared_ptr<const HeapIndirectEntry> FractalHeap::child_of(
    const std::shared_ptr<const HeapIndirectEntry>& parent, unsigned cell) {
  const DoublingTable& table = heap_->table;
  const unsigned row = cell / table.width();
  const std::uint64_t offset = parent->block.offset + table.cell_offset(cell);
  const Address known = parent->block.children[cell].address;
  if (is_valid(known)) return load_heap_indirect(*store_, *heap_, known, table.child_rows(row), offset);
  auto block = make_heap_indirect(*store_, *heap_, table.child_rows(row), offset);
  const Address at = new_address(SpaceKind::object_header, block->encoded_bytes());
  store_->cache().edit(parent).block.children[cell].address = at;
  return store_->cache().insert(at, std::move(block));
}

}  // namespace filigree::store
