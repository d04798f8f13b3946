// SPDX-License-Identifier: Apache-2.0
#include "space/selection.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "space/rows.hpp"

namespace filigree::space {
namespace {

using Kind = Selection::Kind;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

void require_rank(const Frame& frame, std::size_t rank) {
  if (frame.rank() != rank) refuse(fmt::format("{} dimensions where the extent has {}", rank, frame.rank()));
}

RunSet runs_of_slab(const Slab& slab) {
  RunSetWriter writer(slab.runs());
  for (SlabCursor cursor(slab); !cursor.done();) {
    const RunPattern p = cursor.pattern();
    for (std::uint64_t i = 0; i < p.count; ++i) writer.add({p.start + i * p.stride, p.length});
    cursor.advance(p.length * p.count);
  }
  return writer.finish();
}

Bounds bounds_of_slab(const Slab& slab) {
  Bounds bounds;
  for (const SlabDimension& d : slab.dims()) {
    bounds.low.push_back(d.start);
    bounds.high.push_back(d.last());
  }
  return bounds;
}

/// Extends `bounds` by the run from `start` to `last`, which may span several rows.
void cover(Bounds& bounds, const Frame& frame, std::uint64_t start, std::uint64_t last) {
  const std::size_t rank = frame.rank();
  bool wraps = false;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::uint64_t from = wraps ? 0 : start / frame.step(d);
    const std::uint64_t to = wraps ? frame.dims()[d] - 1 : last / frame.step(d);
    bounds.low[d] = std::min(bounds.low[d], from);
    bounds.high[d] = std::max(bounds.high[d], to);
    // If the run spans several coordinates of this dimension, it covers the dimensions below completely.
    wraps = wraps || from != to;
    start %= frame.step(d);
    last %= frame.step(d);
  }
}

Bounds empty_bounds(const Frame& frame) {
  return {std::vector<std::uint64_t>(frame.rank(), ~std::uint64_t{0}),
          std::vector<std::uint64_t>(frame.rank(), 0)};
}

/// Converts offsets of one frame to those of another frame of the same rank. *Requires* that it contains
/// them.
class Renumbering {
 public:
  Renumbering(const Frame& from, const Frame& to) : from_(from), to_(to) {}
  std::uint64_t operator()(std::uint64_t offset) const {
    std::uint64_t moved = 0;
    for (std::size_t d = 0; d < from_.rank(); ++d) {
      moved += offset / from_.step(d) * to_.step(d);
      offset %= from_.step(d);
    }
    return moved;
  }

 private:
  const Frame& from_;
  const Frame& to_;
};

RunSet renumber(const RunSet& runs, const Frame& from, const Frame& to) {
  const Renumbering renumbering(from, to);
  RunSetWriter writer(runs.runs());
  std::uint64_t row_before = ~std::uint64_t{0};
  std::uint64_t row_start = 0;
  for_each_row_run(runs, from.dims().back(),
                   [&](std::uint64_t row, std::uint64_t column, std::uint64_t length) {
                     if (row != row_before) row_start = renumbering(row * from.dims().back());
                     row_before = row;
                     writer.add({row_start + column, length});
                   });
  return writer.finish();
}

/// The part of `d` within a window, if it is regular again.
std::optional<SlabDimension> clipped(const SlabDimension& d, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t first = d.start + d.block > low ? 0 : (low - d.start - d.block) / d.stride + 1;
  if (first >= d.count || d.start + first * d.stride > high) return SlabDimension{0, 1, 0, 1};
  const std::uint64_t last = std::min(d.count - 1, (high - d.start) / d.stride);
  const std::uint64_t start = std::max(low, d.start + first * d.stride);
  const std::uint64_t end = std::min(high, d.start + last * d.stride + d.block - 1);
  if (first == last) return SlabDimension{start, 1, 1, end - start + 1};
  const bool whole = start == d.start + first * d.stride && end == d.start + last * d.stride + d.block - 1;
  if (!whole) return std::nullopt;
  return SlabDimension{start, d.stride, last - first + 1, d.block};
}

/// The intersection of two regular selections, one of which is a single block in every dimension.
std::optional<std::vector<SlabDimension>> intersect_slabs(const Slab& a, const Slab& b) {
  std::vector<SlabDimension> dims;
  for (std::size_t d = 0; d < a.dims().size(); ++d) {
    SlabDimension x = a.dims()[d].normalised();
    SlabDimension y = b.dims()[d].normalised();
    if (x == y) {
      dims.push_back(x);
      continue;
    }
    if (x.count == 1) std::swap(x, y);
    if (y.count != 1) return std::nullopt;
    const auto both = clipped(x, y.start, y.last());
    if (!both) return std::nullopt;
    dims.push_back(*both);
  }
  return dims;
}

bool has_slab(const Selection& s) { return s.kind() == Kind::all || s.kind() == Kind::regular; }

}  // namespace

