// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/fractal_heap.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

unsigned log2(std::uint64_t power) { return power == 0 ? 0 : std::bit_width(power) - 1; }

unsigned stored_offset_bytes(const FractalHeapHeader& h) { return (h.max_bits + 7u) / 8; }

unsigned stored_length_bytes(const FractalHeapHeader& h) {
  return std::min((log2(h.max_direct) + 7) / 8, bytes_to_hold(h.max_managed));
}

unsigned direct_overhead(const FractalHeapHeader& h, const Widths& widths) {
  return 5u + widths.offset_bytes + stored_offset_bytes(h) + (h.checksum_direct ? 4 : 0);
}

}  // namespace

template <class Io, class M>
void check_shape(Io& io, M& m) {
  io.require(std::has_single_bit(m.table_width), "table width", "is not a power of two");
  io.require(std::has_single_bit(m.start_block), "start block bytes", "is not a power of two");
  io.require(std::has_single_bit(m.max_direct), "largest direct block bytes", "is not a power of two");
  io.require(m.start_block <= m.max_direct, "start block bytes", "exceeds the largest direct block");
  io.range("largest direct block bytes", m.max_direct, 1, std::uint64_t{1} << 31);
  io.range("heap size bits", m.max_bits, 1, 64);
  const unsigned first_row_bits = log2(m.start_block) + log2(m.table_width);
  io.require(m.max_bits >= first_row_bits, "heap size bits", "is too small for the first row");
  if (m.max_bits < first_row_bits || m.max_bits > 64) return;
  const unsigned max_rows = m.max_bits - first_row_bits + 1;
  const unsigned direct_rows = log2(m.max_direct) - log2(m.start_block) + 2;
  io.require(m.root_rows <= max_rows, "root rows", "exceeds what the heap's size allows");
  io.require(max_rows <= direct_rows || log2(m.max_direct) + 1 >= first_row_bits, "table width",
             "leaves no rows for nested indirect blocks");
  const unsigned overhead = direct_overhead(m, io.widths());
  io.require(m.start_block > overhead, "start block bytes", "is too small for objects");
  io.require(m.max_managed <= m.max_direct - std::min<std::uint64_t>(m.max_direct, overhead),
             "largest managed object", "exceeds the largest direct block");
  io.require(m.id_bytes >= 1 + stored_offset_bytes(m) + stored_length_bytes(m) && m.id_bytes <= 4097,
             "ID bytes", "cannot hold the heap's IDs");
}

template <class Io, class M>
void describe_statistics(Io& io, M& m) {
  io.length("next huge ID", m.next_huge_id);
  io.address("huge object B-tree", m.huge_btree);
  io.length("free bytes", m.free_bytes);
  io.address("free-space manager", m.free_space);
  io.length("managed bytes", m.managed_bytes);
  io.length("allocated bytes", m.allocated_bytes);
  io.length("iterator offset", m.iterator);
  io.length("managed objects", m.managed_objects);
  io.length("huge bytes", m.huge_bytes);
  io.length("huge objects", m.huge_objects);
  io.length("tiny bytes", m.tiny_bytes);
  io.length("tiny objects", m.tiny_objects);
}

template <class Io, Model<FractalHeapHeader> M>
void describe(Io& io, M& m) {
  io.signature("FRHP");
  io.constant("version", 0);
  io.u16("ID bytes", m.id_bytes);
  std::uint64_t pipeline_bytes = m.pipeline.size();
  io.u16("pipeline bytes", pipeline_bytes);
  std::uint8_t flags = static_cast<std::uint8_t>((m.huge_ids_wrapped ? 1 : 0) | (m.checksum_direct ? 2 : 0));
  io.u8("flags", flags);
  io.range("flags", flags, 0, 3);
  if constexpr (Io::decodes) {
    m.huge_ids_wrapped = (flags & 1) != 0;
    m.checksum_direct = (flags & 2) != 0;
  }
  io.u32("largest managed object", m.max_managed);
  describe_statistics(io, m);
  io.u16("table width", m.table_width);
  io.length("start block bytes", m.start_block);
  io.length("largest direct block bytes", m.max_direct);
  io.u16("heap size bits", m.max_bits);
  io.u16("start rows", m.start_rows);
  io.address("root block", m.root);
  io.u16("root rows", m.root_rows);
  check_shape(io, m);
  if (pipeline_bytes > 0) {
    io.length("root stored bytes", m.root_stored_bytes);
    io.u32("root filter mask", m.root_filter_mask);
    io.blob("pipeline", m.pipeline, pipeline_bytes);
  }
  io.checksum();
}

