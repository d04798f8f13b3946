// SPDX-License-Identifier: Apache-2.0
#include "index/tree1.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "store/corrupt.hpp"

namespace filigree::index {
namespace {

[[noreturn]] void throw_corrupt(Address at, std::string_view what) {
  store::throw_corrupt(format::BTree1Node::structure, at, what);
}

template <class List>
auto nth(List& list, std::size_t i) {
  return list.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace

Address ChunkTree1::create(store::FileStore& store, const Shape& shape) {
  const ChunkTree1 tree(store, Address::undefined, shape);
  return store::make_btree1_node(store, tree.blank(0))->address();
}

ChunkTree1::ChunkTree1(store::FileStore& store, Address root, Shape shape)
    : store_(store), root_(root), shape_(std::move(shape)) {}

format::BTree1Node ChunkTree1::blank(unsigned level) const {
  format::BTree1Node node;
  node.type = format::BTree1Type::chunk;
  node.k = shape_.k;
  node.key_offsets = static_cast<std::uint8_t>(shape_.dims.size());
  node.level = static_cast<std::uint8_t>(level);
  return node;
}

ChunkTree1::Node ChunkTree1::load(Address at, std::optional<unsigned> level) const {
  auto node = store::get_btree1_node(store_, at, blank(0), level);
  // Only the root of an empty tree has no children; walks rely on a chunk below every other node.
  if (node->node.children.empty() && (at != root_ || node->node.level != 0))
    throw_corrupt(at, "has no children");
  return node;
}

ChunkTree1::Node ChunkTree1::child(const Step& step) const {
  const format::BTree1Node& node = step.node->node;
  return load(node.children[step.index], node.level - 1u);
}

int ChunkTree1::compare(const Key& key, Offsets at) const {
  const std::uint64_t* const offsets = key.offsets.data();
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (offsets[d] != at[d]) return offsets[d] < at[d] ? -1 : 1;
  }
  return 0;
}

std::size_t ChunkTree1::child_for(const format::BTree1Node& node, Offsets at) const {
  const auto last = nth(node.chunks, node.children.size());
  const auto after = std::upper_bound(node.chunks.begin(), last, at, [this](Offsets sought, const Key& key) {
    return compare(key, sought) > 0;
  });
  return after == node.chunks.begin() ? 0 : static_cast<std::size_t>(after - node.chunks.begin()) - 1;
}

bool ChunkTree1::descend(Offsets at, Path& path) const {
  path.clear();
  Node node = load(root_, std::nullopt);
  for (;;) {
    const std::size_t index = node->node.children.empty() ? 0 : child_for(node->node, at);
    path.push_back({node, index});
    if (node->node.level == 0) break;
    node = child(path.back());
  }
  return !node->node.children.empty() && compare(node->node.chunks[path.back().index], at) == 0;
}

bool ChunkTree1::find(Offsets at, FunctionRef<void(const Key&, Address)> found) const {
  Node node = load(root_, std::nullopt);
  while (node->node.level > 0) node = child({node, child_for(node->node, at)});
  if (node->node.children.empty()) return false;
  const std::size_t index = child_for(node->node, at);
  if (compare(node->node.chunks[index], at) != 0) return false;
  found(node->node.chunks[index], node->node.children[index]);
  return true;
}

struct ChunkTree1::ManyKeys {
  FunctionRef<Offsets(std::size_t)> offsets;
  FunctionRef<void(std::size_t, const Key&, Address)> found;
};

void ChunkTree1::find_many(std::size_t keys, FunctionRef<Offsets(std::size_t)> offsets,
                           FunctionRef<void(std::size_t, const Key&, Address)> found) const {
  if (keys > 0) find_below(load(root_, std::nullopt), 0, keys, {offsets, found});
}

void ChunkTree1::find_below(const Node& node, std::size_t first, std::size_t last,
                            const ManyKeys& keys) const {
  const format::BTree1Node& here = node->node;
  if (here.children.empty()) return;
  if (here.level == 0) return find_in_leaf(here, first, last, keys);
  while (first < last) {
    const std::size_t index = child_for(here, keys.offsets(first));
    std::size_t end = last;
    if (index + 1 < here.children.size()) {
      // Binary search for the first key of the next child. Views are too new for the clang of Debian 12.
      std::size_t low = first + 1;
      while (low < end) {
        const std::size_t middle = low + (end - low) / 2;
        if (compare(here.chunks[index + 1], keys.offsets(middle)) > 0)
          low = middle + 1;
        else
          end = middle;
      }
    }
    find_below(child({node, index}), first, end, keys);
    first = end;
  }
}

void ChunkTree1::find_in_leaf(const format::BTree1Node& leaf, std::size_t first, std::size_t last,
                              const ManyKeys& keys) const {
  // Most requests for many chunks are for adjacent ones.
  for (std::size_t likely = 0; first < last; ++first) {
    const Offsets at = keys.offsets(first);
    const bool hit = likely < leaf.children.size() && compare(leaf.chunks[likely], at) == 0;
    const std::size_t index = hit ? likely : child_for(leaf, at);
    const int order = hit ? 0 : compare(leaf.chunks[index], at);
    if (order == 0) keys.found(first, leaf.chunks[index], leaf.children[index]);
    likely = index + 1;
    if (order < 0 && likely == leaf.children.size()) return;  // no later key is in this leaf either
  }
}

bool ChunkTree1::visit(Offsets from, FunctionRef<bool(const Key&, Address)> visitor) const {
  Key last;
  return visit_below(load(root_, std::nullopt), &from, last, visitor);
}

/// `from` is null when it is before all chunks of the node.
bool ChunkTree1::visit_below(const Node& node, Offsets* from, Key& last,
                             FunctionRef<bool(const Key&, Address)> visitor) const {
  const format::BTree1Node& here = node->node;
  std::size_t i = from == nullptr || here.children.empty() ? 0 : child_for(here, *from);
  for (; i < here.children.size(); ++i, from = nullptr) {
    if (here.level > 0) {
      if (!visit_below(child({node, i}), from, last, visitor)) return false;
      continue;
    }
    const Key& key = here.chunks[i];
    if (from != nullptr && compare(key, *from) < 0) continue;
    // Ascending keys bound the walk: a node with two parents would repeat its keys.
    if (!last.offsets.empty() && last.offsets >= key.offsets)
      throw_corrupt(node->address(), "its chunks are out of order");
    last.offsets = key.offsets;
    if (!visitor(key, here.children[i])) return false;
  }
  return true;
}

void ChunkTree1::collect_below(const Node& node, std::vector<Node>& nodes) const {
  nodes.push_back(node);
  if (node->node.level == 0) return;
  for (std::size_t i = 0; i < node->node.children.size(); ++i) collect_below(child({node, i}), nodes);
}

std::vector<ChunkTree1::Node> ChunkTree1::all_nodes() const {
  const Node root = load(root_, std::nullopt);
  // Proves that no node has two parents, so that the second walk terminates.
  Key last;
  visit_below(root, nullptr, last, [](const Key&, Address) { return true; });
  std::vector<Node> nodes;
  collect_below(root, nodes);
  return nodes;
}

std::uint64_t ChunkTree1::file_bytes() const {
  return all_nodes().size() * blank(0).allocated_bytes(store_.widths());
}

void ChunkTree1::destroy() {
  for (const Node& node : all_nodes()) store::free_btree1_node(store_, node);
}

}  // namespace filigree::index
