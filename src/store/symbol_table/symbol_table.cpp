// SPDX-License-Identifier: Apache-2.0
#include "store/symbol_table/symbol_table.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/heaps/local_heap.hpp"
#include "io/virtual_file.hpp"
#include "store/btrees/btree1_entry.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"
#include "store/heaps/local_heap.hpp"
#include "store/symbol_table/symbol_node_entry.hpp"

namespace filigree::store {

std::size_t SymbolNodeEntry::memory_bytes() const {
  return sizeof(*this) + node.entries.capacity() * sizeof(format::SymbolTableEntry);
}

void SymbolNodeEntry::encode(EncodedBlocks& out) const {
  EncodedBlock encoded{address(), Buffer(node.allocated_bytes(widths_))};
  format::encode(node, MutableBytes(encoded.bytes), widths_);
  out.push_back(std::move(encoded));
}

SymbolTable::SymbolTable(FileStore& store, const SymbolTableAddresses& addresses,
                         const SymbolTableShape& shape)
    : store_(store), addresses_(addresses), shape_(shape) {
  like_.type = format::BTree1Type::group;
  like_.k = shape.internal_k;
}

SymbolTableAddresses SymbolTable::create(FileStore& store, const SymbolTableShape& shape) {
  format::BTree1Node root;
  root.k = shape.internal_k;
  SymbolTableAddresses addresses;
  addresses.btree = make_btree1_node(store, std::move(root))->address();
  addresses.heap = LocalHeap::create(store, shape.heap_bytes_hint);
  return addresses;
}

SymbolTable::Heap SymbolTable::heap() const { return LocalHeap(store_, addresses_.heap).entry(); }

SymbolTable::Node SymbolTable::node(Address at, std::optional<unsigned> level) const {
  return get_btree1_node(store_, at, like_, level);
}

SymbolTable::Leaf SymbolTable::leaf(Address at) const {
  return store_.cache().get<SymbolNodeEntry>(at, [&] {
    format::SymbolNode node;
    node.leaf_k = shape_.leaf_k;
    const Buffer bytes =
        store_.read_up_to(at, node.allocated_bytes(store_.widths()), format::SymbolNode::structure);
    format::decode(node, bytes, store_.widths(), at);
    return std::make_shared<SymbolNodeEntry>(store_.widths(), std::move(node));
  });
}

SymbolTableLink SymbolTable::link_of(const LocalHeapEntry& names,
                                     const format::SymbolTableEntry& entry) const {
  SymbolTableLink link;
  link.name = names.string_at(entry.name_offset);
  link.header = entry.header;
  link.cache = entry.cache;
  link.cached_btree = entry.cached_btree;
  link.cached_heap = entry.cached_heap;
  if (link.is_soft()) link.soft_target = names.string_at(entry.link_offset);
  return link;
}

namespace {

/// The child whose keys enclose `name`; the first or the last one for names outside of all keys.
std::size_t child_for(const LocalHeapEntry& names, const format::BTree1Node& node, std::string_view name) {
  std::size_t low = 0;
  std::size_t high = node.children.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (names.compare(name, node.names[middle + 1]) <= 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

SymbolTable::Position SymbolTable::locate(const LocalHeapEntry& names, std::string_view name) const {
  Position at;
  Node next = node(addresses_.btree, std::nullopt);
  if (next->node.children.empty()) return at;
  at.path.reserve(next->node.level + 2u);
  for (;;) {
    const format::BTree1Node& content = next->node;
    if (content.children.empty()) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("version 1 B-tree node at {}: it has no children", to_string(next->address())));
    }
    const std::size_t index = child_for(names, content, name);
    const Address child = content.children[index];
    const unsigned level = content.level;
    at.path.push_back({std::move(next), index});
    if (level == 0) {
      at.leaf = leaf(child);
      break;
    }
    next = node(child, level - 1);
  }
  const auto& entries = at.leaf->node.entries;
  const auto below = [&](const auto& entry) { return names.compare(name, entry.name_offset) > 0; };
  const auto first = std::partition_point(entries.begin(), entries.end(), below);
  at.index = static_cast<std::size_t>(first - entries.begin());
  at.found = first != entries.end() && names.compare(name, first->name_offset) == 0;
  return at;
}

std::optional<SymbolTableLink> SymbolTable::find(std::string_view name) const {
  if (name.find('\0') != std::string_view::npos) return std::nullopt;
  const Heap names = heap();
  const Position at = locate(*names, name);
  if (!at.found) return std::nullopt;
  return link_of(*names, at.leaf->node.entries[at.index]);
}

/// Visits all nodes, left to right and parents first. A node that occurs twice is an error, so that the size
/// of the file bounds the work.
class SymbolTable::Walk {
 public:
  using OnNode = FunctionRef<void(const Node&, unsigned depth)>;
  using OnLeaf = FunctionRef<bool(const Leaf&, const Path&)>;

