// SPDX-License-Identifier: Apache-2.0
//
// Two datasets with chunks of different dimensions are cut into bands along the first dimension:
// 1. The stored chunks of both are projected on the dimension. Each becomes a span of coordinates.
// 2. The ends of all spans cut the dimension into intervals. Those without a span are skipped.
// 3. Adjacent intervals are joined to a band while few elements have to be read for it: those of the chunks
//    if undefined elements are not read, otherwise all between them, too.
// 4. An interval that needs too many elements is cut in the same way along the next dimension. After the last
//    one it is within one chunk of each dataset, and cut into pieces if undefined elements are read.
#include "boxes.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace filigree::tools {

namespace {

using Coordinates = std::vector<std::uint64_t>;
using VisitBox = std::function<void(const Selection&)>;

/// Returns how many elements a box has, unless a chunk is larger. Those of variable length may be long.
std::uint64_t most_elements_of(const Dataset& data) {
  return std::uint64_t{1} << (data.datatype().has_variable_parts() ? 14 : 20);
}

/// Files of other writers may store chunks outside of the extent.
bool is_inside(const ChunkInfo& info, const Coordinates& extent) {
  return std::ranges::equal(info.offset, extent, std::less<>());
}

/// Visits the chunks of both datasets, which have the same chunk dimensions.
void for_each_chunk_box(const Dataset& a, const Dataset& b, const Coordinates& chunk, const VisitBox& visit) {
  const Coordinates extent = a.space().dims();
  const auto visit_chunk = [&](const ChunkInfo& info) {
    if (!is_inside(info, extent)) return true;
    Coordinates count(chunk);
    for (std::size_t d = 0; d < count.size(); ++d) count[d] = std::min(count[d], extent[d] - info.offset[d]);
    visit(Selection::box(info.offset, count));
    return true;
  };
  a.for_each_chunk(visit_chunk);
  b.for_each_chunk([&](const ChunkInfo& info) {
    return !is_inside(info, extent) || a.find_chunk(info.offset) || visit_chunk(info);
  });
}

/// A box of the extent.
struct Box {
  Coordinates start, count;

  std::uint64_t end(std::size_t d) const { return start[d] + count[d]; }

  /// How many elements there are for each coordinate of a dimension.
  double across(std::size_t along) const {
    double product = 1;
    for (std::size_t d = 0; d < count.size(); ++d)
      if (d != along) product *= static_cast<double>(count[d]);
    return product;
  }
};

/// Visits pieces of a box with about `most_elements`, as boxes of whole rows where possible.
void for_each_piece(const Box& box, std::uint64_t most_elements, const VisitBox& visit) {
  if (box.count.empty()) return visit(Selection::all());
  Coordinates piece(box.count);
  std::uint64_t below = 1;
  for (std::size_t d = piece.size(); d-- > 0;) {
    piece[d] = std::clamp<std::uint64_t>(most_elements / below, 1, box.count[d]);
    below = std::min(most_elements, below * piece[d]);
  }
  Coordinates start(box.start);
  while (true) {
    Coordinates count(piece);
    for (std::size_t d = 0; d < count.size(); ++d) count[d] = std::min(count[d], box.end(d) - start[d]);
    visit(Selection::box(start, count));
    std::size_t d = start.size();
    while (d-- > 0) {
      start[d] += piece[d];
      if (start[d] < box.end(d)) break;
      start[d] = box.start[d];
      if (d == 0) return;
    }
  }
}

/// A span of coordinates along one dimension, in which chunks are stored.
struct Span {
  std::uint64_t start = 0, end = 0;
  double per_step = 0;  ///< how many elements the chunks have for each coordinate
};
using Spans = std::vector<Span>;  ///< in their order, without overlaps

/// The chunks of one dataset.
struct Chunks {
  const Dataset& data;
  Coordinates dims;

  /// Projects those within the box on a dimension.
  Spans spans(std::size_t along, const Box& box) const {
    Spans found;
    const Coordinates extent = data.space().dims();
    const auto add = [&](const ChunkInfo& info) {
      if (!is_inside(info, extent)) return true;
      double per_step = 1;
      for (std::size_t d = 0; d < dims.size(); ++d)
        if (d != along) per_step *= static_cast<double>(high(info, d, box) - low(info, d, box));
      const std::uint64_t start = low(info, along, box);
      if (found.empty() || found.back().start != start) found.push_back({start, high(info, along, box), 0});
      found.back().per_step += per_step;
      return true;
    };
    data.for_each_chunk(add, Selection::box(box.start, box.count));
    return joined(std::move(found));
  }

