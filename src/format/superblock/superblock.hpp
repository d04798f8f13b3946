// SPDX-License-Identifier: Apache-2.0
//
// The superblock, versions 0 to 3, and the symbol table entry that versions 0 and 1 contain. See
// docs/format/superblock.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

inline constexpr std::string_view superblock_signature = "\x89HDF\r\n\x1a\n";

/// The content of the scratch pad of a symbol table entry.
enum class EntryCache : std::uint32_t { none = 0, group = 1, soft_link = 2 };

/// A link of an old-style group.
struct SymbolTableEntry {
  static constexpr std::string_view structure = "symbol table entry";
  std::uint64_t name_offset = 0;  ///< in the local heap of the group
  Address header = Address::undefined;
  EntryCache cache = EntryCache::none;
  Address cached_btree = Address::undefined;  ///< for EntryCache::group
  Address cached_heap = Address::undefined;   ///< for EntryCache::group
  std::uint32_t link_offset = 0;              ///< for EntryCache::soft_link: heap offset of the target
};

struct Superblock {
  static constexpr std::string_view structure = "superblock";
  std::uint8_t version = 0;
  Widths widths;
  std::uint16_t group_leaf_k = 4;
  std::uint16_t group_internal_k = 16;
  std::uint16_t chunk_k = 32;
  std::uint32_t flags = 0;  ///< bit 0 open for write, bit 2 SWMR writer; see model/file/write_mark
  Address base = to_address(0);
  Address extension = Address::undefined;    ///< versions 2 and 3
  Address driver_info = Address::undefined;  ///< versions 0 and 1
  std::uint64_t end_of_file = 0;             ///< absolute, including the base address
  SymbolTableEntry root;                     ///< versions 2 and 3 store only root.header
};

}  // namespace filigree::format
