// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/btree2_records.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, class Id>
void describe_heap_id(Io& io, Id& id) {
  std::uint64_t word = load_word(id.data(), id.size());
  io.word("heap id", word, id.size());
  if constexpr (Io::decodes) store_word(id.data(), word, id.size());
}

template <class Io, class M>
void describe_extent(Io& io, M& m) {
  io.address("address", m.at);
  io.length("bytes", m.bytes);
}

template <class Io, class M>
void describe_filtered(Io& io, M& m) {
  io.u32("filter mask", m.filter_mask);
  io.length("unfiltered bytes", m.unfiltered_bytes);
}

template <class Io, Model<HugeIndirectRecord> M>
void describe(Io& io, M& m) {
  describe_extent(io, m);
  io.length("id", m.id);
}

template <class Io, Model<HugeIndirectFilteredRecord> M>
void describe(Io& io, M& m) {
  describe_extent(io, m);
  describe_filtered(io, m);
  io.length("id", m.id);
}

template <class Io, Model<HugeDirectRecord> M>
void describe(Io& io, M& m) {
  describe_extent(io, m);
}

template <class Io, Model<HugeDirectFilteredRecord> M>
void describe(Io& io, M& m) {
  describe_extent(io, m);
  describe_filtered(io, m);
}

template <class Io, Model<LinkNameRecord> M>
void describe(Io& io, M& m) {
  io.u32("hash", m.hash);
  describe_heap_id(io, m.heap_id);
}

template <class Io, Model<LinkOrderRecord> M>
void describe(Io& io, M& m) {
  io.u64("order", m.order);
  describe_heap_id(io, m.heap_id);
}

template <class Io, Model<AttributeNameRecord> M>
void describe(Io& io, M& m) {
  describe_heap_id(io, m.heap_id);
  io.u8("message flags", m.message_flags);
  io.u32("order", m.order);
  io.u32("hash", m.hash);
}

template <class Io, Model<AttributeOrderRecord> M>
void describe(Io& io, M& m) {
  describe_heap_id(io, m.heap_id);
  io.u8("message flags", m.message_flags);
  io.u32("order", m.order);
}

FILIGREE_DESCRIBED(HugeIndirectRecord);
FILIGREE_DESCRIBED(HugeIndirectFilteredRecord);
FILIGREE_DESCRIBED(HugeDirectRecord);
FILIGREE_DESCRIBED(HugeDirectFilteredRecord);
FILIGREE_DESCRIBED(LinkNameRecord);
FILIGREE_DESCRIBED(LinkOrderRecord);
FILIGREE_DESCRIBED(AttributeNameRecord);
FILIGREE_DESCRIBED(AttributeOrderRecord);

}  // namespace filigree::format
