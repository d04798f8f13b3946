// SPDX-License-Identifier: Apache-2.0
//
// The fractal heap: many small objects in blocks whose sizes double, reached through a table whose
// shape follows from a few parameters (hdf5-format.md §5).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Header of a fractal heap ("FRHP").
struct FractalHeapHeader {
  static constexpr std::string_view structure = "fractal heap header";
  std::uint16_t id_bytes = 7;
  bool huge_ids_wrapped = false;
  bool checksum_direct = true;       ///< direct blocks carry a checksum
  std::uint32_t max_managed = 4096;  ///< longer objects are huge
  std::uint64_t next_huge_id = 0;    ///< the last one given; the next is one more
  Address huge_btree = Address::undefined;
  std::uint64_t free_bytes = 0;  ///< usable and unused, blocks of existing rows not yet allocated included
  Address free_space = Address::undefined;
  std::uint64_t managed_bytes = 0;    ///< heap offsets that the existing rows cover
  std::uint64_t allocated_bytes = 0;  ///< direct blocks in the file
  std::uint64_t iterator = 0;         ///< heap offset where the next new block goes
  std::uint64_t managed_objects = 0;
  std::uint64_t huge_bytes = 0;
  std::uint64_t huge_objects = 0;
  std::uint64_t tiny_bytes = 0;
  std::uint64_t tiny_objects = 0;
  std::uint16_t table_width = 4;
  std::uint64_t start_block = 512;
  std::uint64_t max_direct = 65536;
  std::uint16_t max_bits = 32;   ///< heap offsets stay below 2^max_bits
  std::uint16_t start_rows = 1;  ///< of a new root indirect block
  Address root = Address::undefined;
  std::uint16_t root_rows = 0;          ///< 0: the root is a direct block, or absent
  std::uint64_t root_stored_bytes = 0;  ///< of a filtered root direct block
  std::uint32_t root_filter_mask = 0;
  Buffer pipeline;  ///< body of the filter pipeline message; empty when unfiltered

  bool filtered() const { return !pipeline.empty(); }
};

/// Where the block of a heap offset stands: the maths of §5.2.
class DoublingTable {
 public:
  static constexpr unsigned most_rows = 66;

  /// `header` has passed its description, `overhead` is that of a direct block.
  DoublingTable(const FractalHeapHeader& header, const Widths& widths);

  /// A cell of an indirect block.
  struct Cell {
    unsigned row = 0;
    unsigned column = 0;
    std::uint64_t offset = 0;  ///< of the cell, relative to the indirect block
    std::uint64_t bytes = 0;   ///< heap offsets that it covers
  };

  unsigned width() const { return width_; }
  unsigned direct_rows() const { return direct_rows_; }  ///< rows of direct blocks in any indirect block
  unsigned max_root_rows() const { return max_root_rows_; }
  unsigned overhead() const { return overhead_; }          ///< of a direct block, at its start
  unsigned offset_bytes() const { return offset_bytes_; }  ///< width of stored heap offsets
  std::uint64_t block_bytes(unsigned row) const { return row == 0 ? start_ : start_ << (row - 1); }
  /// Where cell `row * width + column` of an indirect block begins, relative to that block.
  std::uint64_t cell_offset(unsigned cell) const {
    return covered(cell / width_) + cell % width_ * block_bytes(cell / width_);
  }
  /// Heap offsets in the first `rows` rows; the largest number when they are 2^64.
  std::uint64_t covered(unsigned rows) const;
  /// Bytes for objects in all blocks of the first `rows` rows.
  std::uint64_t usable(unsigned rows) const { return usable_[rows]; }
  /// Bytes for objects under one cell of `row`.
  std::uint64_t usable_in_cell(unsigned row) const;
  /// Rows of the indirect block that a cell of `row` (at least direct_rows()) points to.
  unsigned child_rows(unsigned row) const;
  /// The cell of an indirect block that covers `offset`, relative to that block.
  Cell find(std::uint64_t offset) const;

 private:
  unsigned width_;
  std::uint64_t start_;
  unsigned first_row_bits_;
  unsigned direct_rows_;
  unsigned max_root_rows_;
  unsigned overhead_;
  unsigned offset_bytes_;
  std::array<std::uint64_t, most_rows> usable_{};
};

/// An indirect block ("FHIB"): `rows` rows of pointers. The members before `heap` are not stored in it.
struct FractalHeapIndirectBlock {
  static constexpr std::string_view structure = "fractal heap indirect block";
  unsigned rows = 0;
  unsigned width = 0;
  unsigned direct_rows = 0;
  unsigned offset_bytes = 0;
  bool filtered = false;

  struct Child {
    Address address = Address::undefined;
    std::uint64_t stored_bytes = 0;  ///< filtered heaps, direct blocks
    std::uint32_t filter_mask = 0;
    friend bool operator==(const Child&, const Child&) = default;
  };
  Address heap = Address::undefined;  ///< back pointer to the header
  std::uint64_t offset = 0;           ///< of this block within the heap
  std::vector<Child> children;        ///< row by row
};

/// The start of a direct block ("FHDB"). The members before `heap` are not stored in it.
struct FractalHeapDirectPrefix {
  static constexpr std::string_view structure = "fractal heap direct block";
  unsigned offset_bytes = 0;
  bool has_checksum = true;

  Address heap = Address::undefined;
  std::uint64_t offset = 0;
  std::uint32_t checksum = 0;  ///< of the whole block, with this field zero
};

enum class HeapIdKind : std::uint8_t { managed = 0, huge = 1, tiny = 2 };

/// What the heap IDs of one heap look like.
struct HeapIdLayout {
  HeapIdLayout(const FractalHeapHeader& header, const Widths& widths);
  std::uint16_t id_bytes;
  std::uint8_t offset_bytes;
  std::uint8_t length_bytes;  ///< of managed objects
  std::uint8_t key_bytes;     ///< of huge objects that are found through the B-tree
  bool huge_direct;           ///< IDs of huge objects hold address and length
  bool filtered;
  Widths widths;
  std::uint16_t longest_tiny() const;
};

struct HeapId {
  HeapIdKind kind = HeapIdKind::managed;
  std::uint64_t offset = 0;              ///< managed: heap offset
  std::uint64_t length = 0;              ///< managed: of the object; huge direct: stored bytes
  Address address = Address::undefined;  ///< huge direct
  std::uint32_t filter_mask = 0;         ///< huge direct, filtered heap
  std::uint64_t object_bytes = 0;        ///< huge direct: of the object itself
  std::uint64_t key = 0;                 ///< huge, otherwise
  Bytes tiny;                            ///< the object; refers to the ID's bytes when decoded
};

/// Throws Error(corrupt) for IDs that are too short, of an unknown kind, or empty.
HeapId decode_heap_id(Bytes id, const HeapIdLayout& layout);
/// Exactly layout.id_bytes bytes. Throws Error(limit) when a value does not fit.
Buffer encode_heap_id(const HeapId& id, const HeapIdLayout& layout);

}  // namespace filigree::format