Selection Selection::none(Frame frame) { return {std::move(frame), Kind::none}; }

Selection Selection::all(Frame frame) {
  Selection selection(std::move(frame), Kind::all);
  selection.slab_ = std::make_shared<const Slab>(selection.frame_.dims());
  selection.elements_ = selection.frame_.elements();
  return selection;
}

Selection Selection::regular(Frame frame, std::vector<SlabDimension> dims) {
  Selection selection(std::move(frame), Kind::regular);
  auto slab = std::make_shared<const Slab>(selection.frame_.dims(), std::move(dims));
  if (slab->elements() == 0) return none(std::move(selection.frame_));
  selection.elements_ = slab->elements();
  selection.slab_ = std::move(slab);
  return selection;
}

Selection Selection::of_runs(Frame frame, RunSet runs) {
  if (runs.empty()) return none(std::move(frame));
  if (runs.edges().back() > frame.elements()) {
    refuse(fmt::format("offset {} is outside of an extent of {} elements", runs.edges().back() - 1,
                       frame.elements()));
  }
  Selection selection(std::move(frame), Kind::runs);
  selection.elements_ = runs.elements();
  selection.runs_ = std::move(runs);
  return selection;
}

Selection Selection::of_points(Frame frame, std::vector<std::uint64_t> offsets) {
  if (offsets.empty()) return none(std::move(frame));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] >= frame.elements())
      refuse(fmt::format("point {} is at offset {}, outside of an extent of {} elements", i, offsets[i],
                         frame.elements()));
  }
  Selection selection(std::move(frame), Kind::points);
  selection.elements_ = offsets.size();
  selection.points_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(offsets));
  return selection;
}

RunSet Selection::runs() const {
  switch (kind_) {
    case Kind::none:
      return {};
    case Kind::all:
    case Kind::regular:
      return runs_of_slab(*slab_);
    case Kind::runs:
      return runs_;
    case Kind::points:
      return RunSet::of_offsets(*points_);
  }
  return {};
}

std::uint64_t Selection::run_count() const {
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::all:
    case Kind::regular:
      return slab_->runs();
    case Kind::runs:
      return runs_.runs();
    case Kind::points:
      return points_->size();
  }
  return 0;
}

std::optional<Bounds> Selection::bounds() const {
  if (elements_ == 0) return std::nullopt;
  if (slab_) return bounds_of_slab(*slab_);
  Bounds bounds = empty_bounds(frame_);
  if (kind_ == Kind::points) {
    for (const std::uint64_t at : *points_) cover(bounds, frame_, at, at);
  } else {
    for (std::size_t i = 0; i < runs_.runs(); ++i)
      cover(bounds, frame_, runs_.run(i).start, runs_.run(i).end() - 1);
  }
  return bounds;
}

bool Selection::contains(std::span<const std::uint64_t> coordinates) const {
  require_rank(frame_, coordinates.size());
  if (!frame_.contains(coordinates) || elements_ == 0) return false;
  if (slab_) return slab_->contains(coordinates);
  const std::uint64_t at = frame_.offset(coordinates);
  return kind_ == Kind::runs ? runs_.contains(at) : std::ranges::find(*points_, at) != points_->end();
}

Selection Selection::reframed(const Frame& frame) const {
  require_rank(frame, frame_.rank());
  if (frame == frame_) return *this;
  if (elements_ == 0) return none(frame);
  if (slab_) return regular(frame, slab_->dims());
  const Bounds box = *bounds();
  for (std::size_t d = 0; d < frame.rank(); ++d) {
    if (box.high[d] >= frame.dims()[d]) {
      refuse(fmt::format("the selection reaches {} in dimension {}, the extent has {} elements there",
                         box.high[d], d, frame.dims()[d]));
    }
  }
  if (kind_ == Kind::runs)
    return of_runs(frame, frame.has_same_offsets(frame_) ? runs_ : renumber(runs_, frame_, frame));
  std::vector<std::uint64_t> offsets(*points_);
  std::ranges::transform(offsets, offsets.begin(), Renumbering(frame_, frame));
  return of_points(frame, std::move(offsets));
}

