// SPDX-License-Identifier: Apache-2.0
//
// Local heaps and fractal heaps.
#include <algorithm>

#include <fmt/format.h>

#include "format/btrees/btree2_records.hpp"
#include "format/free_space/free_space.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "format/heaps/local_heap.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/heaps/heap_blocks.hpp"

namespace filigree::model {

using format::FractalHeapDirectPrefix;
using format::FractalHeapHeader;
using format::FractalHeapIndirectBlock;

std::optional<Buffer> visit_local_heap(FileWalk& walk, Address at) {
  format::LocalHeapPrefix prefix;
  const std::uint64_t prefix_bytes = format::local_heap_prefix_bytes(walk.widths());
  if (!walk.load(prefix, {at, prefix_bytes, prefix_bytes, false})) return std::nullopt;
  constexpr std::string_view segment = "local heap data segment";
  std::optional<Buffer> content;
  // More than the file holds is a fault.
  if (prefix.data_bytes <= walk.store().available(prefix.data) &&
      walk.is_too_large(segment, prefix.data, prefix.data_bytes))
    return std::nullopt;
  walk.guarded(segment, prefix.data,
               [&] { content = walk.store().read(prefix.data, prefix.data_bytes, segment); });
  if (content) walk.use(segment, prefix.data, prefix.data_bytes);
  return content;
}

namespace {

/// The largest header of a heap without filters; a filter pipeline makes it longer.
constexpr std::uint64_t most_header_bytes = 146 + 12 + 65535;

/// The size of the header of a free-space manager.
std::uint64_t manager_bytes(const format::Widths& widths) {
  return format::encoded_bytes(format::FreeSpaceHeader{}, widths);
}

class HeapVisit {
 public:
  HeapVisit(FileWalk& walk, Address at, const FractalHeapHeader& header)
      : walk_(walk), at_(at), header_(header), entry_(store::load_heap_header(walk.store(), at)) {}

  void visit() {
    visit_blocks();
    if (is_valid(header_.free_space)) visit_free_space();
    if (is_valid(header_.huge_btree)) visit_huge_objects();
  }

 private:
  void visit_blocks() {
    if (!is_valid(header_.root)) return;
    if (header_.root_rows > 0) return visit_indirect(header_.root, header_.root_rows, 0);
    visit_direct({header_.root, 0, header_.start_block,
                  header_.filtered() ? header_.root_stored_bytes : header_.start_block,
                  header_.root_filter_mask});
  }

  /// Rows decrease towards the direct blocks, so recursion ends.
  void visit_indirect(Address at, unsigned rows, std::uint64_t offset) {
    const format::DoublingTable& table = entry_->table;
    FractalHeapIndirectBlock block;
    block.rows = rows;
    block.width = table.width();
    block.direct_rows = table.direct_rows();
    block.offset_bytes = table.offset_bytes();
    block.filtered = header_.filtered();
    block.children.resize(std::size_t{rows} * block.width);
    const std::uint64_t bytes = format::encoded_bytes(block, walk_.widths());
    if (!walk_.load(block, {at, bytes, bytes, false})) return;
    if (block.heap != at_ || block.offset != offset) {
      return walk_.damage(FractalHeapIndirectBlock::structure, at,
                          fmt::format("{} at {}: belongs to offset {} of the heap at {}, expected {} of {}",
                                      FractalHeapIndirectBlock::structure, to_string(at), block.offset,
                                      to_string(block.heap), offset, to_string(at_)));
    }
    for (unsigned cell = 0; cell < block.children.size(); ++cell) {
      const auto& child = block.children[cell];
      if (!is_valid(child.address)) continue;
      const unsigned row = cell / table.width();
      const std::uint64_t child_offset = offset + table.cell_offset(cell);
      if (row >= table.direct_rows()) {
        visit_indirect(child.address, table.child_rows(row), child_offset);
      } else {
        const std::uint64_t size = table.block_bytes(row);
        visit_direct({child.address, child_offset, size, header_.filtered() ? child.stored_bytes : size,
                      child.filter_mask});
      }
    }
  }

  void visit_direct(const store::HeapBlockLocation& block) {
    constexpr std::string_view structure = FractalHeapDirectPrefix::structure;
    if (!walk_.enter(structure, block.address, block.stored_bytes)) return;
    if (walk_.is_too_large(structure, block.address, std::max(block.bytes, block.stored_bytes))) return;
    if (walk_.wants(block.address, block.stored_bytes)) describe_direct(block);
    walk_.guarded(structure, block.address, [&] { store::load_heap_direct(walk_.store(), *entry_, block); });
  }

  void describe_direct(const store::HeapBlockLocation& block) {
    walk_.guarded(FractalHeapDirectPrefix::structure, block.address, [&] {
      FractalHeapDirectPrefix prefix;
      prefix.offset_bytes = entry_->table.offset_bytes();
      prefix.has_checksum = header_.checksum_direct;
      const Buffer stored = walk_.store().read(block.address, block.stored_bytes, prefix.structure);
      const Buffer bytes = store::unfilter_heap_bytes(*entry_, stored, block.filter_mask, block.bytes,
                                                      prefix.structure, block.address);
      walk_.describe(prefix.structure, block.address, block.stored_bytes,
                     format::inspect(prefix, bytes, walk_.widths()));
    });
  }

  void visit_free_space() {
    format::FreeSpaceHeader manager;
    const std::uint64_t bytes = manager_bytes(walk_.widths());
    if (!walk_.load(manager, {header_.free_space, bytes, bytes, false}) || !is_valid(manager.list)) return;
    if (!walk_.enter(format::FreeSpaceList::structure, manager.list, manager.list_allocated_bytes)) return;
    walk_.guarded(format::FreeSpaceList::structure, manager.list, [&] {
      const Buffer list =
          walk_.store().read(manager.list, manager.list_bytes, format::FreeSpaceList::structure);
      format::decode_sections(manager, header_.free_space, list, walk_.widths());
    });
  }

  void visit_huge_objects() {
    const bool direct = entry_->ids.huge_direct;
    const auto type = static_cast<std::uint8_t>((direct ? 3 : 1) + (header_.filtered() ? 1 : 0));
    visit_btree2(walk_, header_.huge_btree, type, [&](Bytes record) {
      if (record.size() < walk_.widths().offset_bytes + std::size_t{walk_.widths().length_bytes}) return;
      // All four kinds of record begin with the address and the stored size.
      const unsigned width = walk_.widths().offset_bytes;
      const Address at = to_address(load_word(record.data(), width));
      const std::uint64_t bytes = load_word(record.data() + width, walk_.widths().length_bytes);
      if (walk_.store().available(at) < bytes)
        return walk_.damage("huge object of a fractal heap", at, "runs past the end of the file");
      walk_.use("huge object of a fractal heap", at, bytes);
    });
  }

  FileWalk& walk_;
  const Address at_;
  const FractalHeapHeader& header_;
  const std::shared_ptr<const store::HeapHeaderEntry> entry_;
};

}  // namespace

bool visit_fractal_heap(FileWalk& walk, Address at) {
  const std::uint64_t before = walk.damages();
  FractalHeapHeader header;
  if (!walk.load(header, {at, most_header_bytes, 0, true})) return false;
  walk.guarded(FractalHeapHeader::structure, at, [&] { HeapVisit(walk, at, header).visit(); });
  if (walk.damages() == before)
    walk.guarded(FractalHeapHeader::structure, at, [&] { store::FractalHeap(walk.store(), at).check(); });
  return walk.damages() == before;
}

}  // namespace filigree::model
