// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/btree1.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

template <class Io, class M>
void describe_chunk_key(Io& io, M& key, std::size_t key_offsets) {
  io.u32("stored bytes", key.stored_bytes);
  io.u32("filter mask", key.filter_mask);
  io.resize("chunk offsets", key.offsets, key_offsets, 8);
  for (auto& offset : key.offsets) io.u64("chunk offset", offset);
}

template <class Io, class M>
void describe_key(Io& io, M& m, std::size_t index) {
  if (m.type == BTree1Type::group) {
    io.length("name offset", m.names[index]);
  } else {
    describe_chunk_key(io, m.chunks[index], m.key_offsets);
  }
}

}  // namespace

template <class Io, Model<BTree1Node> M>
void describe(Io& io, M& m) {
  io.signature("TREE");
  BTree1Type type = m.type;
  io.u8("type", type);
  io.range("type", type, m.type, m.type);
  io.u8("level", m.level);
  auto count = static_cast<std::uint16_t>(m.children.size());
  io.u16("children", count);
  io.range("children", count, 0, m.most_children());
  io.address("left sibling", m.left);
  io.address("right sibling", m.right);
  const std::size_t key_bytes = m.key_bytes(io.widths());
  io.resize("children", m.children, count, key_bytes + io.widths().offset_bytes);
  const std::size_t keys = m.children.empty() ? 0 : m.children.size() + 1;
  io.resize("keys", m.names, m.type == BTree1Type::group ? keys : 0, key_bytes);
  io.resize("keys", m.chunks, m.type == BTree1Type::chunk ? keys : 0, key_bytes);
  if (m.names.empty() && m.chunks.empty()) return;
  for (std::size_t i = 0; i < m.children.size(); ++i) {
    describe_key(io, m, i);
    io.address("child", m.children[i]);
    io.require(is_valid(m.children[i]), "child", "is undefined");
  }
  describe_key(io, m, m.children.size());
}

FILIGREE_DESCRIBED(BTree1Node);

}  // namespace filigree::format
