// SPDX-License-Identifier: Apache-2.0
//
// Changes of symbol tables. They keep these invariants: key i + 1 of a node is the last name below its child
// i, key 0 repeats the last key of the left sibling, and the leftmost key is the empty string.
#include <limits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "store/btrees/btree1_entry.hpp"
#include "store/file_store.hpp"
#include "store/heaps/local_heap.hpp"
#include "store/symbol_table/symbol_node_entry.hpp"
#include "store/symbol_table/symbol_table.hpp"

namespace filigree::store {
namespace {

template <class List>
auto iterator_at(List& list, std::size_t index) {
  return list.begin() + static_cast<std::ptrdiff_t>(index);
}

}  // namespace

SymbolTable::Leaf SymbolTable::make_leaf() {
  format::SymbolNode node;
  node.leaf_k = shape_.leaf_k;
  node.entries.reserve(node.most_entries());
  const Address at = store_.space().allocate(SpaceKind::btree, node.allocated_bytes(store_.widths()));
  return store_.cache().insert(at, std::make_shared<SymbolNodeEntry>(store_.widths(), std::move(node)));
}

void SymbolTable::free_leaf(const Leaf& leaf) {
  const Address at = leaf->address();
  store_.space().release(SpaceKind::btree, at, leaf->node.allocated_bytes(store_.widths()));
  store_.cache().forget(at);
}

format::SymbolTableEntry SymbolTable::store_strings(const SymbolTableLink& link) {
  LocalHeap strings(store_, addresses_.heap);
  format::SymbolTableEntry entry;
  entry.header = link.header;
  entry.cache = link.cache;
  entry.cached_btree = link.cached_btree;
  entry.cached_heap = link.cached_heap;
  entry.name_offset = strings.insert(link.name);
  if (!link.is_soft()) return entry;
  const std::uint64_t target = strings.insert(link.soft_target);
  if (target > std::numeric_limits<std::uint32_t>::max()) {
    strings.remove(target, link.soft_target.size() + 1);
    strings.remove(entry.name_offset, link.name.size() + 1);
    throw Error(ErrorKind::limit, "the names of an old-style group with soft links are limited to 4 GiB");
  }
  entry.link_offset = static_cast<std::uint32_t>(target);
  return entry;
}

bool SymbolTable::insert(const SymbolTableLink& link) {
  if (link.name.empty() || link.name.find('\0') != std::string::npos ||
      link.soft_target.find('\0') != std::string::npos) {
    throw Error(ErrorKind::invalid_argument,
                "a link's name must not be empty, and neither it nor its target may hold a NUL");
  }
  const Heap names = heap();
  Position at = locate(*names, link.name);
  if (at.found) return false;
  const format::SymbolTableEntry entry = store_strings(link);
  if (at.path.empty()) {
    insert_first(entry);
    return true;
  }
  if (at.leaf->node.entries.size() >= at.leaf->node.most_entries()) split_leaf(at);
  auto& entries = store_.cache().edit(at.leaf).node.entries;
  entries.insert(iterator_at(entries, at.index), entry);
  if (at.index + 1 == entries.size()) set_right_key(at.path, at.path.size() - 1, entry.name_offset);
  lower_left_keys(*names, at.path, link.name);
  return true;
}

void SymbolTable::insert_first(const format::SymbolTableEntry& entry) {
  const Node root = node(addresses_.btree, std::nullopt);
  const Leaf first = make_leaf();
  store_.cache().edit(first).node.entries.push_back(entry);
  format::BTree1Node& content = store_.cache().edit(root).node;
  content.level = 0;
  content.children = {first->address()};
  content.names = {0, entry.name_offset};
}

/// Splits a full leaf; `at` then refers to the half where the new entry belongs.
void SymbolTable::split_leaf(Position& at) {
  bool at_end = at.index == at.leaf->node.entries.size();
  for (const Step& step : at.path) at_end = at_end && step.index + 1 == step.node->node.children.size();
  // With names that are inserted in order, leaves stay full.
  const std::size_t kept = at_end ? at.index : shape_.leaf_k;

  ensure_capacity(at.path, at.path.size() - 1);
  const Leaf added = make_leaf();
  auto& left = store_.cache().edit(at.leaf).node.entries;
  auto& right = store_.cache().edit(added).node.entries;
  right.assign(iterator_at(left, kept), left.end());
  left.resize(kept);

  Step& parent = at.path.back();
  format::BTree1Node& node = store_.cache().edit(parent.node).node;
  node.children.insert(iterator_at(node.children, parent.index + 1), added->address());
  node.names.insert(iterator_at(node.names, parent.index + 1), left.back().name_offset);
  if (at_end || at.index > kept) {
    at.leaf = added;
    at.index -= kept;
    ++parent.index;
  }
}

/// Makes the node at `depth` hold one more child; splits it and its ancestors where they are full. The path
/// still leads to the same leaf. Returns the new depth of the node.
std::size_t SymbolTable::ensure_capacity(Path& path, std::size_t depth) {
  const format::BTree1Node& content = path[depth].node->node;
  if (content.children.size() < content.most_children()) return depth;
  if (depth == 0) {
    grow_root(path);
    depth = 1;
  } else {
    depth = ensure_capacity(path, depth - 1) + 1;
  }
  split_node(path, depth);
  return depth;
}

/// The object header points to the root, so the root keeps its address and its content moves down.
void SymbolTable::grow_root(Path& path) {
  const Node root = path.front().node;
  if (root->node.level == 255) throw Error(ErrorKind::limit, "the B-tree of an old-style group is too deep");
  const Node below = make_btree1_node(store_, root->node);
  format::BTree1Node& content = store_.cache().edit(root).node;
  ++content.level;
  content.names = {content.names.front(), content.names.back()};
  content.children = {below->address()};
  path.front().node = below;
  path.insert(path.begin(), Step{root, 0});
}

void SymbolTable::split_node(Path& path, std::size_t depth) {
  Step& step = path[depth];
  Step& above = path[depth - 1];
  const Node divided = step.node;
  const Node neighbour =
      is_valid(divided->node.right) ? node(divided->node.right, divided->node.level) : nullptr;
  if (neighbour && neighbour->node.left != divided->address()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("version 1 B-tree node at {}: its right sibling does not point back",
                            to_string(divided->address())));
  }
  const Node added = make_btree1_node(store_, like_);
  format::BTree1Node& left = store_.cache().edit(divided).node;
  format::BTree1Node& right = store_.cache().edit(added).node;
  const std::size_t kept = children_kept_in_split(left, step.index);
  right.level = left.level;
  right.children.assign(iterator_at(left.children, kept), left.children.end());
  right.names.assign(iterator_at(left.names, kept), left.names.end());
  left.children.resize(kept);
  left.names.resize(kept + 1);
  right.left = divided->address();
  right.right = left.right;
  left.right = added->address();
  if (neighbour) store_.cache().edit(neighbour).node.left = added->address();

