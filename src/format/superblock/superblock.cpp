// SPDX-License-Identifier: Apache-2.0
#include "format/superblock/superblock.hpp"

#include "format/btrees/symbol_table_entry.hpp"
#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<SymbolTableEntry> M>
void describe(Io& io, M& m) {
  describe_entry(io, m);
}

template <class Io, class M>
void describe_widths(Io& io, M& m) {
  io.u8("offset bytes", m.widths.offset_bytes);
  io.require(m.widths.offset_bytes == 2 || m.widths.offset_bytes == 4 || m.widths.offset_bytes == 8,
             "offset bytes", "is not 2, 4 or 8");
  io.u8("length bytes", m.widths.length_bytes);
  io.require(m.widths.length_bytes == 2 || m.widths.length_bytes == 4 || m.widths.length_bytes == 8,
             "length bytes", "is not 2, 4 or 8");
  // These two bytes determine the width of all following fields.
  if constexpr (Io::decodes) io.set_widths(m.widths);
}

template <class Io, class M>
void describe_old(Io& io, M& m) {
  io.constant("free-space version", 0);
  io.constant("root entry version", 0);
  io.reserved(1);
  io.constant("shared message version", 0);
  describe_widths(io, m);
  io.reserved(1);
  io.u16("group leaf K", m.group_leaf_k);
  io.range("group leaf K", m.group_leaf_k, 1, 32767);
  io.u16("group internal K", m.group_internal_k);
  io.range("group internal K", m.group_internal_k, 1, 32767);
  io.u32("consistency flags", m.flags);
  if (m.version == 1) {
    io.u16("chunk K", m.chunk_k);
    io.range("chunk K", m.chunk_k, 1, 32767);
    io.reserved(2);
  }
  io.address("base address", m.base);
  Address free_space = Address::undefined;
  io.address("free-space address", free_space);
  io.address("end of file", m.end_of_file);
  io.address("driver info", m.driver_info);
  describe_entry(io, m.root);
}

template <class Io, class M>
void describe_new(Io& io, M& m) {
  describe_widths(io, m);
  io.u8("flags", m.flags);
  io.require((m.flags & ~7u) == 0, "flags", "has unknown bits");
  io.address("base address", m.base);
  io.address("extension", m.extension);
  io.address("end of file", m.end_of_file);
  io.address("root group header", m.root.header);
  io.checksum();
}

template <class Io, Model<Superblock> M>
void describe(Io& io, M& m) {
  io.signature(superblock_signature);
  io.u8("version", m.version);
  io.range("version", m.version, 0, 3);
  if (m.version <= 1) {
    describe_old(io, m);
  } else {
    describe_new(io, m);
  }
  io.require(is_valid(m.root.header), "root group header", "is undefined");
}

FILIGREE_DESCRIBED(SymbolTableEntry);
FILIGREE_DESCRIBED(Superblock);

}  // namespace filigree::format
