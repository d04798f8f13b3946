// SPDX-License-Identifier: Apache-2.0
//
// Which elements of an extent are meant: nothing, everything, a regular hyperslab, any set, or a list of
// points.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "space/frame.hpp"
#include "space/run_set.hpp"
#include "space/slab.hpp"

namespace filigree::space {

/// The smallest box around a selection; both corners belong to it.
struct Bounds {
  std::vector<std::uint64_t> low;
  std::vector<std::uint64_t> high;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// An immutable selection of elements of a frame; copies share what is large. Sets are visited in row-major
/// order, points in the order of their list, as often as they stand in it.
class Selection {
 public:
  enum class Kind : std::uint8_t { none, all, regular, runs, points };

  /// The one element of a scalar.
  Selection() : Selection(all(Frame())) {}
  static Selection none(Frame frame);
  static Selection all(Frame frame);
  /// Throws Error(invalid_argument), naming the dimension, for a wrong rank, a stride of zero, overlapping
  /// blocks, or elements beyond the frame. A count or block of zero selects nothing.
  static Selection regular(Frame frame, std::vector<SlabDimension> dims);
  /// Throws Error(invalid_argument) when the set reaches beyond the frame.
  static Selection of_runs(Frame frame, RunSet runs);
  /// Positions in the frame. Throws Error(invalid_argument), naming the point, for one beyond it.
  static Selection of_points(Frame frame, std::vector<std::uint64_t> offsets);

  Kind kind() const { return kind_; }
  bool is_set() const { return kind_ != Kind::points; }
  const Frame& frame() const { return frame_; }
  /// Points count as often as they are listed.
  std::uint64_t elements() const { return elements_; }

  /// Of a regular selection, or of everything.
  const Slab& slab() const { return *slab_; }
  /// In list order.
  std::span<const std::uint64_t> points() const { return *points_; }
  /// As a set: made on the fly unless the kind is `runs`. Throws Error(limit) for more runs than memory
  /// holds.
  RunSet runs() const;
  /// As many runs as runs() has, or more where points or the ends of rows touch; none is made to find out.
  std::uint64_t run_count() const;

  /// Nothing for a selection of nothing.
  std::optional<Bounds> bounds() const;
  bool contains(std::span<const std::uint64_t> coordinates) const;

  /// The same elements, numbered in another frame of the same rank. Throws Error(invalid_argument) when some
  /// lie outside.
  Selection reframed(const Frame& frame) const;
  /// Every element moved by `offset`, within the same frame. Throws Error(invalid_argument), naming the
  /// dimension, when some would leave it.
  Selection moved(std::span<const std::int64_t> offset) const;

 private:
  Selection(Frame frame, Kind kind) : frame_(std::move(frame)), kind_(kind) {}

  Frame frame_;
  Kind kind_ = Kind::none;
  std::uint64_t elements_ = 0;
  std::shared_ptr<const Slab> slab_;
  RunSet runs_;
  std::shared_ptr<const std::vector<std::uint64_t>> points_;
};

/// `a op b`. Frames of one rank are joined. Throws Error(invalid_argument) for different ranks or points.
/// A result without elements is `none`; regular selections stay regular where that is easy to see. A union
/// that adds nothing to `a` is `a` as it was described.
Selection combine(const Selection& a, SetOperator op, const Selection& b);

/// The points of `list` followed by `more`. A selection that is no point list counts as an empty one.
Selection append_points(const Selection& list, std::span<const std::uint64_t> more);
Selection prepend_points(const Selection& list, std::span<const std::uint64_t> more);

/// Whether both mean the same elements, however they are described. Points in the same order.
bool same_elements(const Selection& a, const Selection& b);

}  // namespace filigree::space
