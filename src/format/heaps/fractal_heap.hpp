// SPDX-License-Identifier: Apache-2.0
//
// Fractal heaps: many small objects in blocks whose sizes double. A few parameters determine the shape of the
// doubling table that addresses the blocks. See HDF5 File Format Specification, section "Fractal Heap".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The header of a fractal heap ("FRHP").
struct FractalHeapHeader {
  static constexpr std::string_view structure = "fractal heap header";
  std::uint16_t id_bytes = 7;
  bool huge_ids_wrapped = false;
  bool checksum_direct = true;       ///< whether direct blocks have a checksum
  std::uint32_t max_managed = 4096;  ///< largest size of a managed object; larger ones are huge
  std::uint64_t next_huge_id = 0;    ///< the last id that was assigned
  Address huge_btree = Address::undefined;
  std::uint64_t free_bytes =
      0;  ///< unused bytes, including blocks of existing rows that are not allocated yet
  Address free_space = Address::undefined;
  std::uint64_t managed_bytes = 0;    ///< number of heap offsets that the existing rows cover
  std::uint64_t allocated_bytes = 0;  ///< size of the direct blocks in the file
  std::uint64_t iterator = 0;         ///< heap offset of the next new block
  std::uint64_t managed_objects = 0;
  std::uint64_t huge_bytes = 0;
  std::uint64_t huge_objects = 0;
  std::uint64_t tiny_bytes = 0;
  std::uint64_t tiny_objects = 0;
  std::uint16_t table_width = 4;
  std::uint64_t start_block = 512;
  std::uint64_t max_direct = 65536;
  std::uint16_t max_bits = 32;   ///< heap offsets stay below 2^max_bits
  std::uint16_t start_rows = 1;  ///< number of rows of a new root indirect block
  Address root = Address::undefined;
  std::uint16_t root_rows = 0;          ///< 0 if the root is a direct block or absent
  std::uint64_t root_stored_bytes = 0;  ///< stored size of a filtered root direct block
  std::uint32_t root_filter_mask = 0;
  Buffer pipeline;  ///< body of the filter pipeline message; empty if the heap is unfiltered

  bool filtered() const { return !pipeline.empty(); }
};

/// The doubling table: maps heap offsets to blocks.
class DoublingTable {
 public:
  static constexpr unsigned most_rows = 66;

  /// *Requires* a decoded `header`. `overhead` is the size of the prefix of a direct block.
  DoublingTable(const FractalHeapHeader& header, const Widths& widths);

  /// A cell (row and column) of an indirect block.
  struct Cell {
    unsigned row = 0;
    unsigned column = 0;
    std::uint64_t offset = 0;  ///< offset of the cell relative to the indirect block
    std::uint64_t bytes = 0;   ///< number of heap offsets that it covers
  };

  unsigned width() const { return width_; }
  unsigned direct_rows() const {
    return direct_rows_;
  }  ///< number of rows of direct blocks in an indirect block
  unsigned max_root_rows() const { return max_root_rows_; }
  unsigned overhead() const { return overhead_; }          ///< size of the prefix of a direct block
  unsigned offset_bytes() const { return offset_bytes_; }  ///< width of stored heap offsets
  std::uint64_t block_bytes(unsigned row) const { return row == 0 ? start_ : start_ << (row - 1); }
  /// The start of cell `row * width + column` of an indirect block, relative to that block.
  std::uint64_t cell_offset(unsigned cell) const {
    return covered(cell / width_) + cell % width_ * block_bytes(cell / width_);
  }
  /// The number of heap offsets in the first `rows` rows; the largest number if it is 2^64.
  std::uint64_t covered(unsigned rows) const;
  /// The capacity for objects of all blocks in the first `rows` rows.
  std::uint64_t usable(unsigned rows) const { return usable_[rows]; }
  /// The capacity for objects of one cell of `row`.
  std::uint64_t usable_in_cell(unsigned row) const;
  /// The number of rows of the indirect block of a cell of `row`. *Requires* at least direct_rows().
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

/// An indirect block ("FHIB") of `rows` rows of pointers. The caller sets the members before `heap`; they are
/// not stored.
struct FractalHeapIndirectBlock {
  static constexpr std::string_view structure = "fractal heap indirect block";
  unsigned rows = 0;
  unsigned width = 0;
  unsigned direct_rows = 0;
  unsigned offset_bytes = 0;
  bool filtered = false;

  struct Child {
    Address address = Address::undefined;
    std::uint64_t stored_bytes = 0;  ///< stored size of a direct block in a filtered heap
    std::uint32_t filter_mask = 0;
    friend bool operator==(const Child&, const Child&) = default;
  };
  Address heap = Address::undefined;  ///< address of the header
  std::uint64_t offset = 0;           ///< offset of this block in the heap
  std::vector<Child> children;        ///< in row-major order
};

/// The prefix of a direct block ("FHDB"). The caller sets the members before `heap`; they are not stored.
struct FractalHeapDirectPrefix {
  static constexpr std::string_view structure = "fractal heap direct block";
  unsigned offset_bytes = 0;
  bool has_checksum = true;

  Address heap = Address::undefined;
  std::uint64_t offset = 0;
  std::uint32_t checksum = 0;  ///< checksum of the complete block with this field set to zero
};

enum class HeapIdKind : std::uint8_t { managed = 0, huge = 1, tiny = 2 };

/// The layout of the ids of one heap.
struct HeapIdLayout {
  HeapIdLayout(const FractalHeapHeader& header, const Widths& widths);
  std::uint16_t id_bytes;
  std::uint8_t offset_bytes;
  std::uint8_t length_bytes;  ///< width of the length of managed objects
  std::uint8_t key_bytes;     ///< width of the keys of huge objects in the B-tree
  bool huge_direct;           ///< whether ids of huge objects hold address and length
  bool filtered;
  Widths widths;
  std::uint16_t longest_tiny() const;
};

struct HeapId {
  HeapIdKind kind = HeapIdKind::managed;
  std::uint64_t offset = 0;              ///< managed: heap offset
  std::uint64_t length = 0;              ///< managed: size of the object; huge direct: stored size
  Address address = Address::undefined;  ///< huge direct
  std::uint32_t filter_mask = 0;         ///< huge direct, filtered heap
  std::uint64_t object_bytes = 0;        ///< huge direct: size of the object
  std::uint64_t key = 0;                 ///< huge indirect
  Bytes tiny;                            ///< the object; a decoded id refers to the bytes of the id
};

/// *Throws* Error(corrupt) for ids that are too short, of an unknown kind, or empty.
HeapId decode_heap_id(Bytes id, const HeapIdLayout& layout);
/// Encodes an id of exactly layout.id_bytes. *Throws* Error(limit) if a value does not fit.
Buffer encode_heap_id(const HeapId& id, const HeapIdLayout& layout);

}  // namespace filigree::format