Selection Selection::moved(std::span<const std::int64_t> offset) const {
  require_rank(frame_, offset.size());
  if (elements_ == 0) return *this;
  const Bounds box = *bounds();
  std::uint64_t shift = 0;  // modulo 2^64, like unsigned arithmetic
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const auto by = static_cast<std::uint64_t>(offset[d]);
    const bool fits = offset[d] < 0 ? box.low[d] >= -by : by < frame_.dims()[d] - box.high[d];
    if (!fits) {
      refuse(fmt::format(
          "moved by {} the selection would leave the extent in dimension {}: it goes from {} to {}, "
          "the extent has {} elements",
          offset[d], d, box.low[d], box.high[d], frame_.dims()[d]));
    }
    shift += by * frame_.step(d);
  }
  if (slab_) {
    std::vector<SlabDimension> dims = slab_->dims();
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d].start += static_cast<std::uint64_t>(offset[d]);
    return regular(frame_, std::move(dims));
  }
  if (kind_ == Kind::runs) {
    RunSetWriter writer(runs_.runs());
    for (std::size_t i = 0; i < runs_.runs(); ++i)
      writer.add({runs_.run(i).start + shift, runs_.run(i).length});
    return of_runs(frame_, writer.finish());
  }
  std::vector<std::uint64_t> offsets(*points_);
  for (std::uint64_t& point : offsets) point += shift;
  return of_points(frame_, std::move(offsets));
}

Selection combine(const Selection& a, SetOperator op, const Selection& b) {
  if (a.frame().rank() != b.frame().rank()) {
    refuse(fmt::format("selections of {} and {} dimensions cannot be combined", a.frame().rank(),
                       b.frame().rank()));
  }
  if (!a.is_set() || !b.is_set())
    refuse("a list of points is not a set; convert it to one before combining it");
  if (!(a.frame() == b.frame())) {
    const Frame joined = a.frame().joined(b.frame());
    return combine(a.reframed(joined), op, b.reframed(joined));
  }
  const auto kept = [&](SetOperator which, const Selection& one, const Selection& other) {
    return op == which && one.kind() == Kind::all ? &other : nullptr;
  };
  for (const Selection* result : {kept(SetOperator::intersect, a, b), kept(SetOperator::intersect, b, a),
                                  kept(SetOperator::unite, a, a), kept(SetOperator::unite, b, b)}) {
    if (result != nullptr) return *result;
  }
  const auto table = static_cast<unsigned>(op);
  if (a.kind() == Kind::none) return table >> 2 & 1 ? b : Selection::none(a.frame());
  if (b.kind() == Kind::none) return table >> 1 & 1 ? a : Selection::none(a.frame());
  if (op == SetOperator::intersect && has_slab(a) && has_slab(b)) {
    if (auto dims = intersect_slabs(a.slab(), b.slab()))
      return Selection::regular(a.frame(), std::move(*dims));
  }
  Selection result = Selection::of_runs(a.frame(), combine(a.runs(), op, b.runs()));
  // A union that adds nothing keeps the description, and so the list of blocks.
  return op == SetOperator::unite && result.elements() == a.elements() ? a : result;
}

Selection append_points(const Selection& list, std::span<const std::uint64_t> more) {
  std::vector<std::uint64_t> points;
  if (list.kind() == Kind::points) points.assign(list.points().begin(), list.points().end());
  points.insert(points.end(), more.begin(), more.end());
  return Selection::of_points(list.frame(), std::move(points));
}

Selection prepend_points(const Selection& list, std::span<const std::uint64_t> more) {
  std::vector<std::uint64_t> points(more.begin(), more.end());
  if (list.kind() == Kind::points) points.insert(points.end(), list.points().begin(), list.points().end());
  return Selection::of_points(list.frame(), std::move(points));
}

bool same_elements(const Selection& a, const Selection& b) {
  if (a.elements() != b.elements() || a.frame().rank() != b.frame().rank()) return false;
  if (a.elements() == 0) return true;
  const Frame joined = a.frame().joined(b.frame());
  const Selection x = a.reframed(joined);
  const Selection y = b.reframed(joined);
  if (!x.is_set() && !y.is_set()) return std::ranges::equal(x.points(), y.points());
  return x.is_set() == y.is_set() && x.runs() == y.runs();
}

}  // namespace filigree::space
