// SPDX-License-Identifier: Apache-2.0
//
// Insertion into and removal from a version 1 B-tree of chunks.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "index/tree1.hpp"

namespace filigree::index {
namespace {

template <class List>
auto nth(List& list, std::size_t i) {
  return list.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace

/// The key after the last chunk of the tree: the chunk that is one further in every dimension.
ChunkTree1::Key ChunkTree1::sentinel(const Key& last) const {
  Key end;
  end.offsets.resize(shape_.dims.size());
  for (std::size_t d = 0; d < shape_.dims.size(); ++d) end.offsets[d] = last.offsets[d] + shape_.dims[d];
  return end;
}

std::optional<std::pair<ChunkTree1::Key, Address>> ChunkTree1::insert(const Key& key, Address chunk) {
  Path path;
  const bool found = descend(Offsets(key.offsets).first(key.offsets.size() - 1), path);
  return insert_at(path, found, key, chunk);
}

void ChunkTree1::insert_many(std::size_t chunks, FunctionRef<std::pair<Key, Address>(std::size_t)> chunk,
                             std::size_t& done) {
  Path path;
  for (; done < chunks; ++done) {
    auto [key, address] = chunk(done);
    const Offsets at = Offsets(key.offsets).first(key.offsets.size() - 1);
    bool found = false;
    if (!reuse_path(at, path, found)) found = descend(at, path);
    insert_at(path, found, std::move(key), address);
  }
}

bool ChunkTree1::reuse_path(Offsets at, Path& path, bool& found) const {
  if (path.empty()) return false;
  const format::BTree1Node& leaf = path.back().node->node;
  if (leaf.children.empty() || compare(leaf.chunks.front(), at) > 0) return false;
  // The nearest key to the right in the nodes above is the end of the leaf.
  for (std::size_t d = path.size() - 1; d > 0; --d) {
    const auto& [parent, index] = path[d - 1];
    if (index + 1 == parent->node.children.size()) continue;
    if (compare(parent->node.chunks[index + 1], at) <= 0) return false;
    break;
  }
  const bool after_all = compare(leaf.chunks[leaf.children.size() - 1], at) < 0;
  path.back().index = after_all ? leaf.children.size() - 1 : child_for(leaf, at);
  found = compare(leaf.chunks[path.back().index], at) == 0;
  return true;
}

void ChunkTree1::replace_at(const Path& path, const Key& key, Address chunk) {
  const auto& [node, index] = path.back();
  format::BTree1Node& leaf = edit(node);
  leaf.children[index] = chunk;
  if (leaf.chunks[index] == key) return;
  leaf.chunks[index] = key;
  for (std::size_t d = path.size() - 1; d > 0 && path[d].index == 0; --d)
    edit(path[d - 1].node).chunks[path[d - 1].index] = key;
}

/// `path` leads to the position of the chunk, and is a valid path of the tree afterwards.
std::optional<std::pair<ChunkTree1::Key, Address>> ChunkTree1::insert_at(Path& path, bool found, Key key,
                                                                         Address chunk) {
  const Offsets at = Offsets(key.offsets).first(key.offsets.size() - 1);
  if (found) {
    const auto& [node, index] = path.back();
    std::pair<Key, Address> before{node->node.chunks[index], node->node.children[index]};
    if (before.first != key || before.second != chunk) replace_at(path, key, chunk);
    return before;
  }
  std::size_t depth = path.size() - 1;
  ensure_capacity(path, depth);
  const Node node = path.back().node;
  format::BTree1Node& leaf = edit(node);
  if (leaf.children.empty()) {
    leaf.children = {chunk};
    leaf.chunks = {key, sentinel(key)};
    return std::nullopt;
  }
  const bool in_front = compare(leaf.chunks.front(), at) > 0;
  const std::size_t index = in_front ? 0 : path.back().index + 1;
  leaf.children.insert(nth(leaf.children, index), chunk);
  leaf.chunks.insert(nth(leaf.chunks, index), key);
  path.back().index = index;
  if (in_front) {
    carry_first_key(path, depth);
  } else if (index + 1 == leaf.children.size() && compare(leaf.chunks.back(), at) <= 0) {
    raise_last_key(path, key);
  }
  return std::nullopt;
}

void ChunkTree1::raise_last_key(const Path& path, const Key& key) {
  // The nearest key to the right in the nodes above is the end of the node; without one it is the rightmost
  // node.
  std::size_t above = path.size() - 1;
  Key bound = sentinel(key);
  while (above > 0) {
    const auto& [parent, index] = path[above - 1];
    if (index + 1 < parent->node.children.size()) {
      bound = parent->node.chunks[index + 1];
      break;
    }
    --above;
  }
  for (std::size_t d = above; d < path.size(); ++d) edit(path[d].node).chunks.back() = bound;
}

void ChunkTree1::carry_first_key(const Path& path, std::size_t depth) {
  for (std::size_t d = depth;; --d) {
    const format::BTree1Node& node = path[d].node->node;
    const Key key = node.chunks.front();
    if (is_valid(node.left)) {
      const Node left = load(node.left, node.level);
      if (left->node.chunks.back() != key) edit(left).chunks.back() = key;
    }
    if (d == 0) return;
    const auto& [parent, index] = path[d - 1];
    edit(parent).chunks[index] = key;
    if (index > 0) return;
  }
}

/// Makes the node at path[depth] hold one more child; `depth` changes with its depth.
void ChunkTree1::ensure_capacity(Path& path, std::size_t& depth) {
  const format::BTree1Node& node = path[depth].node->node;
  if (node.children.size() < node.most_children()) return;
  if (depth == 0) {
    grow_root(path);
    depth = 1;
  } else {
    std::size_t parent = depth - 1;
    ensure_capacity(path, parent);
    depth = parent + 1;
  }
  split(path, depth);
}

/// Moves the content of the root to a new node, which becomes its only child.
void ChunkTree1::grow_root(Path& path) {
  const Node root = path.front().node;
  if (root->node.level == 255)
    throw Error(ErrorKind::limit, fmt::format("{} at {}: the tree has the maximum depth",
                                              format::BTree1Node::structure, to_string(root_)));
  const Node below = store::make_btree1_node(store_, root->node);
  format::BTree1Node& top = edit(root);
  top.chunks = {top.chunks.front(), top.chunks.back()};
  top.children = {below->address()};
  ++top.level;
  path.front() = {below, path.front().index};
  path.insert(path.begin(), Step{root, 0});
}

void ChunkTree1::split(Path& path, std::size_t depth) {
  Step& step = path[depth];
  const Node left = step.node;
  const Node next = is_valid(left->node.right) ? load(left->node.right, left->node.level) : nullptr;
  const std::size_t kept = store::children_kept_in_split(left->node, step.index);

  format::BTree1Node half = blank(left->node.level);
  half.children.assign(nth(left->node.children, kept), left->node.children.end());
  half.chunks.assign(nth(left->node.chunks, kept), left->node.chunks.end());
  half.left = left->address();
  half.right = left->node.right;
  const Node right = store::make_btree1_node(store_, std::move(half));
  format::BTree1Node& rest = edit(left);
  rest.children.resize(kept);
  rest.chunks.resize(kept + 1);
  rest.right = right->address();
  if (next) edit(next).left = right->address();

  Step& parent = path[depth - 1];
  format::BTree1Node& above = edit(parent.node);
  above.children.insert(nth(above.children, parent.index + 1), right->address());
  above.chunks.insert(nth(above.chunks, parent.index + 1), right->node.chunks.front());
  if (step.index >= kept) {
    step = {right, step.index - kept};
    ++parent.index;
  }
}

std::optional<std::pair<ChunkTree1::Key, Address>> ChunkTree1::remove(Offsets at) {
  Path path;
  if (!descend(at, path)) return std::nullopt;
  const auto& [node, index] = path.back();
  const std::pair<Key, Address> before{node->node.chunks[index], node->node.children[index]};
  drop_child(path);
  return before;
}

/// Removes the child that the path ends at, and every node that becomes empty by that, except the root.
void ChunkTree1::drop_child(Path& path) {
  for (std::size_t depth = path.size() - 1;; --depth) {
    const auto& [node, index] = path[depth];
    if (node->node.children.size() > 1) {
      format::BTree1Node& content = edit(node);
      content.children.erase(nth(content.children, index));
      content.chunks.erase(nth(content.chunks, index));
      if (index == 0) carry_first_key(path, depth);
      return;
    }
    if (depth == 0) {
      format::BTree1Node& content = edit(node);
      content.children.clear();
      content.chunks.clear();
      content.level = 0;
      return;
    }
    // The range of the node becomes part of its left sibling.
    const format::BTree1Node& gone = node->node;
    const Node left = is_valid(gone.left) ? load(gone.left, gone.level) : nullptr;
    const Node right = is_valid(gone.right) ? load(gone.right, gone.level) : nullptr;
    if (left) {
      edit(left).right = gone.right;
      edit(left).chunks.back() = gone.chunks.back();
    }
    if (right) edit(right).left = gone.left;
    store::free_btree1_node(store_, node);
  }
}

}  // namespace filigree::index
