// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/symbol_node.hpp"

#include "format/btrees/symbol_table_entry.hpp"
#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

std::size_t SymbolNode::allocated_bytes(const Widths& widths) const {
  return 8 + most_entries() * symbol_table_entry_bytes(widths);
}

template <class Io, Model<SymbolNode> M>
void describe(Io& io, M& m) {
  io.signature("SNOD");
  io.constant("version", 1);
  io.reserved(1);
  auto count = static_cast<std::uint16_t>(m.entries.size());
  io.u16("entries", count);
  io.range("entries", count, 0, m.most_entries());
  io.resize("entries", m.entries, count, symbol_table_entry_bytes(io.widths()));
  for (auto& entry : m.entries) describe_entry(io, entry);
}

FILIGREE_DESCRIBED(SymbolNode);

}  // namespace filigree::format
