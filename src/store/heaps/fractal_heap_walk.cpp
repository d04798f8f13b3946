// SPDX-License-Identifier: Apache-2.0
//
// Functions over a whole fractal heap: its blocks, its free-space manager, and whether they are consistent.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"
#include "store/heaps/heap_free_space.hpp"

namespace filigree::store {

using format::DoublingTable;
using format::FractalHeapHeader;

void throw_corrupt(Address heap, std::string_view what) { throw_corrupt("fractal heap", heap, what); }

void FractalHeap::collect_blocks(Address at, unsigned rows, std::uint64_t offset, Blocks& out) const {
  const DoublingTable& table = heap_->table;
  const auto block = load_heap_indirect(*store_, *heap_, at, rows, offset);
  out.indirect.push_back({at, offset, block->encoded_bytes()});
  for (unsigned cell = 0; cell < block->block.children.size(); ++cell) {
    const auto& child = block->block.children[cell];
    if (!is_valid(child.address)) continue;
    const unsigned row = cell / table.width();
    const std::uint64_t bytes = table.block_bytes(row);
    const std::uint64_t child_offset = offset + table.cell_offset(cell);
    if (row < table.direct_rows()) {
      out.direct.push_back({child.address, child_offset, bytes,
                            heap_->header.filtered() ? child.stored_bytes : bytes, child.filter_mask});
    } else {
      collect_blocks(child.address, table.child_rows(row), child_offset, out);
    }
  }
}

FractalHeap::Blocks FractalHeap::blocks() const {
  Blocks out;
  const FractalHeapHeader& h = heap_->header;
  if (!is_valid(h.root)) return out;
  if (h.root_rows == 0) {
    out.direct.push_back(location_of(std::uint64_t{0}));
  } else {
    collect_blocks(h.root, h.root_rows, 0, out);
  }
  return out;
}

Address FractalHeap::root_block() const { return heap_->header.root; }

std::vector<Address> FractalHeap::first_blocks() const {
  const FractalHeapHeader& h = heap_->header;
  if (!is_valid(h.root)) return {};
  if (h.root_rows == 0) return {h.root};
  std::vector<Address> result;
  const auto block = load_heap_indirect(*store_, *heap_, h.root, h.root_rows, 0);
  for (const auto& child : block->block.children)
    if (is_valid(child.address)) result.push_back(child.address);
  return result;
}

std::uint64_t FractalHeap::file_bytes() const {
  constexpr std::string_view what = "the bytes of a fractal heap";
  const FractalHeapHeader& h = heap_->header;
  std::uint64_t bytes = checked_add(heap_->encoded_bytes(), h.allocated_bytes, what);
  bytes = checked_add(bytes, h.huge_bytes, what);
  for (const auto& block : blocks().indirect) bytes = checked_add(bytes, block.bytes, what);
  bytes = checked_add(bytes, huge_tree_bytes(), what);
  const auto free = find_free_space();
  return free ? checked_add(bytes, free->file_bytes(), what) : bytes;
}

void FractalHeap::release_blocks() {
  const Blocks all = blocks();
  drop_free_space();
  for (const auto& block : all.direct) {
    store_->cache().forget(block.address);
    release_direct(block);
  }
  for (const auto& block : all.indirect) {
    store_->cache().forget(block.address);
    release_indirect(block.address, block.bytes);
  }
  FractalHeapHeader& h = edit().header;
  h.root = Address::undefined;
  h.root_rows = 0;
  h.root_stored_bytes = h.root_filter_mask = 0;
  h.free_bytes = h.managed_bytes = h.allocated_bytes = h.iterator = h.managed_objects = 0;
}

std::shared_ptr<const HeapFreeSpace> FractalHeap::find_free_space() const {
  const Address at = heap_->header.free_space;
  if (!is_valid(at)) return nullptr;
  return store_->cache().get<HeapFreeSpace>(at, [&] {
    auto loaded = HeapFreeSpace::load(*store_, at, *heap_);
    // The indirect block of a run may have been freed with its last child.
    loaded->set_aside_runs([&](const HeapRun& run) { return find_indirect(run.block_offset) != nullptr; });
    return loaded;
  });
}

std::shared_ptr<const HeapFreeSpace> FractalHeap::free_space() {
  if (auto found = find_free_space()) return found;
  auto fresh = std::make_shared<HeapFreeSpace>(*heap_, store_->widths());
  const Address at =
      store_->space().allocate(SpaceKind::object_header, HeapFreeSpace::header_bytes(store_->widths()));
  edit().header.free_space = at;
  return store_->cache().insert(at, std::move(fresh));
}

/// Called after a change of the free space: frees the space of its section list, or removes the manager with
/// its last section.
void FractalHeap::update_free_space(const std::shared_ptr<const HeapFreeSpace>& entry) {
  if (entry->empty()) return drop_free_space();
  store_->cache().edit(entry).release_list(*store_);
}

void FractalHeap::drop_free_space() {
  const auto entry = find_free_space();
  if (!entry) return;
  const Address at = entry->address();
  store_->cache().edit(entry).release_list(*store_);
  store_->cache().forget(at);
  store_->space().release(SpaceKind::object_header, at, HeapFreeSpace::header_bytes(store_->widths()));
  edit().header.free_space = Address::undefined;
}

namespace {

/// Checks that all holes are in the data of blocks and not adjacent. Returns the sum of their bytes.
std::uint64_t check_holes(Address heap, const std::map<std::uint64_t, std::uint64_t>& holes,
                          const std::vector<HeapBlockLocation>& blocks, unsigned overhead) {
  std::uint64_t total = 0, last_end = 0;
  auto block = blocks.begin();
  for (const auto& [offset, bytes] : holes) {
    while (block != blocks.end() && block->offset + block->bytes <= offset) ++block;
    if (block == blocks.end() || offset < block->offset + overhead ||
        bytes > block->offset + block->bytes - offset) {
      throw_corrupt(heap, fmt::format("the free bytes at offset {} are not in a block", offset));
    }
    if (total > 0 && offset <= last_end)
      throw_corrupt(heap,
                    fmt::format("the free bytes at {} are not merged with adjacent free bytes", offset));
    last_end = offset + bytes;
    total += bytes;
  }
  return total;
}

void expect(Address heap, std::string_view what, std::uint64_t stored, std::uint64_t found) {
  if (stored != found)
    throw_corrupt(heap, fmt::format("field '{}' is {}, its blocks give {}", what, stored, found));
}

}  // namespace

void FractalHeap::check() const {
  const FractalHeapHeader& h = heap_->header;
  const DoublingTable& table = heap_->table;
  const Blocks all = blocks();
  std::uint64_t allocated = 0, allocated_usable = 0;
  for (const auto& block : all.direct) {
    (void)load_heap_direct(*store_, *heap_, block);
    allocated += block.bytes;
    allocated_usable += block.bytes - table.overhead();
    if (h.root_rows > 0 && block.offset >= h.iterator) {
      throw_corrupt(address(), fmt::format("the block at offset {} is beyond the iterator", block.offset));
    }
  }
  const bool only_direct = is_valid(h.root) && h.root_rows == 0;
  const std::uint64_t usable = only_direct ? table.usable_in_cell(0) : table.usable(h.root_rows);
  expect(address(), "allocated bytes", h.allocated_bytes, allocated);
  expect(address(), "managed bytes", h.managed_bytes,
         only_direct ? h.start_block : table.covered(h.root_rows));

  const auto free = find_free_space();
  const std::uint64_t holes = free ? check_holes(address(), free->holes(), all.direct, table.overhead()) : 0;
  expect(address(), "free bytes", h.free_bytes, usable - allocated_usable + holes);
  if (!free) return;
  for (const HeapRun& run : free->runs()) {
    const auto block = indirect_at(run.block_offset);
    for (unsigned cell = run.first; cell < run.first + run.cells; ++cell) {
      if (cell < block->block.children.size() && !is_valid(block->block.children[cell].address)) continue;
      throw_corrupt(address(), fmt::format("cell {} is recorded as free, but it is in use", cell));
    }
  }
}

}  // namespace filigree::store
