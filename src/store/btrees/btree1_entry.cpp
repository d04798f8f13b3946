// SPDX-License-Identifier: Apache-2.0
#include "store/btrees/btree1_entry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"

namespace filigree::store {

std::size_t BTree1Entry::memory_bytes() const {
  const auto* const first = node.chunks.empty() ? nullptr : &node.chunks.front();
  const std::size_t apart =
      first != nullptr && !first->offsets.held_inside() ? 16 + 8u * node.key_offsets : 0;
  return sizeof(*this) + 8 * (node.names.size() + node.children.size()) +
         (sizeof(format::BTree1ChunkKey) + apart) * node.chunks.size();
}

void BTree1Entry::encode(EncodedBlocks& out) const {
  EncodedBlock encoded{address(), Buffer(node.allocated_bytes(widths_))};
  format::encode(node, MutableBytes(encoded.bytes), widths_);
  out.push_back(std::move(encoded));
}

std::shared_ptr<const BTree1Entry> get_btree1_node(const FileStore& store, Address at,
                                                   const format::BTree1Node& like,
                                                   std::optional<unsigned> level) {
  const auto entry = store.cache().get<BTree1Entry>(at, [&] {
    format::BTree1Node node;
    node.type = like.type;
    node.k = like.k;
    node.key_offsets = like.key_offsets;
    // In files of other writers the unused end of a node may be beyond the end of the file.
    const Buffer bytes =
        store.read_up_to(at, node.allocated_bytes(store.widths()), format::BTree1Node::structure);
    format::decode(node, bytes, store.widths(), at);
    return std::make_shared<BTree1Entry>(store.widths(), std::move(node));
  });
  const format::BTree1Node& node = entry->node;
  if (node.type != like.type || node.k != like.k || node.key_offsets != like.key_offsets) {
    throw Error(ErrorKind::corrupt,
                fmt::format("version 1 B-tree node at {}: it belongs to two trees", to_string(at)));
  }
  if (level && node.level != *level) {
    throw Error(ErrorKind::corrupt,
                fmt::format("version 1 B-tree node at {}: its level is {}, but {} is expected here",
                            to_string(at), node.level, *level));
  }
  return entry;
}

std::shared_ptr<const BTree1Entry> make_btree1_node(FileStore& store, format::BTree1Node node) {
  const Address at = store.space().allocate(SpaceKind::btree, node.allocated_bytes(store.widths()));
  return store.cache().insert(at, std::make_shared<BTree1Entry>(store.widths(), std::move(node)));
}

void free_btree1_node(FileStore& store, const std::shared_ptr<const BTree1Entry>& entry) {
  const Address at = entry->address();
  store.space().release(SpaceKind::btree, at, entry->node.allocated_bytes(store.widths()));
  store.cache().forget(at);
}

std::size_t children_kept_in_split(const format::BTree1Node& node, std::size_t index) {
  const std::size_t all = node.children.size();
  std::size_t kept = all / 2;
  if (!is_valid(node.right)) {
    kept = all * 9 / 10;
  } else if (!is_valid(node.left)) {
    kept = all / 10;
  }
  // The child and its new sibling go to the same half, which must have space for both.
  if (index < kept && kept == all) --kept;
  return std::clamp<std::size_t>(kept, 1, all - 1);
}

}  // namespace filigree::store
