// SPDX-License-Identifier: Apache-2.0
//
// Selections of the elements of an extent: none, all, a regular hyperslab, any set of runs, or a list of
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

/// The bounding box of a selection; both corners are inclusive.
struct Bounds {
  std::vector<std::uint64_t> low;
  std::vector<std::uint64_t> high;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// An immutable selection of elements of a frame. Copies share large data. Sets are visited in row-major
/// order, and points in the order of their list, including duplicates.
class Selection {
 public:
  enum class Kind : std::uint8_t { none, all, regular, runs, points };

  /// Selects the element of a scalar.
  Selection() : Selection(all(Frame())) {}
  static Selection none(Frame frame);
  static Selection all(Frame frame);
  /// A regular hyperslab. A count or block of zero selects nothing. *Throws* Error(invalid_argument), naming
  /// the dimension, for a wrong rank, a stride of zero, overlapping blocks, or elements outside of the frame.
  static Selection regular(Frame frame, std::vector<SlabDimension> dims);
  /// A set of linear offsets. *Throws* Error(invalid_argument) if it exceeds the frame.
  static Selection of_runs(Frame frame, RunSet runs);
  /// A list of points as linear offsets. *Throws* Error(invalid_argument), naming the point, for one outside.
  static Selection of_points(Frame frame, std::vector<std::uint64_t> offsets);

  Kind kind() const { return kind_; }
  bool is_set() const { return kind_ != Kind::points; }
  const Frame& frame() const { return frame_; }
  /// The number of elements; duplicate points count each time.
  std::uint64_t elements() const { return elements_; }

  /// *Requires* a regular selection, or all elements.
  const Slab& slab() const { return *slab_; }
  /// The offsets of the points in list order. *Requires* points.
  std::span<const std::uint64_t> points() const { return *points_; }
  /// The selection as a set of runs, which is computed unless the kind is `runs`. *Throws* Error(limit) for
  /// too many runs.
  RunSet runs() const;
  /// An upper bound of the number of runs, which is exact unless points or rows are adjacent. No run is
  /// computed.
  std::uint64_t run_count() const;

  /// The bounding box, or nothing for an empty selection.
  std::optional<Bounds> bounds() const;
  bool contains(std::span<const std::uint64_t> coordinates) const;

  /// The same elements in another frame of the same rank. *Throws* Error(invalid_argument) if some lie
  /// outside.
  Selection reframed(const Frame& frame) const;
  /// Moves every element by `offset` coordinates within the frame. *Throws* Error(invalid_argument), naming
  /// the dimension, if some would leave it.
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

/// `a op b`. Different frames of one rank are joined. A result without elements is `none`. Regular selections
/// stay regular if that is easy to see, and a union that adds nothing to `a` keeps the description of `a`.
/// *Throws* Error(invalid_argument) for different ranks and for points.
Selection combine(const Selection& a, SetOperator op, const Selection& b);

/// The points of `list` followed by `more`. A selection of another kind counts as an empty list.
Selection append_points(const Selection& list, std::span<const std::uint64_t> more);
Selection prepend_points(const Selection& list, std::span<const std::uint64_t> more);

/// Whether both select the same elements, however they are described; points also in the same order.
bool same_elements(const Selection& a, const Selection& b);

}  // namespace filigree::space