  Walk(const SymbolTable& table, OnNode on_node, OnLeaf on_leaf)
      : table_(table), on_node_(on_node), on_leaf_(on_leaf) {}

  bool run() { return enter(table_.addresses_.btree, std::nullopt); }
  /// Does not read the leaves.
  void run_above_leaves() {
    leaves_ = false;
    run();
  }

  /// For drivers that run many reads concurrently: fetches the names and the first level with one request,
  /// and each further level with another.
  void fetch_levels() const {
    const FileStore& store = table_.store_;
    if (!store.file().capabilities().concurrent) return;
    try {
      std::vector<Address> wanted = name_addresses();
      std::vector<Address> level{table_.addresses_.btree};
      for (bool nodes = true; nodes && !level.empty();) {
        std::vector<Address> below;
        for (const Address at : level) {
          const Node node = table_.node(at, std::nullopt);
          below.insert(below.end(), node->node.children.begin(), node->node.children.end());
          nodes = node->node.level > 0;
        }
        wanted.insert(wanted.end(), below.begin(), below.end());
        store.prefetch(std::exchange(wanted, {}));
        std::ranges::sort(below);
        below.erase(std::unique(below.begin(), below.end()), below.end());
        if (levels_beyond_sense(below.size())) return;
        level = std::move(below);
      }
    } catch (const Error&) {
      // The walk reports the error again.
    }
  }

 private:
  /// The tree of a corrupt file may have cycles.
  bool levels_beyond_sense(std::size_t nodes) const {
    constexpr std::size_t least_node_bytes = 24;
    return nodes > table_.store_.file_bytes() / least_node_bytes || ++levels_ > 8;
  }

  std::vector<Address> name_addresses() const {
    const Address at = table_.addresses_.heap;
    const format::Widths& widths = table_.store_.widths();
    const Buffer bytes =
        table_.store_.read(at, format::local_heap_prefix_bytes(widths), format::LocalHeapPrefix::structure);
    const auto heap = format::decode<format::LocalHeapPrefix>(bytes, widths, at);
    if (!is_valid(heap.data) || heap.data_bytes == 0) return {};
    const std::uint64_t first = to_number(heap.data);
    return {heap.data, to_address(first + heap.data_bytes / 2), to_address(first + heap.data_bytes - 1)};
  }

  bool enter(Address at, std::optional<unsigned> level) {
    meet(at);
    const Node node = table_.node(at, level);
    on_node_(node, static_cast<unsigned>(path_.size()));
    if (!leaves_ && node->node.level == 0) return true;
    table_.store_.prefetch(node->node.children);
    path_.push_back({node, 0});
    for (std::size_t i = 0; i < node->node.children.size(); ++i) {
      path_.back().index = i;
      if (!enter_child(*node, node->node.children[i])) return false;
    }
    path_.pop_back();
    return true;
  }

  bool enter_child(const BTree1Entry& parent, Address child) {
    if (parent.node.level > 0) return enter(child, parent.node.level - 1u);
    meet(child);
    return on_leaf_(table_.leaf(child), path_);
  }

  void meet(Address at) {
    if (met_.insert(at).second) return;
    throw Error(ErrorKind::corrupt, fmt::format("symbol table at {}: the node at {} occurs twice in its tree",
                                                to_string(table_.addresses_.btree), to_string(at)));
  }

