// SPDX-License-Identifier: Apache-2.0
//
// The version 1 B-tree of chunks in a file. Keys are offsets in elements, with one more for the element
// size, as the nodes have them.
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

/// One tree. Between two nodes of a level, the last key of the left one equals the first key of the right
/// one; stock relies on it when it inserts. The root stays where it is.
class ChunkTree1 {
 public:
  using Key = format::ChunkKey;
  using Offsets = std::span<const std::uint64_t>;
  struct Shape {
    std::uint16_t k = 32;
    std::vector<std::uint64_t> dims;  ///< of a chunk, and the element size
  };

  static Address create(store::FileStore& store, const Shape& shape);
  ChunkTree1(store::FileStore& store, Address root, Shape shape);

  /// Offsets here count no element size: one for each dimension.
  bool find(Offsets at, FunctionRef<void(const Key&, Address)> found) const;
  /// `keys` keys, which ascend; `offsets(i)` gives key i. Reads every node at most once.
  void find_many(std::size_t keys, FunctionRef<Offsets(std::size_t)> offsets,
                 FunctionRef<void(std::size_t, const Key&, Address)> found) const;
  /// In order, from the first one that does not stand before `from`; whether `see` never returned false.
  bool visit(Offsets from, FunctionRef<bool(const Key&, Address)> see) const;
  /// Adds a chunk or replaces what is known of it; returns that.
  std::optional<std::pair<Key, Address>> insert(const Key& key, Address chunk);
  /// Many at once; they should ascend. Counts `done` up.
  void insert_many(std::size_t chunks, FunctionRef<std::pair<Key, Address>(std::size_t)> chunk,
                   std::size_t& done);
  std::optional<std::pair<Key, Address>> remove(Offsets at);
  void destroy();
  std::uint64_t file_bytes() const;

 private:
  using Node = std::shared_ptr<const store::BTree1Entry>;
  /// A node on the way down, and the child taken.
  struct Step {
    Node node;
    std::size_t index = 0;
  };
  using Path = std::vector<Step>;
  struct ManyKeys;

  Node load(Address at, std::optional<unsigned> level) const;
  Node child(const Step& step) const;
  format::BTree1Node& edit(const Node& node) { return store_.cache().edit(node).node; }
  format::BTree1Node blank(unsigned level) const;
  int compare(const Key& key, Offsets at) const;
  /// The child whose range holds `at`, or the first one when `at` stands before all.
  std::size_t child_for(const format::BTree1Node& node, Offsets at) const;
  /// Down to a leaf; whether the child found there is the chunk at `at`.
  bool descend(Offsets at, Path& path) const;

  void find_below(const Node& node, std::size_t first, std::size_t last, const ManyKeys& keys) const;
  void find_in_leaf(const format::BTree1Node& leaf, std::size_t first, std::size_t last,
                    const ManyKeys& keys) const;
  bool visit_below(const Node& node, Offsets* from, Key& last,
                   FunctionRef<bool(const Key&, Address)> see) const;
  void collect_below(const Node& node, std::vector<Node>& nodes) const;
  std::vector<Node> all_nodes() const;

  /// The same from a path of the tree as it is: whether `at` belongs into its leaf. Sets the child then.
  bool stay(Offsets at, Path& path, bool& found) const;
  std::optional<std::pair<Key, Address>> insert_at(Path& path, bool found, Key key, Address chunk);
  void replace_at(const Path& path, const Key& key, Address chunk);

  Key sentinel(const Key& last) const;
  void make_room(Path& path, std::size_t& depth);
  void grow_root(Path& path);
  void split(Path& path, std::size_t depth);
  /// The first key of path[depth] has changed: says so to its left neighbour and to the nodes above.
  void carry_first_key(const Path& path, std::size_t depth);
  /// path.back() has got a last child at or beyond its last key.
  void raise_last_key(const Path& path, const Key& key);
  void drop_child(Path& path);

  store::FileStore& store_;
  Address root_;
  Shape shape_;
};

}  // namespace filigree::index
