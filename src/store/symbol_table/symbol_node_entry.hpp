// SPDX-License-Identifier: Apache-2.0
//
// A symbol table node, as the metadata cache holds it.
#pragma once

#include "format/btrees/symbol_node.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

/// A decoded node: a leaf of a symbol table.
class SymbolNodeEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::symbol_node;
  SymbolNodeEntry(const format::Widths& widths, format::SymbolNode content)
      : Entry(entry_kind), node(std::move(content)), widths_(widths) {}

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  format::SymbolNode node;

 private:
  format::Widths widths_;
};

}  // namespace filigree::store
