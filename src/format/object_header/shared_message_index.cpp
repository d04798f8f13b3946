// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/shared_message_index.hpp"

#include "base/checksum.hpp"
#include "format/codec/codec_instantiate.hpp"
#include "format/object_header/shared_heap_id.hpp"

namespace filigree::format {

namespace {

template <class Io, class Index>
void describe_index(Io& io, Index& index) {
  io.constant("index version", 0);
  io.u8("kind", index.kind);
  io.range("kind", index.kind, 0, 1);
  io.u16("message types", index.message_types);
  io.u32("smallest bytes", index.smallest_bytes);
  io.u16("list maximum", index.list_maximum);
  io.u16("B-tree minimum", index.btree_minimum);
  io.u16("messages", index.messages);
  io.require(index.kind == SharedIndexKind::btree || index.messages <= index.list_maximum, "messages",
             "is above the list maximum");
  io.address("records", index.records);
  io.address("fractal heap", index.heap);
}

}  // namespace

template <class Io, Model<SharedMessageTable> M>
void describe(Io& io, M& m) {
  io.signature("SMTB");
  const std::uint64_t count = Io::decodes ? m.index_count : m.indexes.size();
  io.range("indexes", count, 1, 8);
  io.resize("indexes", m.indexes, count, 14u + 2u * io.widths().offset_bytes);
  unsigned seen = 0;
  for (auto& index : m.indexes) {
    describe_index(io, index);
    io.require((seen & index.message_types) == 0, "message types", "repeats a type of another index");
    seen |= index.message_types;
  }
  io.checksum();
}

template <class Io, Model<SharedMessageRecord> M>
void describe(Io& io, M& m) {
  io.u8("location", m.location);
  io.range("location", m.location, 0, 1);
  io.u32("hash", m.hash);
  std::size_t used = 17;
  if (m.location == SharedLocation::heap) {
    io.u32("references", m.references);
    describe_heap_id(io, m.heap_id);
  } else {
    io.reserved(1);
    io.u8("message type", m.type);
    io.u16("index", m.index);
    io.address("object header", m.header);
    used = 9u + io.widths().offset_bytes;
  }
  io.reserved(shared_message_record_bytes(io.widths()) - used);
}

template <class Io, Model<SharedMessageList> M>
void describe(Io& io, M& m) {
  io.signature("SMLI");
  const std::uint64_t count = Io::decodes ? m.record_count : m.records.size();
  io.resize("records", m.records, count, shared_message_record_bytes(io.widths()));
  for (auto& record : m.records) describe(io, record);
  io.checksum();
}

FILIGREE_DESCRIBED(SharedMessageTable);
FILIGREE_DESCRIBED(SharedMessageRecord);
FILIGREE_DESCRIBED(SharedMessageList);

std::uint32_t shared_message_hash(MessageType type, Bytes body) {
  return lookup3(body, static_cast<std::uint32_t>(type));
}

}  // namespace filigree::format
