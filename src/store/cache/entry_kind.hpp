// SPDX-License-Identifier: Apache-2.0
//
// The kinds of structures that the metadata cache holds. A new structure is one enumerator and one row of the
// table.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "io/extent.hpp"

namespace filigree::store {

/// The kind of a structure. One address holds one structure: another kind at the same address means that two
/// structures of the file overlap.
enum class EntryKind : std::uint8_t {
  object_header,
  btree1_node,
  symbol_node,
  local_heap,
  global_heap,
  btree2_header,
  btree2_node,
  heap_header,
  heap_indirect_block,
  heap_direct_block,
  free_space,
  shared_message_table,
  shared_message_list,
  fixed_array_header,
  fixed_array_block,
  extensible_array_header,
  extensible_array_index_block,
  extensible_array_super_block,
  extensible_array_data_block,
  array_page,
};

/// What the cache and the flush know of a kind.
struct EntryKindRow {
  EntryKind kind;
  std::string_view name;       ///< in error messages, and for H5Fget_metadata_read_retry_info()
  io::MemoryType memory_type;  ///< for drivers that put each type into a file of its own, as in HDF5
  /// The order of a flush for SWMR readers: a structure points only to structures of lower levels. See
  /// store/flush.cpp.
  std::uint8_t swmr_level;
  bool allocates_for_flush = false;     ///< Entry::allocate_for_flush() does something
  bool moves_for_swmr_readers = false;  ///< Entry::move_for_swmr_readers() does something
};

/// One row for each kind, in the order of the enumerators.
inline constexpr auto entry_kinds = [] {
  using enum EntryKind;
  using Memory = io::MemoryType;
  return std::to_array<EntryKindRow>({
      {object_header, "object header", Memory::object_header, 5},
      {btree1_node, "version 1 B-tree node", Memory::btree, 1},
      {symbol_node, "symbol table node", Memory::btree, 1},
      {local_heap, "local heap", Memory::local_heap, 0},
      {global_heap, "global heap collection", Memory::global_heap, 0},
      {.kind = btree2_header,
       .name = "version 2 B-tree header",
       .memory_type = Memory::btree,
       .swmr_level = 4,
       .moves_for_swmr_readers = true},
      {btree2_node, "version 2 B-tree node", Memory::btree, 1},
      {heap_header, "fractal heap header", Memory::object_header, 4},
      {.kind = heap_indirect_block,
       .name = "fractal heap indirect block",
       .memory_type = Memory::object_header,
       .swmr_level = 1,
       .allocates_for_flush = true},
      {.kind = heap_direct_block,
       .name = "fractal heap direct block",
       .memory_type = Memory::local_heap,
       .swmr_level = 0,
       .allocates_for_flush = true},
      {.kind = free_space,
       .name = "free-space manager",
       .memory_type = Memory::object_header,
       .swmr_level = 4,
       .allocates_for_flush = true},
      {shared_message_table, "shared message table", Memory::object_header, 4},
      {shared_message_list, "shared message list", Memory::btree, 0},
      {fixed_array_header, "fixed array header", Memory::object_header, 4},
      {fixed_array_block, "fixed array data block", Memory::local_heap, 1},
      {extensible_array_header, "extensible array header", Memory::object_header, 4},
      {extensible_array_index_block, "extensible array index block", Memory::object_header, 3},
      {extensible_array_super_block, "extensible array super block", Memory::btree, 2},
      {extensible_array_data_block, "extensible array data block", Memory::local_heap, 1},
      {array_page, "page of a chunk array", Memory::local_heap, 0},
  });
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < entry_kinds.size(); ++i)
        if (entry_kinds[i].kind != static_cast<EntryKind>(i)) return false;
      return entry_kinds.back().kind == EntryKind::array_page;
    }(),
    "the rows are in the order of the enumerators, and none is missing");

constexpr const EntryKindRow& row_of(EntryKind kind) { return entry_kinds[static_cast<std::size_t>(kind)]; }
constexpr std::string_view to_string(EntryKind kind) { return row_of(kind).name; }

}  // namespace filigree::store
