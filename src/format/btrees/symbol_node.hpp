// SPDX-License-Identifier: Apache-2.0
//
// Symbol table nodes: the leaves of an old-style group, which hold its links in name order. See HDF5 File
// Format Specification, section "Group Symbol Table Nodes".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/superblock/superblock.hpp"

namespace filigree::format {

/// One node ("SNOD"). A node always takes allocated_bytes() in the file.
struct SymbolNode {
  static constexpr std::string_view structure = "symbol table node";
  std::uint16_t leaf_k = 4;  ///< set by the caller: at most 2 leaf_k entries
  std::vector<SymbolTableEntry> entries;

  std::size_t most_entries() const { return 2u * leaf_k; }
  std::size_t allocated_bytes(const Widths& widths) const;
};

}  // namespace filigree::format
