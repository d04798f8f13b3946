// SPDX-License-Identifier: Apache-2.0
//
// The links of an old-style group: a version 1 B-tree over symbol table nodes, and a local heap
// with the names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/btrees/btree1.hpp"
#include "format/superblock/superblock.hpp"

namespace filigree::store {

class BTree1Entry;
class FileStore;
class LocalHeapEntry;
class SymbolNodeEntry;

/// One link as a symbol table keeps it.
struct SymbolTableLink {
  std::string name;
  Address header = Address::undefined;  ///< of hard links
  /// soft_link makes it one. group: the object is a group, with its tree and heap at the addresses below.
  format::EntryCache cache = format::EntryCache::none;
  Address cached_btree = Address::undefined;
  Address cached_heap = Address::undefined;
  std::string soft_target;

  bool is_soft() const { return cache == format::EntryCache::soft_link; }
};

/// Node sizes, from the superblock, and the first size of a new heap.
struct SymbolTableShape {
  std::uint16_t leaf_k = 4;
  std::uint16_t internal_k = 16;
  std::uint64_t heap_bytes_hint = 88;
};

/// What the symbol table message of a group holds. Neither ever changes.
struct SymbolTableAddresses {
  Address btree = Address::undefined;
  Address heap = Address::undefined;
};

/// A handle on one group's links. Names compare bytewise. The const operations are thread-safe.
class SymbolTable {
 public:
  SymbolTable(FileStore& store, const SymbolTableAddresses& addresses, const SymbolTableShape& shape = {});

  /// Makes an empty table: a heap, and a root node without children.
  static SymbolTableAddresses create(FileStore& store, const SymbolTableShape& shape = {});

  std::optional<SymbolTableLink> find(std::string_view name) const;
  /// False, with nothing changed, when the name is taken. Throws Error(invalid_argument) for a name that
  /// is empty or holds a NUL.
  bool insert(const SymbolTableLink& link);
  /// The link that was removed, if there was one.
  std::optional<SymbolTableLink> remove(std::string_view name);
  /// Calls `visitor` in name order until it returns false; returns false then. The visitor must not change
  /// the table.
  bool visit(FunctionRef<bool(const SymbolTableLink&)> visitor) const;
  /// Number of links, counted by reading all nodes.
  std::uint64_t size() const;
  /// The link at position `n` in name order. Throws Error(not_found) beyond the last.
  SymbolTableLink at(std::uint64_t n) const;
  /// What the nodes take in the file, leaves included, without the heap. Reads all but the leaves.
  std::uint64_t index_bytes() const;
  /// What the names take.
  std::uint64_t heap_bytes() const;
  /// Gives back all space of the tree and the heap.
  void destroy();

  /// Throws Error(corrupt) unless the names are in order and between their keys, levels decrease one by
  /// one and siblings are linked in order.
  void check() const;

 private:
  using Node = std::shared_ptr<const BTree1Entry>;
  using Leaf = std::shared_ptr<const SymbolNodeEntry>;
  using Heap = std::shared_ptr<const LocalHeapEntry>;
  struct Step {
    Node node;
    std::size_t index;  ///< of the child on the path
  };
  using Path = std::vector<Step>;  ///< from the root; empty in an empty table
  struct Place {
    Path path;
    Leaf leaf;
    std::size_t position = 0;  ///< of the first entry not below the name
    bool found = false;
  };
  class Walk;

  Heap heap() const;
  Node node(Address at, std::optional<unsigned> level) const;
  Leaf leaf(Address at) const;
  Leaf make_leaf();
  void free_leaf(const Leaf& leaf);
  Place locate(const LocalHeapEntry& names, std::string_view name) const;
  SymbolTableLink link_of(const LocalHeapEntry& names, const format::SymbolTableEntry& entry) const;

  format::SymbolTableEntry store_strings(const SymbolTableLink& link);
  void insert_first(const format::SymbolTableEntry& entry);
  void divide_leaf(Place& place);
  std::size_t make_room(Path& path, std::size_t depth);
  void grow_root(Path& path);
  void divide_node(Path& path, std::size_t depth);
  void lower_left_keys(const LocalHeapEntry& names, const Path& path, std::string_view name);
  void set_right_key(const Path& path, std::size_t depth, std::uint64_t key);
  void carry_last_key(const Path& path, std::size_t depth, std::uint64_t key);
  void drop_child(const Path& path);
  void unlink_node(const Node& empty, std::uint64_t first_key);

  FileStore& store_;
  SymbolTableAddresses addresses_;
  SymbolTableShape shape_;
  format::BTree1Node like_;  ///< outside parameters of the nodes
};

}  // namespace filigree::store
