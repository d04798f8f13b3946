// SPDX-License-Identifier: Apache-2.0
#include "space/shape.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "space/cursor.hpp"
#include "space/span_tree.hpp"

namespace filigree::space {
namespace {

using Kind = Selection::Kind;

bool has_slab(const Selection& s) { return s.kind() == Kind::all || s.kind() == Kind::regular; }

/// Moves a selection to the origin of a frame that is its bounding box.
Selection cropped(Selection selection) {
  constexpr std::uint64_t furthest = std::numeric_limits<std::int64_t>::max();
  Bounds box = *selection.bounds();
  std::vector<std::uint64_t> dims(box.low.size());
  for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = box.high[d] - box.low[d] + 1;
  // Usually once; distances beyond the range of a signed number take more steps.
  while (std::ranges::any_of(box.low, [](std::uint64_t low) { return low != 0; })) {
    std::vector<std::int64_t> offset(dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::uint64_t by = std::min(box.low[d], furthest);
      offset[d] = -static_cast<std::int64_t>(by);
      box.low[d] -= by;
    }
    selection = selection.moved(offset);
  }
  return selection.reframed(Frame(std::move(dims)));
}

/// The dimensions after the leading ones that are one element wide.
std::span<const std::uint64_t> essential(const std::vector<std::uint64_t>& dims) {
  const auto first = std::ranges::find_if(dims, [](std::uint64_t n) { return n != 1; });
  return {first, dims.end()};
}

bool same_slab(const Slab& a, const Slab& b) {
  const std::size_t common = std::min(a.dims().size(), b.dims().size());
  // The bounding boxes are equal, so the extra dimensions are one element wide.
  return std::equal(
      a.dims().end() - static_cast<std::ptrdiff_t>(common), a.dims().end(),
      b.dims().end() - static_cast<std::ptrdiff_t>(common),
      [](const SlabDimension& x, const SlabDimension& y) { return x.normalised() == y.normalised(); });
}

/// Whether every block is a single element.
bool is_scattered(const Selection& selection) {
  if (has_slab(selection)) {
    return std::ranges::all_of(selection.slab().dims(),
                               [](const SlabDimension& d) { return d.normalised().block == 1; });
  }
  return !selection.is_set() ||
         SpanTree(selection.frame(), selection.runs()).blocks() == selection.elements();
}

bool same_walk(const Selection& a, const Selection& b) {
  MatchedCursor cursor(a, b);
  for (MatchedRun run; cursor.next(run);) {
    if (run.first != run.second) return false;
  }
  return true;
}

bool reaches(const SlabDimension& d, std::uint64_t low, std::uint64_t high) {
  if (high < d.start || low > d.last()) return false;
  if (d.count == 1 || low <= d.start) return true;
  const std::uint64_t into = (low - d.start) % d.stride;
  return into < d.block || high - low >= d.stride - into;
}

/// A box within a frame.
class Box {
 public:
  Box(const Frame& frame, std::span<const std::uint64_t> low, std::span<const std::uint64_t> high)
      : frame_(frame), low_(low), high_(high), at_(frame.rank()) {}

  bool contains(std::uint64_t offset) { return enter(offset) == offset; }

  /// The first offset in the box from `offset` on, if there is one.
  std::optional<std::uint64_t> enter(std::uint64_t offset) {
    frame_.coordinates(offset, at_.data());
    std::size_t d = 0;
    while (d < at_.size() && at_[d] >= low_[d] && at_[d] <= high_[d]) ++d;
    if (d == at_.size()) return offset;
    if (at_[d] > high_[d]) {
      // Beyond the box: the next outer dimension that is not at its end advances by one.
      do {
        if (d == 0) return std::nullopt;
        --d;
      } while (at_[d] == high_[d]);
      ++at_[d++];
    }
    for (; d < at_.size(); ++d) at_[d] = low_[d];
    return frame_.offset(at_);
  }

