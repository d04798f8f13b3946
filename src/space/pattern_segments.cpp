// SPDX-License-Identifier: Apache-2.0
#include "space/pattern_segments.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "space/span_tree.hpp"

namespace filigree::space {
namespace {

using Kind = Selection::Kind;

std::size_t mixed(std::size_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E37'79B9'7F4A'7C15u;
  return hash ^ hash >> 29;
}

/// For every node, the first node with the same description.
std::vector<SpanTree::Node> first_equals(const SpanTree& tree) {
  std::vector<SpanTree::Node> first(tree.nodes());
  std::unordered_map<std::size_t, SpanTree::Node> seen;
  const auto first_below = [&](const SpanTree::Span& span) {
    return span.below == SpanTree::whole ? span.below : first[span.below];
  };
  for (SpanTree::Node node = 0; node < first.size(); ++node) {
    std::size_t hash = 0;
    for (const auto& span : tree.spans(node))
      hash = mixed(mixed(mixed(hash, span.start), span.end), first_below(span));
    const SpanTree::Node earlier = seen.try_emplace(hash, node).first->second;
    const bool equal = std::ranges::equal(tree.spans(earlier), tree.spans(node), [&](auto& a, auto& b) {
      return a.start == b.start && a.end == b.end && first_below(a) == first_below(b);
    });
    first[node] = equal ? earlier : node;
  }
  return first;
}

}  // namespace

/// The state that the iterators of one selection share.
class PatternIterator::Pattern {
 public:
  Pattern(const Selection& selection, std::uint64_t element_bytes)
      : selection_(selection), element_bytes_(element_bytes) {
    if (element_bytes == 0) throw Error(ErrorKind::invalid_argument, "elements of no size");
    checked_multiply(selection.frame().elements(), element_bytes, "the number of bytes in the extent");
    if (selection.kind() == Kind::all || selection.kind() == Kind::regular) dims_ = selection.slab().dims();
    if (selection.kind() == Kind::runs) {
      tree_.emplace(selection.frame(), selection.runs());
      if (auto dims = tree_->regular()) {
        dims_ = std::move(*dims);
        tree_.reset();
      }
    }
    for (SlabDimension& d : dims_) d = d.normalised();
    solid_from_ = dims_.size();
    while (solid_from_ > 0 && whole(solid_from_ - 1)) --solid_from_;
  }

  Level root() const { return {0, tree_ ? tree_->root() : 0}; }

  /// The number of spans or points of a level.
  std::size_t size(Level level) const {
    if (tree_) return tree_->spans(level.node).size();
    return selection_.kind() == Kind::points ? selection_.points().size() : selection_.elements() != 0;
  }

  /// Returns the shape and the start of the span or point at `next`, and advances `next`.
  Shape take(Level level, std::size_t& next, std::uint64_t& start) const {
    if (tree_) {
      const SpanTree::Span& span = tree_->spans(level.node)[next++];
      start = span.start;
      return {1, 1, span.end - span.start, {level.dimension + 1, span.below}};
    }
    if (selection_.kind() == Kind::points) return take_points(next, start);
    const std::size_t d = level.dimension;
    const SlabDimension slab = dims_.empty() ? SlabDimension{0, 1, 1, 1} : dims_[d];
    ++next;
    start = slab.start;
    return {slab.stride, slab.count, slab.block, {d + 1, d + 1 < solid_from_ ? 0 : SpanTree::whole}};
  }

  std::uint64_t unit_bytes(Level level) const {
    const bool flat = selection_.kind() == Kind::points || selection_.frame().rank() == 0;
    return flat ? element_bytes_ : element_bytes_ * selection_.frame().step(level.dimension);
  }

  void*& udata(const Shape& shape) {
    if (tree_ && first_.empty()) first_ = first_equals(*tree_);
    return udata_[unified(shape)];
  }
  void* find_udata(const Shape& shape) const {
    if (udata_.empty()) return nullptr;
    const auto found = udata_.find(unified(shape));
    return found == udata_.end() ? nullptr : found->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Shape& shape) const {
      const std::size_t blocks = mixed(mixed(mixed(0, shape.stride), shape.count), shape.block);
      return mixed(mixed(blocks, shape.below.dimension), shape.below.node);
    }
  };

  bool whole(std::size_t d) const {
    return dims_[d].count == 1 && dims_[d].block == selection_.frame().dims()[d];
  }

  Shape take_points(std::size_t& next, std::uint64_t& start) const {
    const auto points = selection_.points();
    const std::size_t first = next++;
    start = points[first];
    while (next < points.size() && points[next] == points[next - 1] + 1) ++next;
    return {1, 1, next - first, {1, SpanTree::whole}};
  }

  Shape unified(Shape shape) const {
    if (tree_ && shape.below.node != SpanTree::whole) shape.below.node = first_[shape.below.node];
    return shape;
  }

  Selection selection_;
  std::uint64_t element_bytes_;
  std::optional<SpanTree> tree_;     ///< for a set that is not regular
  std::vector<SlabDimension> dims_;  ///< for a regular set, normalised
  std::size_t solid_from_ = 0;       ///< from this dimension on, all elements are selected
  std::vector<SpanTree::Node> first_;
  std::unordered_map<Shape, void*, Hash> udata_;
};

PatternIterator::PatternIterator(const Selection& selection, std::uint64_t element_bytes)
    : pattern_(std::make_shared<Pattern>(selection, element_bytes)), level_(pattern_->root()) {}

bool PatternIterator::complete() const { return next_ == pattern_->size(level_); }

PatternSegment PatternIterator::next() {
  PatternSegment segment;
  segment.sub_pattern_size = pattern_->unit_bytes(level_);
  if (complete()) return segment;
  last_ = pattern_->take(level_, next_, segment.start);
  segment.stride = last_.stride;
  segment.count = last_.count;
  segment.block = last_.block;
  if (last_.below.node != SpanTree::whole) segment.sub_pattern_iter = PatternIterator(pattern_, last_.below);
  segment.udata = pattern_->find_udata(last_);
  return segment;
}

void PatternIterator::cache_udata(void* udata) {
  if (last_.count == 0) throw Error(ErrorKind::invalid_argument, "no segment to keep user data with yet");
  pattern_->udata(last_) = udata;
}

}  // namespace filigree::space
