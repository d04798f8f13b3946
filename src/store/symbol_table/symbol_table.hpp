// SPDX-License-Identifier: Apache-2.0
//
// The links of an old-style group: a version 1 B-tree of symbol table nodes, and a local heap with the names.
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

/// One link as a symbol table stores it.
struct SymbolTableLink {
  std::string name;
  Address header = Address::undefined;  ///< of hard links
  /// `soft_link` for a soft link; `group` for a group, with its B-tree and heap at the addresses below.
  format::EntryCache cache = format::EntryCache::none;
  Address cached_btree = Address::undefined;
  Address cached_heap = Address::undefined;
  std::string soft_target;

  bool is_soft() const { return cache == format::EntryCache::soft_link; }
};

/// The node sizes, from the superblock, and the initial size of a new heap.
struct SymbolTableShape {
  std::uint16_t leaf_k = 4;
  std::uint16_t internal_k = 16;
  std::uint64_t heap_bytes_hint = 88;
};

/// The content of the symbol table message of a group. Neither address ever changes.
struct SymbolTableAddresses {
  Address btree = Address::undefined;
  Address heap = Address::undefined;
};

/// A handle to the links of one group. Names are compared bytewise.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class SymbolTable {
 public:
  SymbolTable(FileStore& store, const SymbolTableAddresses& addresses, const SymbolTableShape& shape = {});

  /// Creates an empty table: a heap, and a root node without children.
  static SymbolTableAddresses create(FileStore& store, const SymbolTableShape& shape = {});

  std::optional<SymbolTableLink> find(std::string_view name) const;
  /// Inserts a link. Returns false, changing nothing, when the name exists. *Throws* Error(invalid_argument)
  /// for a name that is empty or holds a NUL.
  bool insert(const SymbolTableLink& link);
  /// Removes a link and returns it, if there was one.
  std::optional<SymbolTableLink> remove(std::string_view name);
  /// Calls `visitor` with the links in name order until it returns false. Returns whether it never did.
  /// `visitor` must not change the table.
  bool visit(FunctionRef<bool(const SymbolTableLink&)> visitor) const;
  /// The number of links. Reads all nodes.
  std::uint64_t size() const;
  /// The link at position `n` in name order. *Throws* Error(not_found) beyond the last one.
  SymbolTableLink at(std::uint64_t n) const;
  /// Bytes of all nodes in the file. Reads all but the leaves.
  std::uint64_t index_bytes() const;
  /// Bytes of the heap in the file.
  std::uint64_t heap_bytes() const;
  /// Frees the space of the tree and the heap.
  void destroy();

  /// *Throws* Error(corrupt) unless the names are in order and between their keys, levels decrease one by
  /// one, and siblings are linked in order.
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
  /// The result of a search.
  struct Position {
    Path path;
    Leaf leaf;
    std::size_t index = 0;  ///< of the first entry that is not below the name
    bool found = false;
  };
  /// A walk over all nodes, for visit(), size(), check() and destroy().
  class Walk;

  Heap heap() const;
  Node node(Address at, std::optional<unsigned> level) const;
  Leaf leaf(Address at) const;
  Leaf make_leaf();
  void free_leaf(const Leaf& leaf);
  Position locate(const LocalHeapEntry& names, std::string_view name) const;
  SymbolTableLink link_of(const LocalHeapEntry& names, const format::SymbolTableEntry& entry) const;

  /// Stores the name and the soft link value of a link in the heap.
  format::SymbolTableEntry store_strings(const SymbolTableLink& link);
  /// Inserts the first entry of an empty table.
  void insert_first(const format::SymbolTableEntry& entry);
  void split_leaf(Position& at);
  std::size_t ensure_capacity(Path& path, std::size_t depth);
  void grow_root(Path& path);
  void split_node(Path& path, std::size_t depth);
  void lower_left_keys(const LocalHeapEntry& names, const Path& path, std::string_view name);
  void set_right_key(const Path& path, std::size_t depth, std::uint64_t key);
  void carry_last_key(const Path& path, std::size_t depth, std::uint64_t key);
  void drop_child(const Path& path);
  /// Removes an empty node from the list of siblings of its level.
  void unlink_node(const Node& empty, std::uint64_t first_key);

  FileStore& store_;
  SymbolTableAddresses addresses_;
  SymbolTableShape shape_;
  format::BTree1Node like_;  ///< the parameters that nodes do not store
};

}  // namespace filigree::store
