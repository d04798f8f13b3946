// SPDX-License-Identifier: Apache-2.0
//
// A set as nested spans of coordinates: the view of it that blocks and regularity are read from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "space/frame.hpp"
#include "space/run_set.hpp"
#include "space/slab.hpp"

namespace filigree::space {

/// For every dimension, slowest first, ascending spans of coordinates, each with the node that describes the
/// dimensions below. Neighbours with equal descriptions are one span, so equal sets have equal trees whatever
/// their frames are.
class SpanTree {
 public:
  using Node = std::size_t;
  /// Below a span: every element of the remaining dimensions.
  static constexpr Node whole = ~std::size_t{0};

  struct Span {
    std::uint64_t start = 0;
    std::uint64_t end = 0;  ///< exclusive
    Node below = whole;
  };

  /// Work and memory go with the number of runs, however long they are. Rank 0 has no tree.
  SpanTree(const Frame& frame, const RunSet& runs);

  Node root() const { return root_; }
  /// Nodes are numbered from 0, those below a node before it.
  std::size_t nodes() const { return nodes_.size(); }
  /// Of a node that is not `whole`.
  std::span<const Span> spans(Node node) const {
    return std::span(spans_).subspan(nodes_[node].first, nodes_[node].count);
  }
  const Frame& frame() const { return frame_; }

  /// Boxes that make up the set. Throws Error(limit) beyond 2^64 - 1.
  std::uint64_t blocks() const;
  /// Every box in ascending order of its first corner; both corners belong to it. `visit` returns false to
  /// stop.
  using BlockVisitor =
      FunctionRef<bool(std::span<const std::uint64_t> low, std::span<const std::uint64_t> high)>;
  void for_each_block(BlockVisitor visit) const;
  /// The regular hyperslab that the set is, if it is one.
  std::optional<std::vector<SlabDimension>> regular() const;

  /// Whether two nodes of one tree describe the same.
  bool equal(Node a, Node b) const;

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  class Builder;

  Frame frame_;
  std::vector<Range> nodes_;
  std::vector<Span> spans_;
  Node root_ = whole;
};

}  // namespace filigree::space
