// SPDX-License-Identifier: Apache-2.0
//
// Symbol table nodes: the leaves of an old-style group, holding its links in name order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/superblock/superblock.hpp"

namespace filigree::format {

/// One node ("SNOD"). The file holds it at allocated_bytes(), however few entries it has.
struct SymbolNode {
  static constexpr std::string_view structure = "symbol table node";
  std::uint16_t leaf_k = 4;  ///< outside parameter: at most 2 leaf_k entries
  std::vector<SymbolTableEntry> entries;

  std::size_t most_entries() const { return 2u * leaf_k; }
  std::size_t allocated_bytes(const Widths& widths) const;
};

}  // namespace filigree::format
