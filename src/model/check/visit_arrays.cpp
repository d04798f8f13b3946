// SPDX-License-Identifier: Apache-2.0
//
// Fixed and extensible arrays of chunk records. Only the sizes of elements matter here.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "format/chunk_index/array_page.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "index/block_entry.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"

namespace filigree::model {

using format::ExtensibleArrayDataBlock;
using format::ExtensibleArrayGeometry;
using format::ExtensibleArrayHeader;
using format::ExtensibleArrayIndexBlock;
using format::ExtensibleArraySuperBlock;
using format::FixedArrayBlock;
using format::FixedArrayHeader;

namespace {

constexpr std::uint64_t checksum_bytes = 4;

/// Notes a finding unless a block says that it belongs to the array at `header`.
template <class Block>
bool belongs(FileWalk& walk, const Block& block, Address at, Address header) {
  if (block.header == header) return true;
  walk.damage(Block::structure, at,
              fmt::format("{} at {}: belongs to the array at {}, not {}", Block::structure, to_string(at),
                          to_string(block.header), to_string(header)));
  return false;
}

/// Reads a page within the range of its data block, which was noted already.
void visit_page(FileWalk& walk, Address at, std::uint64_t element_bytes) {
  format::ArrayPage page{element_bytes, {}};
  const std::uint64_t bytes = element_bytes + checksum_bytes;
  walk.guarded(page.structure, at, [&] {
    const Buffer stored = walk.store().read(at, bytes, page.structure);
    if (walk.wants(at, bytes)) {
      format::ArrayPage again = page;
      walk.describe(page.structure, at, bytes, format::inspect(again, stored, walk.widths()));
    }
    format::decode(page, stored, walk.widths(), at);
  });
}

class ExtensibleArrayVisit {
 public:
  ExtensibleArrayVisit(FileWalk& walk, Address at, const ExtensibleArrayHeader& header)
      : walk_(walk), at_(at), header_(header), geometry_(header.parameters) {}

  void visit() {
    if (!is_valid(header_.index_block)) return;
    ExtensibleArrayIndexBlock top;
    top.client = header_.client;
    top.version = header_.version;
    top.element_total_bytes = std::uint64_t{header_.parameters.index_block_elements} * header_.element_bytes;
    top.data_block_count = geometry_.direct_blocks();
    top.super_block_count = geometry_.groups() - geometry_.direct_groups();
    const std::uint64_t bytes = index::block_bytes(top, walk_.widths());
    if (!walk_.load(top, {header_.index_block, bytes, bytes, false}) ||
        !belongs(walk_, top, header_.index_block, at_))
      return;
    for (unsigned group = 0; group < geometry_.direct_groups(); ++group) {
      const ExtensibleArrayGeometry::Group g = geometry_.group(group);
      visit_blocks(group, std::span(top.data_blocks).subspan(g.first_block, g.blocks), nullptr);
    }
    for (unsigned group = geometry_.direct_groups(); group < geometry_.groups(); ++group) {
      const Address at = top.super_blocks[group - geometry_.direct_groups()];
      if (is_valid(at)) visit_super_block(group, at);
    }
  }

 private:
  void visit_super_block(unsigned group, Address at) {
    const ExtensibleArrayGeometry::Group g = geometry_.group(group);
    ExtensibleArraySuperBlock block;
    block.client = header_.client;
    block.version = header_.version;
    block.offset_bytes = geometry_.offset_bytes();
    block.bitmap_bytes = g.blocks * ((g.pages + 7) / 8);
    block.data_block_count = g.blocks;
    const std::uint64_t bytes = index::block_bytes(block, walk_.widths());
    if (!walk_.load(block, {at, bytes, bytes, false}) || !belongs(walk_, block, at, at_)) return;
    visit_blocks(group, block.data_blocks, &block);
  }

  void visit_blocks(unsigned group, std::span<const Address> blocks, const ExtensibleArraySuperBlock* super) {
    const ExtensibleArrayGeometry::Group g = geometry_.group(group);
    const std::uint64_t page_bytes = geometry_.page_elements() * header_.element_bytes;
    for (std::uint64_t number = 0; number < blocks.size(); ++number) {
      const Address at = blocks[number];
      if (!is_valid(at)) continue;
      ExtensibleArrayDataBlock block;
      block.client = header_.client;
      block.version = header_.version;
      block.offset_bytes = geometry_.offset_bytes();
      block.element_total_bytes = g.pages == 0 ? g.block_elements * header_.element_bytes : 0;
      const std::uint64_t used = index::block_bytes(block, walk_.widths());
      const std::uint64_t all = checked_add(
          used, checked_multiply(g.pages, page_bytes + checksum_bytes, "pages"), "the bytes of a data block");
      if (!walk_.load(block, {at, used, all, false}) || !belongs(walk_, block, at, at_)) continue;
      for (std::uint64_t page = 0; page < g.pages && super != nullptr; ++page) {
        if (format::page_bit(super->page_bitmap, number * g.pages + page))
          visit_page(walk_, at + (used + page * (page_bytes + checksum_bytes)), page_bytes);
      }
    }
  }

  FileWalk& walk_;
  const Address at_;
  const ExtensibleArrayHeader& header_;
  const ExtensibleArrayGeometry geometry_;
};

void visit_fixed_block(FileWalk& walk, Address at, const FixedArrayHeader& header) {
  FixedArrayBlock block;
  block.version = header.version;
  block.client = header.client;
  if (header.paged()) {
    block.bitmap_bytes = (header.pages() + 7) / 8;
  } else {
    block.element_total_bytes = checked_multiply(header.elements, header.element_bytes, "a fixed array");
  }
  const std::uint64_t used = index::block_bytes(block, walk.widths());
  std::uint64_t all = used;
  if (header.paged()) {
    all += checked_add(checked_multiply(header.elements, header.element_bytes, "a fixed array"),
                       header.pages() * checksum_bytes, "a fixed array");
  }
  if (!walk.load(block, {header.data_block, used, all, false}) ||
      !belongs(walk, block, header.data_block, at))
    return;
  const std::uint64_t stride = header.page_elements() * header.element_bytes + checksum_bytes;
  for (std::uint64_t page = 0; page < header.pages(); ++page) {
    if (!format::page_bit(block.page_bitmap, page)) continue;
    const std::uint64_t first = page << header.page_bits;
    const std::uint64_t elements = std::min(header.page_elements(), header.elements - first);
    visit_page(walk, header.data_block + (used + page * stride), elements * header.element_bytes);
  }
}

}  // namespace

void visit_fixed_array(FileWalk& walk, Address at) {
  FixedArrayHeader header;
  if (!walk.load(header, {at, format::encoded_bytes(header, walk.widths()), 0, false})) return;
  if (!is_valid(header.data_block)) return;
  // Far below the sizes for which offsets in the block would overflow.
  if (header.elements > (std::uint64_t{1} << 52))
    return walk.damage(FixedArrayHeader::structure, at, "has more elements than a file can hold");
  walk.guarded(FixedArrayBlock::structure, header.data_block, [&] { visit_fixed_block(walk, at, header); });
}

void visit_extensible_array(FileWalk& walk, Address at) {
  ExtensibleArrayHeader header;
  if (!walk.load(header, {at, format::encoded_bytes(header, walk.widths()), 0, false})) return;
  walk.guarded(ExtensibleArrayHeader::structure, at, [&] { ExtensibleArrayVisit(walk, at, header).visit(); });
}

}  // namespace filigree::model