 private:
  /// Sorts the spans, and joins those of chunks that differ in other dimensions only.
  static Spans joined(Spans spans) {
    std::ranges::sort(spans, {}, &Span::start);
    std::size_t kept = 0;
    for (const Span& span : spans) {
      if (kept > 0 && spans[kept - 1].start == span.start)
        spans[kept - 1].per_step += span.per_step;
      else
        spans[kept++] = span;
    }
    spans.resize(kept);
    return spans;
  }
  static std::uint64_t low(const ChunkInfo& info, std::size_t d, const Box& box) {
    return std::max(info.offset[d], box.start[d]);
  }
  std::uint64_t high(const ChunkInfo& info, std::size_t d, const Box& box) const {
    const std::uint64_t left = box.end(d) - info.offset[d];
    return info.offset[d] + std::min(dims[d], left);
  }
};

/// Walks along a dimension.
class Cursor {
 public:
  explicit Cursor(const Spans& spans) : spans_(spans) {}
  /// Skips spans in front of the coordinate. Returns whether there are others.
  bool move_to(std::uint64_t coordinate) {
    while (next_ < spans_.size() && spans_[next_].end <= coordinate) ++next_;
    return next_ < spans_.size();
  }
  /// Where the next span starts, or this one ends.
  std::uint64_t edge_after(std::uint64_t coordinate) const {
    if (next_ == spans_.size()) return ~std::uint64_t{0};
    return spans_[next_].start > coordinate ? spans_[next_].start : spans_[next_].end;
  }
  double per_step(std::uint64_t coordinate) const {
    return next_ < spans_.size() && spans_[next_].start <= coordinate ? spans_[next_].per_step : 0;
  }

 private:
  const Spans& spans_;
  std::size_t next_ = 0;
};

/// Cuts the extent into bands.
class Bands {
 public:
  Bands(Chunks a, Chunks b, bool only_defined, const VisitBox& visit)
      : a_(std::move(a)),
        b_(std::move(b)),
        most_elements_(most_elements_of(a_.data)),
        only_defined_(only_defined),
        visit_(visit) {}

  void cut(std::size_t along, const Box& box) const {
    const Spans in_a = a_.spans(along, box), in_b = b_.spans(along, box);
    Cursor at_a(in_a), at_b(in_b);
    Band band;
    std::uint64_t low = box.start[along], high = low;
    for (;; low = high) {
      const bool more_a = at_a.move_to(low), more_b = at_b.move_to(low);
      if (!more_a && !more_b) break;
      high = std::min(at_a.edge_after(low), at_b.edge_after(low));
      const double stored = at_a.per_step(low) + at_b.per_step(low);
      if (stored == 0) continue;
      const double elements = (only_defined_ ? stored : box.across(along)) * static_cast<double>(high - low);
      if (band.end != low || band.elements + elements > static_cast<double>(most_elements_)) {
        finish(band, along, box);
        band = {low, low, 0};
      }
      band.end = high;
      band.elements += elements;
    }
    finish(band, along, box);
  }

 private:
  struct Band {
    std::uint64_t start = 0, end = 0;
    double elements = 0;
  };

  void finish(const Band& band, std::size_t along, Box box) const {
    if (band.start == band.end) return;
    box.start[along] = band.start;
    box.count[along] = band.end - band.start;
    if (band.elements > static_cast<double>(most_elements_) && along + 1 < box.start.size())
      return cut(along + 1, box);
    if (!only_defined_) return for_each_piece(box, most_elements_, visit_);
    visit_(Selection::box(box.start, box.count));
  }

  const Chunks a_, b_;
  const std::uint64_t most_elements_;
  const bool only_defined_;  ///< whether elements that are not defined are never read
  const VisitBox& visit_;
};

bool has_chunks(const DatasetInfo& info) {
  return info.layout == Layout::chunked || info.layout == Layout::structured;
}

/// Whether elements that were never written are equal in both datasets. Without a fill value they are zero,
/// or null, whatever the type.
bool has_same_fill(const Dataset& a, const DatasetInfo& in_a, const Dataset& b, const DatasetInfo& in_b) {
  if (in_a.sparse != in_b.sparse) return false;
  if (in_a.fill != Fill::State::value && in_b.fill != Fill::State::value) return true;
  const Datatype type = a.datatype();
  return !type.has_variable_parts() && type == b.datatype() && in_a.fill == in_b.fill &&
         a.fill_bytes() == b.fill_bytes();
}

/// Whether no element has been written.
bool is_empty(const Dataset& data, const DatasetInfo& info) {
  const bool can_tell = info.layout == Layout::contiguous || has_chunks(info);
  return can_tell && info.external.empty() && data.stored_bytes() == 0;
}

}  // namespace

void for_each_box(const Dataset& a, const Dataset& b, const VisitBox& visit) {
  const DatasetInfo in_a = a.dataset_info(), in_b = b.dataset_info();
  const Coordinates extent = a.space().dims();
  if (std::ranges::find(extent, 0u) != extent.end()) return;
  const Box everything{Coordinates(extent.size(), 0), extent};
  // All other elements of two sparse datasets are undefined, and those of others are the same fill value.
  const bool same_elsewhere = (in_a.sparse && in_b.sparse) || has_same_fill(a, in_a, b, in_b);
  if (same_elsewhere && is_empty(a, in_a) && is_empty(b, in_b)) return;
  if (!same_elsewhere || !has_chunks(in_a) || !has_chunks(in_b))
    return for_each_piece(everything, most_elements_of(a), visit);
  if (in_a.chunk == in_b.chunk) return for_each_chunk_box(a, b, in_a.chunk, visit);
  Bands({a, in_a.chunk}, {b, in_b.chunk}, in_a.sparse && in_b.sparse, visit).cut(0, everything);
}

}  // namespace filigree::tools
