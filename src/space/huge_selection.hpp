// SPDX-License-Identifier: Apache-2.0
//
// Selections of extents with 2^64 elements or more, whose elements have no linear offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/run_set.hpp"
#include "space/selection.hpp"
#include "space/slab.hpp"

namespace filigree::space {

/// Whether an extent has 2^64 elements or more, so that no Frame describes it.
bool is_huge(std::span<const std::uint64_t> dims);

/// An immutable selection by coordinates. It has no extent, and less than 2^64 elements. A set of elements is
/// a list of boxes, as HDF5 lists them, or a regular hyperslab.
class HugeSelection {
 public:
  enum class Kind : std::uint8_t { none, regular, boxes, points };

  static HugeSelection none(std::size_t rank);
  /// A count or block of zero selects nothing. *Throws* Error(invalid_argument), naming the dimension, for a
  /// stride of zero, overlapping or unlimited blocks and coordinates beyond 64 bits. *Throws* Error(limit)
  /// for 2^64 elements and more.
  static HugeSelection regular(std::vector<SlabDimension> dims);
  /// The union of boxes as block_list() returns them. *Throws* Error(limit) like combine().
  static HugeSelection boxes(std::size_t rank, std::span<const std::uint64_t> corners);
  /// A list of points, all coordinates of the first one first. *Requires* complete points.
  static HugeSelection points(std::size_t rank, std::vector<std::uint64_t> coordinates);
  /// The elements of an ordinary selection.
  static HugeSelection of(const Selection& selection);

  Kind kind() const { return kind_; }
  std::size_t rank() const { return rank_; }
  bool is_set() const { return kind_ != Kind::points; }
  /// The number of elements; duplicate points count each time.
  std::uint64_t elements() const { return elements_; }

  /// The bounding box, or nothing for an empty selection.
  std::optional<Bounds> bounds() const;
  bool is_within(std::span<const std::uint64_t> dims) const;
  bool contains(std::span<const std::uint64_t> coordinates) const;
  /// Whether an element lies in the box; both corners belong to it.
  bool intersects(const Bounds& box) const;
  /// Moves every element. *Throws* Error(invalid_argument), naming the dimension, if coordinates would leave
  /// the range of 64 bits.
  HugeSelection moved(std::span<const std::int64_t> offset) const;

  /// Like block_count() and block_list() of ordinary selections.
  std::uint64_t block_count() const;
  std::vector<std::uint64_t> block_list(std::uint64_t first, std::uint64_t count) const;
  /// Like regular_slab() of ordinary selections.
  std::optional<std::vector<SlabDimension>> regular_slab() const;

  /// The coordinates of all elements, a set in row-major order. *Throws* Error(limit) for a set of more than
  /// `most_listed` elements.
  static constexpr std::uint64_t most_listed = std::uint64_t{1} << 24;
  std::vector<std::uint64_t> coordinates() const;
  /// The coordinates of a list of points. *Requires* points.
  std::span<const std::uint64_t> points() const { return coordinates_; }

  /// `a op b`. *Throws* Error(invalid_argument) for different ranks and for points. *Throws* Error(limit) for
  /// too many boxes, or boxes that divide each other into too many parts.
  friend HugeSelection combine(const HugeSelection& a, SetOperator op, const HugeSelection& b);
  /// Whether both select the same elements, however they are described; points also in the same order.
  friend bool same_elements(const HugeSelection& a, const HugeSelection& b);

 private:
  HugeSelection(std::size_t rank, Kind kind) : rank_(rank), kind_(kind) {}

  std::size_t rank_ = 0;
  Kind kind_ = Kind::none;
  std::uint64_t elements_ = 0;
  std::vector<SlabDimension> slab_;         ///< of a regular hyperslab
  std::vector<std::uint64_t> coordinates_;  ///< of points, or both corners of all boxes
};

HugeSelection combine(const HugeSelection& a, SetOperator op, const HugeSelection& b);
bool same_elements(const HugeSelection& a, const HugeSelection& b);

}  // namespace filigree::space
