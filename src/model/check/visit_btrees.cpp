// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "format/btrees/btree2.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"

namespace filigree::model {

using format::BTree1Node;
using format::BTree2Child;
using format::BTree2Geometry;
using format::BTree2Header;
using format::BTree2Node;

namespace {

/// One version 1 B-tree. Levels decrease towards the leaves, so recursion ends.
class Tree1Visit {
 public:
  Tree1Visit(FileWalk& walk, const BTree1Node& like, FunctionRef<void(const BTree1Node&)> leaf)
      : walk_(walk), like_(like), leaf_(leaf) {}

  void visit(Address at, std::optional<unsigned> level) {
    BTree1Node node;
    node.type = like_.type;
    node.k = like_.k;
    node.key_offsets = like_.key_offsets;
    if (!is_valid(at)) return walk_.damage(BTree1Node::structure, at, "a child pointer is undefined");
    // The unused end of a node may be beyond the end of the file.
    const std::uint64_t bytes = std::min(node.allocated_bytes(walk_.widths()), walk_.store().available(at));
    if (!walk_.load(node, {at, bytes, bytes, true})) return;
    if (level && node.level != *level) {
      return walk_.damage(BTree1Node::structure, at,
                          fmt::format("{} at {}: its level is {}, but {} is expected here",
                                      BTree1Node::structure, to_string(at), node.level, *level));
    }
    if (node.level == 0) return leaf_(node);
    for (const Address child : node.children) visit(child, node.level - 1u);
  }

 private:
  FileWalk& walk_;
  const BTree1Node& like_;
  FunctionRef<void(const BTree1Node&)> leaf_;
};

/// One version 2 B-tree.
class Tree2Visit {
 public:
  Tree2Visit(FileWalk& walk, const BTree2Header& header, const BTree2Geometry& geometry,
             FunctionRef<void(Bytes)> record)
      : walk_(walk), header_(header), geometry_(geometry), record_(record) {}

  bool visit(const BTree2Child& child, std::uint16_t depth) {
    BTree2Node node;
    node.geometry = &geometry_;
    node.type = header_.type;
    node.version = header_.version;
    node.depth = depth;
    node.count = child.records;
    if (child.records > geometry_.level(depth).max_records) {
      walk_.damage(BTree2Node::structure, child.at,
                   fmt::format("{} at {}: has {} records according to its parent, but only {} fit",
                               BTree2Node::structure, to_string(child.at), child.records,
                               geometry_.level(depth).max_records));
      return false;
    }
    const std::uint64_t used = geometry_.used_bytes(depth, child.records);
    if (!walk_.load(node, {child.at, used, geometry_.node_bytes(), false})) return false;
    return visit_records(node) && counts(node, child);
  }

 private:
  bool visit_records(const BTree2Node& node) {
    bool sound = true;
    const std::size_t bytes = geometry_.record_bytes();
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (node.depth > 0) sound = visit(node.children[i], node.depth - 1) && sound;
      record_(Bytes(node.records).subspan(i * bytes, bytes));
    }
    if (node.depth > 0) sound = visit(node.children.back(), node.depth - 1) && sound;
    return sound;
  }

  bool counts(const BTree2Node& node, const BTree2Child& child) {
    std::uint64_t total = node.count;
    for (const BTree2Child& below : node.children) total += below.total;
    if (total == child.total) return true;
    walk_.damage(
        BTree2Node::structure, child.at,
        fmt::format("{} at {}: has {} records with all nodes below it, but {} according to its parent",
                    BTree2Node::structure, to_string(child.at), total, child.total));
    return false;
  }

  FileWalk& walk_;
  const BTree2Header& header_;
  const BTree2Geometry& geometry_;
  FunctionRef<void(Bytes)> record_;
};

}  // namespace

void visit_btree1(FileWalk& walk, Address root, const BTree1Node& like,
                  FunctionRef<void(const BTree1Node&)> leaf) {
  Tree1Visit(walk, like, leaf).visit(root, std::nullopt);
}

bool visit_btree2(FileWalk& walk, Address at, std::uint8_t type, FunctionRef<void(Bytes)> record) {
  BTree2Header header;
  if (!walk.load(header, {at, format::encoded_bytes(header, walk.widths()), 0, false})) return false;
  if (header.type != type) {
    walk.damage(BTree2Header::structure, at,
                fmt::format("{} at {}: has records of type {}, but {} is expected here",
                            BTree2Header::structure, to_string(at), header.type, type));
    return false;
  }
  if (!is_valid(header.root)) {
    if (header.total_records == 0) return true;
    walk.damage(BTree2Header::structure, at, "has records, but no root");
    return false;
  }
  bool sound = false;
  walk.guarded(BTree2Header::structure, at, [&] {
    const BTree2Geometry geometry(header.node_bytes, header.record_bytes, walk.widths().offset_bytes);
    sound = Tree2Visit(walk, header, geometry, record)
                .visit({header.root, header.root_records, header.total_records}, header.depth);
  });
  return sound;
}

}  // namespace filigree::model
