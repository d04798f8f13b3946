// SPDX-License-Identifier: Apache-2.0
//
// The description of a symbol table entry, shared by the superblock and by symbol table nodes.
#pragma once

#include "format/superblock/superblock.hpp"

namespace filigree::format {

template <class Io, class M>
void describe_entry(Io& io, M& m) {
  // The specification says that this field has the width of an offset; in files it has that of a length.
  io.length("name offset", m.name_offset);
  io.address("object header", m.header);
  io.u32("cache type", m.cache);
  io.range("cache type", m.cache, 0, 2);
  io.reserved(4);
  std::size_t used = 0;
  switch (m.cache) {
    case EntryCache::none:
      break;
    case EntryCache::group:
      io.address("cached B-tree", m.cached_btree);
      io.address("cached local heap", m.cached_heap);
      used = 2u * io.widths().offset_bytes;
      break;
    case EntryCache::soft_link:
      io.u32("link value offset", m.link_offset);
      used = 4;
      break;
  }
  io.reserved(16 - used);
}

/// The size of one entry.
inline std::size_t symbol_table_entry_bytes(const Widths& widths) {
  return widths.length_bytes + widths.offset_bytes + 24u;
}

}  // namespace filigree::format
