// SPDX-License-Identifier: Apache-2.0
//
// Span trees: sets as nested spans of coordinates, from which blocks and regularity are derived.
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

/// A tree with ascending spans of coordinates for every dimension, from the slowest on. Each span has a node
/// that describes the dimensions below. Adjacent spans with equal nodes are joined, so equal sets have equal
/// trees whatever their frames are.
class SpanTree {
 public:
  using Node = std::size_t;
  /// The node of a span that contains all elements of the dimensions below.
  static constexpr Node whole = ~std::size_t{0};

  struct Span {
    std::uint64_t start = 0;
    std::uint64_t end = 0;  ///< exclusive
    Node below = whole;
  };

  /// Time and memory are proportional to the number of runs, whatever their length. *Requires* a rank above
  /// 0.
  SpanTree(const Frame& frame, const RunSet& runs);

  Node root() const { return root_; }
  /// The number of nodes. A node has a higher index than the nodes below it.
  std::size_t nodes() const { return nodes_.size(); }
  /// The spans of a node. *Requires* a node other than `whole`.
  std::span<const Span> spans(Node node) const {
    return std::span(spans_).subspan(nodes_[node].first, nodes_[node].count);
  }
  const Frame& frame() const { return frame_; }

  /// The number of blocks. *Throws* Error(limit) beyond 2^64 - 1.
  std::uint64_t blocks() const;
  /// Visits every block in ascending order of its first corner; both corners are inclusive. `visit` returns
  /// false to stop.
  using BlockVisitor =
      FunctionRef<bool(std::span<const std::uint64_t> low, std::span<const std::uint64_t> high)>;
  void for_each_block(BlockVisitor visit) const;
  /// The regular hyperslab that equals the set, if any.
  std::optional<std::vector<SlabDimension>> regular() const;

  /// Whether two nodes of the tree describe the same elements.
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
