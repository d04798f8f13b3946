// SPDX-License-Identifier: Apache-2.0
#include "space/span_tree.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace filigree::space {

/// Builds the tree by dividing the runs along one dimension after the other.
class SpanTree::Builder {
 public:
  Builder(SpanTree& tree, const RunSet& runs) : tree_(tree), runs_(runs), open_(tree.frame_.rank()) {}

  /// Builds the node of dimension `d` for `window`. Reads runs from next_ on, and sets next_ to the last run
  /// that overlaps the window or to a later one.
  Node build(std::size_t d, Run window) {
    const std::uint64_t unit = tree_.frame_.step(d);
    open_[d].clear();
    for (std::uint64_t at = window.start; next_ < runs_.runs();) {
      const Run run = runs_.run(next_);
      at = std::max(at, run.start);
      if (at >= window.end()) break;
      const std::uint64_t end = std::min(run.end(), window.end());
      const std::uint64_t coordinate = (at - window.start) / unit;
      const std::uint64_t unit_start = window.start + coordinate * unit;
      if (at == unit_start && end - at >= unit) {
        const std::uint64_t units = (end - at) / unit;
        add(d, {coordinate, coordinate + units, whole});
        at += units * unit;
      } else {
        add_built(d, coordinate, {unit_start, unit});
        at = unit_start + unit;
      }
      if (next_ < runs_.runs() && runs_.run(next_).end() <= at) ++next_;
    }
    return close(d);
  }

 private:
  void add(std::size_t d, const Span& span) {
    auto& spans = open_[d];
    if (!spans.empty() && spans.back().end == span.start && spans.back().below == span.below) {
      spans.back().end = span.end;
    } else {
      spans.push_back(span);
    }
  }

  /// Adds one coordinate; an equal node extends the previous span.
  void add_built(std::size_t d, std::uint64_t coordinate, Run window) {
    const std::size_t nodes = tree_.nodes_.size();
    const std::size_t spans = tree_.spans_.size();
    Node below = build(d + 1, window);
    if (!open_[d].empty() && tree_.equal(open_[d].back().below, below)) {
      below = open_[d].back().below;
      tree_.nodes_.resize(nodes);
      tree_.spans_.resize(spans);
    }
    add(d, {coordinate, coordinate + 1, below});
  }

  Node close(std::size_t d) {
    tree_.nodes_.push_back({tree_.spans_.size(), open_[d].size()});
    tree_.spans_.insert(tree_.spans_.end(), open_[d].begin(), open_[d].end());
    return tree_.nodes_.size() - 1;
  }

  SpanTree& tree_;
  const RunSet& runs_;
  std::vector<std::vector<Span>> open_;
  std::size_t next_ = 0;
};

SpanTree::SpanTree(const Frame& frame, const RunSet& runs) : frame_(frame) {
  if (frame.rank() != 0) root_ = Builder(*this, runs).build(0, {0, frame.elements()});
}

bool SpanTree::equal(Node a, Node b) const {
  if (a == b) return true;
  if (a == whole || b == whole) return false;
  return std::ranges::equal(spans(a), spans(b), [&](const Span& x, const Span& y) {
    return x.start == y.start && x.end == y.end && equal(x.below, y.below);
  });
}

std::uint64_t SpanTree::blocks() const {
  // Nodes have higher indexes than the nodes below them.
  std::vector<std::uint64_t> count(nodes_.size(), 0);
  for (Node node = 0; node < nodes_.size(); ++node) {
    for (const Span& span : spans(node)) {
      count[node] =
          checked_add(count[node], span.below == whole ? 1 : count[span.below], "the number of blocks");
    }
  }
  return root_ == whole ? 1 : count[root_];
}

void SpanTree::for_each_block(BlockVisitor visit) const {
  const std::size_t rank = frame_.rank();
  std::vector<std::uint64_t> low(rank, 0);
  std::vector<std::uint64_t> high(rank, 0);
  const auto descend = [&](const auto& self, std::size_t d, Node node) -> bool {
    if (node == whole) {
      for (std::size_t i = d; i < rank; ++i) {
        low[i] = 0;
        high[i] = frame_.dims()[i] - 1;
      }
      return visit(low, high);
    }
    for (const Span& span : spans(node)) {
      low[d] = span.start;
      high[d] = span.end - 1;
      if (!self(self, d + 1, span.below)) return false;
    }
    return true;
  };
  descend(descend, 0, root_);
}

std::optional<std::vector<SlabDimension>> SpanTree::regular() const {
  std::vector<SlabDimension> dims;
  Node node = root_;
  for (; node != whole;) {
    const auto list = spans(node);
    if (list.empty()) return std::nullopt;
    const std::uint64_t block = list[0].end - list[0].start;
    const std::uint64_t stride = list.size() > 1 ? list[1].start - list[0].start : 1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool fits = list[i].start == list[0].start + i * stride && list[i].end == list[i].start + block;
      if (!fits || list[i].below != list[0].below) return std::nullopt;
    }
    dims.push_back({list[0].start, stride, list.size(), block});
    node = list[0].below;
  }
  while (dims.size() < frame_.rank()) dims.push_back({0, 1, 1, frame_.dims()[dims.size()]});
  return dims;
}

}  // namespace filigree::space
