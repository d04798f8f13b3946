// SPDX-License-Identifier: Apache-2.0
//
// The version 1 B-tree of chunks in a file. As in its nodes, a key has the offsets of a chunk in elements,
// and one more number for the element size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "store/btrees/btree1_entry.hpp"
#include "store/file_store.hpp"

namespace filigree::index {

/// One tree. The last key of a node equals the first key of its right sibling; HDF5 relies on it when it
/// inserts. The address of the root never changes.
class ChunkTree1 {
 public:
  using Key = format::BTree1ChunkKey;
  using Offsets = std::span<const std::uint64_t>;
  struct Shape {
    std::uint16_t k = 32;
    std::vector<std::uint64_t> dims;  ///< the chunk dimensions, and the element size
  };

  /// Creates an empty tree and returns the address of its root.
  static Address create(store::FileStore& store, const Shape& shape);
  ChunkTree1(store::FileStore& store, Address root, Shape shape);

  /// Calls `found` if the chunk exists. Offsets here have one number for each dimension, without the element
  /// size.
  bool find(Offsets at, FunctionRef<void(const Key&, Address)> found) const;
  /// Searches for `keys` keys, which ascend; `offsets(i)` returns key i. Reads every node at most once.
  void find_many(std::size_t keys, FunctionRef<Offsets(std::size_t)> offsets,
                 FunctionRef<void(std::size_t, const Key&, Address)> found) const;
  /// Calls `visitor` in order, from the first chunk on that is not before `from`. Returns whether it never
  /// returned false.
  bool visit(Offsets from, FunctionRef<bool(const Key&, Address)> visitor) const;
  /// Adds a chunk, or replaces its key and address and returns the old ones.
  std::optional<std::pair<Key, Address>> insert(const Key& key, Address chunk);
  /// Inserts many chunks, preferably ascending. Increments `done` for each.
  void insert_many(std::size_t chunks, FunctionRef<std::pair<Key, Address>(std::size_t)> chunk,
                   std::size_t& done);
  /// Removes a chunk; returns its key and address, if it was there.
  std::optional<std::pair<Key, Address>> remove(Offsets at);
  /// Frees all nodes. *Invalidates* the tree.
  void destroy();
  /// The bytes of all nodes in the file.
  std::uint64_t file_bytes() const;

 private:
  using Node = std::shared_ptr<const store::BTree1Entry>;
  /// A node of a path, and the index of its child on the path.
  struct Step {
    Node node;
    std::size_t index = 0;
  };
  using Path = std::vector<Step>;
  struct ManyKeys;

  /// Loads a node. *Throws* Error(corrupt) for another level than `level`, or a node without children.
  Node load(Address at, std::optional<unsigned> level) const;
  Node child(const Step& step) const;
  format::BTree1Node& edit(const Node& node) { return store_.cache().edit(node).node; }
  /// A node without children, which has the parameters that nodes do not store.
  format::BTree1Node blank(unsigned level) const;
  /// Compares a key with the offsets of a chunk, in row-major order.
  int compare(const Key& key, Offsets at) const;
  /// The child whose range contains `at`, or the first one when `at` is before all of them.
  std::size_t child_for(const format::BTree1Node& node, Offsets at) const;
  /// Fills `path` from the root to a leaf. Returns whether the child at its end is the chunk at `at`.
  bool descend(Offsets at, Path& path) const;

  /// Searches for keys [first, last), all of which are in the range of `node`.
  void find_below(const Node& node, std::size_t first, std::size_t last, const ManyKeys& keys) const;
  void find_in_leaf(const format::BTree1Node& leaf, std::size_t first, std::size_t last,
                    const ManyKeys& keys) const;
  /// Visits the chunks below `node`. `last` is the key of the chunk that was visited last.
  bool visit_below(const Node& node, Offsets* from, Key& last,
                   FunctionRef<bool(const Key&, Address)> visitor) const;
  /// Appends `node` and all nodes below it.
  void collect_below(const Node& node, std::vector<Node>& nodes) const;
  /// All nodes. *Throws* Error(corrupt) when a node has two parents.
  std::vector<Node> all_nodes() const;

  /// As descend(), but starts at an existing path. Returns whether `at` belongs to its leaf; then `path` and
  /// `found` are set.
  bool reuse_path(Offsets at, Path& path, bool& found) const;
  /// Inserts a chunk at the end of `path`, or replaces it when it was `found` there.
  std::optional<std::pair<Key, Address>> insert_at(Path& path, bool found, Key key, Address chunk);
  void replace_at(const Path& path, const Key& key, Address chunk);

  /// The last key of a rightmost node: one chunk after `last` in every dimension.
  Key sentinel(const Key& last) const;
  /// Makes the node at path[depth] hold one more child: splits it and its ancestors where they are full.
  void ensure_capacity(Path& path, std::size_t& depth);
  /// Moves the content of the root to a new child, so that the root keeps its address.
  void grow_root(Path& path);
  /// Splits the node at path[depth] into two siblings.
  void split(Path& path, std::size_t depth);
  /// Copies the changed first key of path[depth] to its left sibling and to the nodes above.
  void carry_first_key(const Path& path, std::size_t depth);
  /// Raises the last key of path.back(), which has a new last child at or beyond it.
  void raise_last_key(const Path& path, const Key& key);
  /// Removes the child at the end of `path`, and nodes that become empty by that.
  void drop_child(Path& path);

  store::FileStore& store_;
  Address root_;
  Shape shape_;
};

}  // namespace filigree::index