  const SymbolTable& table_;
  OnNode on_node_;
  OnLeaf on_leaf_;
  Path path_;
  std::unordered_set<Address> met_;
  bool leaves_ = true;
  mutable unsigned levels_ = 0;  ///< fetched
};

namespace {
constexpr auto any_node = [](const auto&, unsigned) {};
}

bool SymbolTable::visit(FunctionRef<bool(const SymbolTableLink&)> visitor) const {
  Heap names;
  const auto on_leaf = [&](const Leaf& leaf, const Path&) {
    for (const auto& entry : leaf->node.entries) {
      if (!visitor(link_of(*names, entry))) return false;
    }
    return true;
  };
  Walk walk(*this, any_node, on_leaf);
  walk.fetch_levels();
  names = heap();
  return walk.run();
}

std::uint64_t SymbolTable::size() const {
  std::uint64_t links = 0;
  const auto on_leaf = [&](const Leaf& leaf, const Path&) {
    links += leaf->node.entries.size();
    return true;
  };
  Walk(*this, any_node, on_leaf).run();
  return links;
}

std::uint64_t SymbolTable::index_bytes() const {
  format::SymbolNode leaf;
  leaf.leaf_k = shape_.leaf_k;
  std::uint64_t bytes = 0;
  const auto on_node = [&](const Node& node, unsigned) {
    bytes += node->node.allocated_bytes(store_.widths());
    if (node->node.level == 0) bytes += node->node.children.size() * leaf.allocated_bytes(store_.widths());
  };
  constexpr auto no_leaf = [](const Leaf&, const Path&) { return true; };
  Walk(*this, on_node, no_leaf).run_above_leaves();
  return bytes;
}

std::uint64_t SymbolTable::heap_bytes() const { return heap()->file_bytes(); }

SymbolTableLink SymbolTable::at(std::uint64_t n) const {
  std::optional<SymbolTableLink> link;
  std::uint64_t before = 0;
  const auto on_leaf = [&](const Leaf& leaf, const Path&) {
    const auto& entries = leaf->node.entries;
    if (n - before < entries.size()) {
      link = link_of(*heap(), entries[n - before]);
      return false;
    }
    before += entries.size();
    return true;
  };
  Walk(*this, any_node, on_leaf).run();
  if (!link)
    throw Error(ErrorKind::not_found,
                fmt::format("link {} is out of range: the group has {} links", n, before));
  return std::move(*link);
}

void SymbolTable::destroy() {
  std::vector<Node> nodes;
  std::vector<Leaf> leaves;
  const auto on_node = [&](const Node& node, unsigned) { nodes.push_back(node); };
  const auto on_leaf = [&](const Leaf& leaf, const Path&) {
    leaves.push_back(leaf);
    return true;
  };
  Walk(*this, on_node, on_leaf).run();
  LocalHeap(store_, addresses_.heap).destroy();
  for (const Leaf& leaf : leaves) free_leaf(leaf);
  for (const Node& node : nodes) free_btree1_node(store_, node);
}

namespace {

void expect(bool holds, const Entry& where, std::string_view otherwise) {
  if (!holds) throw_corrupt(to_string(where.kind()), where.address(), otherwise);
}

}  // namespace

void SymbolTable::check() const {
  const Heap names = heap();
  std::vector<Node> last;  // on each level, from the root
  const auto on_node = [&](const Node& node, unsigned depth) {
    const Address left = depth < last.size() ? last[depth]->address() : Address::undefined;
    expect(node->node.left == left, *node, "its left sibling is not the node before it");
    expect(depth == 0 || !node->node.children.empty(), *node, "it has no children");
    if (depth < last.size()) {
      expect(last[depth]->node.right == node->address(), *last[depth],
             "its right sibling is not the node after it");
      expect(last[depth]->node.names.back() == node->node.names.front(), *node,
             "its first key is not the last key of the node before it");
      last[depth] = node;
    } else {
      expect(node->node.names.empty() || node->node.names.front() == 0, *node, "the first key is not empty");
      last.push_back(node);
    }
  };
  std::string previous;
  const auto on_leaf = [&](const Leaf& leaf, const Path& path) {
    for (const auto& entry : leaf->node.entries) {
      const std::string_view name = names->string_at(entry.name_offset);
      expect(previous < name, *leaf, "names are out of order");
      previous = name;
      for (const Step& step : path) {
        expect(names->string_at(step.node->node.names[step.index]) < name, *step.node,
               "a name is not above its left key");
        expect(name <= names->string_at(step.node->node.names[step.index + 1]), *step.node,
               "a name is above its right key");
      }
    }
    return true;
  };
  Walk(*this, on_node, on_leaf).run();
  for (const Node& node : last)
    expect(!is_valid(node->node.right), *node, "the last node has a right sibling");
}

}  // namespace filigree::store
