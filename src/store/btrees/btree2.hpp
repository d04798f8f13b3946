// SPDX-License-Identifier: Apache-2.0
//
// Version 2 B-trees: ordered sets of fixed-size records, in which links, attributes, huge heap objects
// and chunks are found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"

namespace filigree::format {
struct BTree2Child;
}

namespace filigree::store {

class BTree2HeaderEntry;
class BTree2NodeEntry;
class FileStore;

/// What a new tree is made of.
struct BTree2Shape {
  std::uint8_t type = 0;
  std::uint16_t record_bytes = 0;
  std::uint32_t node_bytes = 512;
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
};

/// One tree of a file. A cheap value; it keeps the tree's header in the cache. The tree knows records
/// only as bytes: callers bring the order with every search. Reading is safe on any number of threads;
/// changing needs the caller to be alone with the file.
class BTree2 {
 public:
  /// Where a record stands to the sought key: negative before it, 0 when it matches, positive after it.
  using Compare = FunctionRef<int(Bytes record)>;

  /// Makes an empty tree and returns the address of its header. Throws Error(invalid_argument) when
  /// nodes would hold too few records to be split, or more than the format counts.
  static Address create(FileStore& store, const BTree2Shape& shape);

  /// Throws Error(corrupt) when the header is not one of a tree of that type and record size.
  BTree2(FileStore& store, Address header, std::uint8_t expected_type, std::uint16_t expected_record_bytes);

  Address address() const;
  std::uint64_t size() const;
  std::optional<Buffer> find(Compare compare) const;
  /// The record at place `index` in order. Throws Error(invalid_argument) beyond the last one.
  Buffer at(std::uint64_t index) const;
  /// Shows the records in order, from place `first` on, until `see` returns false; whether it never did.
  /// `see` must not change the tree.
  bool visit(FunctionRef<bool(Bytes)> see, std::uint64_t first = 0) const;

  /// As visit(), from the first record that does not stand before the key on.
  bool visit_from(Compare compare, FunctionRef<bool(Bytes)> see) const;
  /// Looks for `keys` keys, which ascend, in one walk that reads every node at most once. `compare` says
  /// where a record stands to a key, as Compare does; `found` gets every key that has a record.
  void find_many(std::size_t keys, FunctionRef<int(Bytes record, std::size_t key)> compare,
                 FunctionRef<void(std::size_t key, Bytes record)> found) const;
  /// For FileStore::prefetch(); undefined when the tree is empty.
  Address root() const;
  /// The root's children, or the root where it has none, for FileStore::prefetch().
  std::vector<Address> first_nodes() const;
  /// What the tree takes in the file. Reads all nodes but the leaves.
  std::uint64_t file_bytes() const;

  /// False, and nothing is changed, when a record matches.
  bool insert(Bytes record, Compare compare);
  /// Takes out the matching record and returns it.
  std::optional<Buffer> remove(Compare compare);
  /// Lets `change` write to the matching record; false when there is none. The key must stay as it is.
  bool update(Compare compare, FunctionRef<void(MutableBytes)> change);
  /// Frees all nodes and the header. The tree, and all other handles to it, are unusable afterwards.
  void destroy();

  /// Reads the whole tree and throws Error(corrupt) when counts, totals or depth disagree, a node other
  /// than the root is empty, or the records do not ascend by `order`.
  void check(FunctionRef<int(Bytes, Bytes)> order) const;

 private:
  struct Found;
  Found locate(Compare compare) const;
  std::shared_ptr<const BTree2NodeEntry> load(const format::BTree2Child& child, std::uint16_t depth) const;
  bool visit_below(const BTree2NodeEntry& node, FunctionRef<bool(Bytes)> see, std::uint64_t first) const;
  bool visit_from_below(const BTree2NodeEntry& node, Compare compare, FunctionRef<bool(Bytes)> see) const;
  struct ManyKeys;
  void find_below(const BTree2NodeEntry& node, std::size_t first, std::size_t last,
                  const ManyKeys& keys) const;
  std::shared_ptr<const BTree2NodeEntry> load_counted(const format::BTree2Child& child,
                                                      std::uint16_t depth) const;
  void collect_below(const format::BTree2Child& child, std::uint16_t depth,
                     std::vector<Address>& nodes) const;
  void check_below(const format::BTree2Child& child, std::uint16_t depth,
                   FunctionRef<void(Bytes)> next) const;

  FileStore* store_;
  std::shared_ptr<const BTree2HeaderEntry> header_;
};

/// Gives every changed node that the file has a version of another place, so that the old one stays as it is
/// for whoever reads it. Its tree's header and the nodes above it must have been marked as changed too.
void move_changed_nodes(FileStore& store);

}  // namespace filigree::store
