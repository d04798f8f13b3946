// SPDX-License-Identifier: Apache-2.0
#include "space/selection_builder.hpp"

#include <algorithm>

#include <filigree/error.hpp>

namespace filigree::space {
namespace {

constexpr std::size_t fewest_to_settle = 4096;

/// Whether several operands can be merged into one before the operator is applied.
bool is_local(SetOperator op) {
  return op == SetOperator::unite || op == SetOperator::subtract || op == SetOperator::differ;
}

/// The offsets that lie in an odd number of the runs.
RunSet odd_cover(const std::vector<Run>& runs) {
  std::vector<std::uint64_t> edges;
  edges.reserve(2 * runs.size());
  for (const Run& run : runs) {
    edges.push_back(run.start);
    edges.push_back(run.end());
  }
  std::ranges::sort(edges);
  std::vector<std::uint64_t> left;
  for (const std::uint64_t edge : edges) {
    if (!left.empty() && left.back() == edge) {
      left.pop_back();
    } else {
      left.push_back(edge);
    }
  }
  RunSetWriter writer(left.size() / 2);
  for (std::size_t i = 0; i < left.size(); i += 2) writer.add({left[i], left[i + 1] - left[i]});
  return writer.finish();
}

}  // namespace

SelectionBuilder::SelectionBuilder(Selection from) : selection_(std::move(from)) {
  if (!selection_.is_set())
    throw Error(ErrorKind::invalid_argument,
                "a list of points is not a set; convert it to one before combining it");
}

void SelectionBuilder::combine(SetOperator op, std::span<const SlabDimension> slab) {
  if (collect(op, slab)) return;
  combine(op, Selection::regular(selection_.frame(), {slab.begin(), slab.end()}));
}

void SelectionBuilder::combine(SetOperator op, const Selection& other) {
  settle();
  selection_ = space::combine(selection_, op, other);
}

bool SelectionBuilder::collect(SetOperator op, std::span<const SlabDimension> slab) {
  const Frame& frame = selection_.frame();
  if (!is_local(op) || slab.empty() || slab.size() != frame.rank()) return false;
  Run run{0, 1};
  for (std::size_t d = 0; d < slab.size(); ++d) {
    const SlabDimension& s = slab[d];
    const std::uint64_t extent = frame.dims()[d];
    if (s.count == 0 || s.block == 0 || s.stride == 0 || s.start >= extent) return false;
    if (s.count > 1 && s.stride != s.block) return false;
    const std::uint64_t available = extent - s.start;
    if (s.block > available || s.count > available / s.block) return false;
    const std::uint64_t length = s.count * s.block;
    if (length > 1 && d + 1 != slab.size()) return false;
    run.start += s.start * frame.step(d);
    run.length = length;
  }
  if (op != op_ || pending_.size() >= settle_at_) settle();
  op_ = op;
  pending_.push_back(run);
  return true;
}

void SelectionBuilder::settle() {
  if (!pending_.empty()) {
    RunSet operand = op_ == SetOperator::differ ? odd_cover(pending_) : RunSet::of_runs(std::move(pending_));
    pending_.clear();
    selection_ = space::combine(selection_, op_, Selection::of_runs(selection_.frame(), std::move(operand)));
  }
  // As many as there are runs already: every run is then merged a logarithmic number of times.
  settle_at_ = std::max<std::size_t>(fewest_to_settle,
                                     selection_.kind() == Selection::Kind::runs ? selection_.run_count() : 0);
}

const Selection& SelectionBuilder::selection() {
  settle();
  return selection_;
}

}  // namespace filigree::space
