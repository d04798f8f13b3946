// SPDX-License-Identifier: Apache-2.0
//
// Version 2 B-trees: ordered sets of fixed-size records. They index links, attributes, huge heap objects and
// chunks.
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

/// The creation parameters of a tree (HDF5 File Format Specification, section "Version 2 B-trees").
struct BTree2Shape {
  std::uint8_t type = 0;
  std::uint16_t record_bytes = 0;
  std::uint32_t node_bytes = 512;
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
};

/// One tree of a file: a cheap value that keeps the header of the tree in the cache. Records are only bytes
/// to the tree: the caller passes the order with every search.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class BTree2 {
 public:
  /// Compares a record with the key of a search: negative before it, 0 when it matches, positive after it.
  using Compare = FunctionRef<int(Bytes record)>;

  /// Creates an empty tree and returns the address of its header. *Throws* Error(invalid_argument) when nodes
  /// would hold too few records to be split, or more than the format can count.
  static Address create(FileStore& store, const BTree2Shape& shape);

  /// *Throws* Error(corrupt) when the header states another type or record size.
  BTree2(FileStore& store, Address header, std::uint8_t expected_type, std::uint16_t expected_record_bytes);

  Address address() const;
  std::uint64_t size() const;
  std::optional<Buffer> find(Compare compare) const;
  /// The record at `index` in order. *Throws* Error(invalid_argument) beyond the last one.
  Buffer at(std::uint64_t index) const;
  /// Calls `visitor` with the records in order, from index `first` on, until it returns false. Returns
  /// whether it never did. `visitor` must not change the tree.
  bool visit(FunctionRef<bool(Bytes)> visitor, std::uint64_t first = 0) const;

  /// As visit(), from the first record on that is not before the key.
  bool visit_from(Compare compare, FunctionRef<bool(Bytes)> visitor) const;
  /// Searches for `keys` keys, which ascend, in one walk that reads every node at most once. `compare`
  /// compares a record with a key as Compare does. Calls `found` for every key that has a record.
  void find_many(std::size_t keys, FunctionRef<int(Bytes record, std::size_t key)> compare,
                 FunctionRef<void(std::size_t key, Bytes record)> found) const;
  /// The root node, for FileStore::prefetch(); undefined when the tree is empty.
  Address root() const;
  /// The children of the root, or the root if it has none, for FileStore::prefetch().
  std::vector<Address> first_nodes() const;
  /// Bytes of the tree in the file. Reads all nodes but the leaves.
  std::uint64_t file_bytes() const;

  /// Inserts a record. Returns false, changing nothing, when a record matches.
  bool insert(Bytes record, Compare compare);
  /// Removes the matching record and returns it.
  std::optional<Buffer> remove(Compare compare);
  /// Calls `change` with the matching record; returns false when there is none. `change` must keep the key.
  bool update(Compare compare, FunctionRef<void(MutableBytes)> change);
  /// Frees all nodes and the header. *Invalidates* all handles to the tree.
  void destroy();

  /// Reads the whole tree. *Throws* Error(corrupt) when counts, totals or depth are inconsistent, a node
  /// other than the root is empty, or the records do not ascend by `order`.
  void check(FunctionRef<int(Bytes, Bytes)> order) const;

 private:
  struct Match;
  Match locate(Compare compare) const;
  std::shared_ptr<const BTree2NodeEntry> load(const format::BTree2Child& child, std::uint16_t depth) const;
  bool visit_below(const BTree2NodeEntry& node, FunctionRef<bool(Bytes)> visitor, std::uint64_t first) const;
  bool visit_from_below(const BTree2NodeEntry& node, Compare compare, FunctionRef<bool(Bytes)> visitor) const;
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

}  // namespace filigree::store