 private:
  const Frame& frame_;
  std::span<const std::uint64_t> low_;
  std::span<const std::uint64_t> high_;
  std::vector<std::uint64_t> at_;
};

/// Alternates between runs and box, and skips what only one of them has.
bool meets(const RunSet& runs, Box& box) {
  for (auto at = box.enter(0); at;) {
    const std::size_t i = runs.find(*at);
    if (i == runs.runs()) return false;
    if (runs.run(i).start <= *at) return true;
    at = box.enter(runs.run(i).start);
    if (at && *at < runs.run(i).end()) return true;
  }
  return false;
}

/// Calls `visit` for the pieces of `run` that lie in `set`.
template <class Visit>
void for_each_common(const RunSet& set, Run run, Visit visit) {
  for (std::size_t i = set.find(run.start); i < set.runs() && set.run(i).start < run.end(); ++i) {
    const std::uint64_t start = std::max(set.run(i).start, run.start);
    visit(Run{start, std::min(set.run(i).end(), run.end()) - start});
  }
}

}  // namespace

bool same_shape(const Selection& a, const Selection& b) {
  if (a.elements() != b.elements()) return false;
  if (a.elements() == 0 || a.frame().rank() == 0 || b.frame().rank() == 0) return true;
  const Selection x = cropped(a);
  const Selection y = cropped(b);
  if (!std::ranges::equal(essential(x.frame().dims()), essential(y.frame().dims()))) return false;
  if (has_slab(x) && has_slab(y)) return same_slab(x.slab(), y.slab());
  const bool comparable = x.is_set() == y.is_set() || (is_scattered(x) && is_scattered(y));
  return comparable && same_walk(x, y);
}

bool intersects_block(const Selection& selection, std::span<const std::uint64_t> low,
                      std::span<const std::uint64_t> high) {
  const Frame& frame = selection.frame();
  if (low.size() != frame.rank() || high.size() != frame.rank()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a block of {} dimensions, the extent has {}", low.size(), frame.rank()));
  }
  std::vector<std::uint64_t> last(high.begin(), high.end());
  for (std::size_t d = 0; d < last.size(); ++d) {
    if (low[d] > last[d]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("a block from {} to {} in dimension {}", low[d], last[d], d));
    }
    if (frame.dims()[d] != 0) last[d] = std::min(last[d], frame.dims()[d] - 1);
  }
  if (selection.elements() == 0 || !frame.contains(low)) return false;
  if (has_slab(selection)) {
    const auto& dims = selection.slab().dims();
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (!reaches(dims[d], low[d], last[d])) return false;
    return true;
  }
  Box box(frame, low, last);
  if (selection.is_set()) return meets(selection.runs(), box);
  return std::ranges::any_of(selection.points(), [&](std::uint64_t at) { return box.contains(at); });
}

Selection project_intersection(const Selection& from, const Selection& onto, const Selection& part) {
  if (from.frame().rank() != part.frame().rank()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a part of {} dimensions cannot be taken of a selection of {}",
                            part.frame().rank(), from.frame().rank()));
  }
  const Frame joined = from.frame().joined(part.frame());
  const Selection source = from.reframed(joined);
  const RunSet requested = part.reframed(joined).runs();
  RunSetWriter set(0);
  std::vector<std::uint64_t> points;
  MatchedCursor cursor(source, onto);
  for (MatchedRun run; cursor.next(run);) {
    for_each_common(requested, {run.first, run.length}, [&](Run common) {
      const Run target{run.second + (common.start - run.first), common.length};
      if (onto.is_set()) return set.add(target);
      for (std::uint64_t at = target.start; at < target.end(); ++at) points.push_back(at);
    });
  }
  return onto.is_set() ? Selection::of_runs(onto.frame(), set.finish())
                       : Selection::of_points(onto.frame(), std::move(points));
}

}  // namespace filigree::space