  format::BTree1Node& parent = store_.cache().edit(above.node).node;
  parent.children.insert(iterator_at(parent.children, above.index + 1), added->address());
  parent.names.insert(iterator_at(parent.names, above.index + 1), left.names.back());
  if (step.index >= kept) {
    step = {added, step.index - kept};
    ++above.index;
  }
}

/// Other writers may store a left key that is not below a name that belongs there.
void SymbolTable::lower_left_keys(const LocalHeapEntry& names, const Path& path, std::string_view name) {
  std::uint64_t bound = 0;
  for (const Step& step : path) {
    const std::uint64_t key = step.node->node.names[step.index];
    if (step.index == 0 && key != bound && names.compare(name, key) <= 0) {
      store_.cache().edit(step.node).node.names[0] = bound;
    } else {
      bound = key;
    }
  }
}

/// Sets the right key of the path's child at `depth` to `key`, the last name below it.
void SymbolTable::set_right_key(const Path& path, std::size_t depth, std::uint64_t key) {
  const Step& step = path[depth];
  format::BTree1Node& content = store_.cache().edit(step.node).node;
  content.names[step.index + 1] = key;
  if (step.index + 1 == content.children.size()) carry_last_key(path, depth, key);
}

/// Copies `key`, the new last key of the path's node at `depth`, to its right sibling and its parent.
void SymbolTable::carry_last_key(const Path& path, std::size_t depth, std::uint64_t key) {
  const format::BTree1Node& content = path[depth].node->node;
  if (is_valid(content.right)) {
    const Node right = node(content.right, content.level);
    if (!right->node.names.empty()) store_.cache().edit(right).node.names.front() = key;
  }
  if (depth > 0) set_right_key(path, depth - 1, key);
}

std::optional<SymbolTableLink> SymbolTable::remove(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) return std::nullopt;
  const Heap names = heap();
  const Position at = locate(*names, name);
  if (!at.found) return std::nullopt;
  const format::SymbolTableEntry entry = at.leaf->node.entries[at.index];
  SymbolTableLink link = link_of(*names, entry);
  LocalHeap strings(store_, addresses_.heap);
  if (link.is_soft()) strings.remove(entry.link_offset, link.soft_target.size() + 1);
  strings.remove(entry.name_offset, link.name.size() + 1);

  auto& entries = store_.cache().edit(at.leaf).node.entries;
  entries.erase(iterator_at(entries, at.index));
  if (entries.empty()) {
    free_leaf(at.leaf);
    drop_child(at.path);
  } else if (at.index == entries.size()) {
    set_right_key(at.path, at.path.size() - 1, entries.back().name_offset);
  }
  return link;
}

/// Removes the freed leaf at the end of `path`, and every node that becomes empty by that, except the root.
void SymbolTable::drop_child(const Path& path) {
  for (std::size_t depth = path.size(); depth-- > 0;) {
    const auto& [node, index] = path[depth];
    format::BTree1Node& content = store_.cache().edit(node).node;
    content.children.erase(iterator_at(content.children, index));
    if (!content.children.empty()) {
      content.names.erase(iterator_at(content.names, index + 1));
      if (index == content.children.size()) carry_last_key(path, depth, content.names.back());
      return;
    }
    if (depth == 0) {
      content.names.clear();
      content.level = 0;
      return;
    }
    unlink_node(node, content.names.front());
    free_btree1_node(store_, node);
  }
}

void SymbolTable::unlink_node(const Node& empty, std::uint64_t first_key) {
  const format::BTree1Node& content = empty->node;
  if (is_valid(content.left)) {
    store_.cache().edit(node(content.left, content.level)).node.right = content.right;
  }
  if (is_valid(content.right)) {
    const Node right = node(content.right, content.level);
    format::BTree1Node& neighbour = store_.cache().edit(right).node;
    neighbour.left = content.left;
    if (!neighbour.names.empty()) neighbour.names.front() = first_key;
  }
}

}  // namespace filigree::store