template <class Io, Model<FractalHeapIndirectBlock> M>
void describe(Io& io, M& m) {
  io.signature("FHIB");
  io.constant("version", 0);
  io.address("heap header", m.heap);
  io.word("block offset", m.offset, m.offset_bytes);
  io.resize("children", m.children, std::uint64_t{m.rows} * m.width, 2);
  const std::size_t direct_children = std::size_t{std::min(m.rows, m.direct_rows)} * m.width;
  for (std::size_t i = 0; i < m.children.size(); ++i) {
    auto& child = m.children[i];
    io.address("child", child.address);
    if (!m.filtered || i >= direct_children) continue;
    io.length("stored bytes", child.stored_bytes);
    io.u32("filter mask", child.filter_mask);
  }
  io.checksum();
}

template <class Io, Model<FractalHeapDirectPrefix> M>
void describe(Io& io, M& m) {
  io.signature("FHDB");
  io.constant("version", 0);
  io.address("heap header", m.heap);
  io.word("block offset", m.offset, m.offset_bytes);
  if (m.has_checksum) io.u32("checksum", m.checksum);
}

FILIGREE_DESCRIBED(FractalHeapHeader);
FILIGREE_DESCRIBED(FractalHeapIndirectBlock);
FILIGREE_DESCRIBED(FractalHeapDirectPrefix);

DoublingTable::DoublingTable(const FractalHeapHeader& h, const Widths& widths)
    : width_(h.table_width),
      start_(h.start_block),
      first_row_bits_(log2(h.start_block) + log2(h.table_width)),
      direct_rows_(log2(h.max_direct) - log2(h.start_block) + 2),
      max_root_rows_(h.max_bits - first_row_bits_ + 1),
      overhead_(direct_overhead(h, widths)),
      offset_bytes_(stored_offset_bytes(h)) {
  for (unsigned row = 0; row < max_root_rows_; ++row) {
    usable_[row + 1] = usable_[row] + width_ * usable_in_cell(row);
  }
}

std::uint64_t DoublingTable::covered(unsigned rows) const {
  if (rows == 0) return 0;
  const unsigned bits = first_row_bits_ + rows - 1;
  return bits >= 64 ? ~std::uint64_t{0} : std::uint64_t{1} << bits;
}

std::uint64_t DoublingTable::usable_in_cell(unsigned row) const {
  return row < direct_rows_ ? block_bytes(row) - overhead_ : usable_[child_rows(row)];
}

unsigned DoublingTable::child_rows(unsigned row) const {
  return log2(block_bytes(row)) - first_row_bits_ + 1;
}

DoublingTable::Cell DoublingTable::find(std::uint64_t offset) const {
  Cell cell;
  const unsigned high = log2(offset);
  cell.row = high < first_row_bits_ ? 0 : high - first_row_bits_ + 1;
  cell.bytes = block_bytes(cell.row);
  const std::uint64_t row_start = cell.row == 0 ? 0 : std::uint64_t{1} << high;
  cell.column = static_cast<unsigned>((offset - row_start) / cell.bytes);
  cell.offset = row_start + cell.column * cell.bytes;
  return cell;
}

}  // namespace filigree::format
