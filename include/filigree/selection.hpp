// SPDX-License-Identifier: Apache-2.0
//
// Selections of elements of a dataspace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

namespace api {
class SelectionAccess;
}

/// A selection: none, all, a regular hyperslab, any set of elements, or a list of points.
///
/// all(), none(), box(), strided() and blocks() have no extent: they apply to the dataspace they are used
/// with. The others belong to an extent. The elements of a set are in row-major order; points are in the
/// order of their list and may repeat. Copies are cheap.
///
/// Thread safety: selections are immutable, so any number of threads may use one.
///
///     const auto bright = Selection::of_mask({1024, 1024}, mask);
///     const auto values = frames.read<std::vector<float>>(bright - Selection::box({0, 0}, {16, 1024}));
class FILIGREE_EXPORT Selection {
 public:
  /// One number per dimension; the first dimension varies slowest.
  using Dims = std::vector<std::uint64_t>;

  /// A hyperslab in one dimension: `count` blocks of `block` elements, from `start` on, `stride` apart.
  struct Range {
    std::uint64_t start = 0;
    std::uint64_t stride = 1;
    std::uint64_t count = 0;
    std::uint64_t block = 1;
    friend bool operator==(const Range&, const Range&) = default;
  };
  /// A box; both corners belong to it.
  struct Box {
    Dims low;
    Dims high;
    friend bool operator==(const Box&, const Box&) = default;
  };
  /// Contiguous elements in row-major order, by linear offset.
  struct Run {
    std::uint64_t start = 0;
    std::uint64_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// The representation of a selection.
  enum class Kind : std::uint8_t { none, all, regular, set, points };

  /// Selects all elements.
  Selection() = default;
  /// Selects all elements.
  static Selection all() { return {}; }
  /// Selects no element.
  static Selection none();
  /// Selects `count[i]` elements from `start[i]` on in every dimension.
  static Selection box(Dims start, Dims count);
  /// Selects `count[i]` elements in every dimension, `stride[i]` apart.
  static Selection strided(Dims start, Dims stride, Dims count);
  /// Selects a regular hyperslab, with one range per dimension.
  static Selection blocks(std::vector<Range> ranges);

  // Sets of elements of `extent`. The items may be in any order and repeat. Items outside of the extent throw
  // Error(invalid_argument), naming the item.

  /// Selects elements by coordinates: all coordinates of the first element, then of the second, and so on.
  static Selection of_coordinates(const Dims& extent, std::span<const std::uint64_t> coordinates);
  /// Selects elements by coordinates in one column per dimension.
  /// Requires: all columns have the same length.
  static Selection of_columns(const Dims& extent, std::span<const std::span<const std::uint64_t>> columns);
  /// Selects elements by linear offset (row-major).
  static Selection of_offsets(const Dims& extent, std::span<const std::uint64_t> offsets);
  /// Selects the elements whose byte in `mask` is not zero.
  static Selection of_mask(const Dims& extent, std::span<const std::uint8_t> mask);
  /// Selects the elements whose bit is set. The first element is the lowest bit of the first byte.
  static Selection of_bitmap(const Dims& extent, std::span<const std::uint8_t> bits);
  /// Selects the union of the boxes.
  static Selection of_boxes(const Dims& extent, std::span<const Box> boxes);
  /// Selects the union of the runs.
  static Selection of_runs(const Dims& extent, std::span<const Run> runs);

  /// Selects a list of points in this order; coordinates as in of_coordinates().
  static Selection points(const Dims& extent, std::span<const std::uint64_t> coordinates);

  /// Returns the representation. Selections of different kinds may have the same elements.
  Kind kind() const;
  bool is_all() const { return kind() == Kind::all; }
  /// Returns the extent; empty for a selection without one.
  std::optional<Dims> extent() const;
  /// Returns the ranges of a regular selection.
  /// Throws: Error(invalid_argument) for others.
  std::vector<Range> ranges() const;

  /// Returns the same elements as a selection of this extent.
  /// Throws: Error(invalid_argument) if an element is outside of it.
  Selection within(const Dims& extent) const;
  /// Returns the number of elements in this extent; repeated points count repeatedly.
  std::uint64_t elements(const Dims& extent) const { return within(extent).elements(); }

  // The following functions need an extent or ranges; for all() and none() they throw
  // Error(invalid_argument).

  /// Returns the number of selected elements.
  std::uint64_t elements() const;
  /// Returns whether the element at these coordinates is selected.
  bool contains(std::span<const std::uint64_t> coordinates) const;
  /// Returns the bounding box; empty if no element is selected.
  std::optional<Box> bounds() const;
  /// Returns the ranges of an equal regular selection, however this one was made; empty if there is none.
  std::optional<std::vector<Range>> regular() const;
  /// Returns the selection translated by `offset`.
  /// Throws: Error(invalid_argument) if an element would leave the extent.
  Selection moved(std::span<const std::int64_t> offset) const;

  // The inverses of the functions that create sets.

  /// Returns the coordinates; see of_coordinates().
  Dims coordinates() const;
  /// Returns the coordinates by dimension; see of_columns().
  std::vector<Dims> columns() const;
  /// Returns the linear offsets; see of_offsets().
  std::vector<std::uint64_t> offsets() const;
  /// Returns one byte per element of the extent; see of_mask().
  std::vector<std::uint8_t> mask() const;
  /// Returns one bit per element of the extent; see of_bitmap().
  std::vector<std::uint8_t> bitmap() const;
  /// Returns disjoint boxes that cover the selection.
  std::vector<Box> boxes() const;
  /// Returns the smallest number of runs that cover the selection.
  std::vector<Run> runs() const;

  /// Union, intersection, symmetric difference, and difference. The extent of the result covers both extents.
  /// Throws: Error(invalid_argument) for points, different ranks, or two operands without rank.
  FILIGREE_EXPORT friend Selection operator|(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator&(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator^(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator-(const Selection& a, const Selection& b);
  /// Returns whether both select the same elements, whatever their kind; points in the same order.
  FILIGREE_EXPORT friend bool operator==(const Selection& a, const Selection& b);

 private:
  friend class api::SelectionAccess;
  struct Impl;
  std::shared_ptr<const Impl> impl_;  ///< null: all elements
};

/// Builds a set in many small steps. A million calls cost one sort, not a million merges.
///
/// Thread safety: one thread at a time may use a builder.
class FILIGREE_EXPORT SelectionBuilder {
 public:
  /// Starts with an empty set.
  explicit SelectionBuilder(const Selection::Dims& extent);
  ~SelectionBuilder();
  SelectionBuilder(SelectionBuilder&&) noexcept;
  SelectionBuilder& operator=(SelectionBuilder&&) noexcept;

  /// Adds or removes `count[i]` elements from `start[i]` on in every dimension; without `count`, one element.
  /// Throws: Error(invalid_argument) for elements outside of the extent; the set is unchanged then.
  void add(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count = {});
  void remove(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count = {});
  /// Adds a selection of any kind except points.
  void add(const Selection& selection);
  /// Removes a selection of any kind except points.
  void remove(const Selection& selection);

  /// Returns the set so far. The builder can be used further.
  Selection selection();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace filigree
