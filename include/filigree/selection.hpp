// SPDX-License-Identifier: Apache-2.0
//
// Which elements of an array are meant.
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

/// Nothing, everything, boxes at regular distances, any set of elements, or a list of points.
///
/// all(), none(), box(), strided() and blocks() are descriptions without an extent: they are applied to the
/// array they meet. The others belong to an extent. Sets are taken in row-major order, points in the order of
/// their list, as often as they stand in it. Copies are cheap; a selection never changes, so any number of
/// threads may use it.
///
///     const auto bright = Selection::of_mask({1024, 1024}, mask);
///     const auto values = frames.read<std::vector<float>>(bright - Selection::box({0, 0}, {16, 1024}));
class FILIGREE_EXPORT Selection {
 public:
  /// A number for each dimension, slowest first.
  using Dims = std::vector<std::uint64_t>;

  /// In one dimension: `count` blocks of `block` elements, the first at `start`, `stride` apart.
  struct Range {
    std::uint64_t start = 0;
    std::uint64_t stride = 1;
    std::uint64_t count = 0;
    std::uint64_t block = 1;
    friend bool operator==(const Range&, const Range&) = default;
  };
  /// Both corners belong to the box.
  struct Box {
    Dims low;
    Dims high;
    friend bool operator==(const Box&, const Box&) = default;
  };
  /// Neighbours in row-major order.
  struct Run {
    std::uint64_t start = 0;
    std::uint64_t length = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// How it is held.
  enum class Kind : std::uint8_t { none, all, regular, set, points };

  /// Everything.
  Selection() = default;
  /// Everything, as the default.
  static Selection all() { return {}; }
  /// Nothing.
  static Selection none();
  /// `count[i]` elements from `start[i]` on in every dimension.
  static Selection box(Dims start, Dims count);
  /// Every `stride[i]`-th element.
  static Selection strided(Dims start, Dims stride, Dims count);
  /// A range for each dimension.
  static Selection blocks(std::vector<Range> ranges);

  // Sets of elements of `extent`. What comes in may be in any order and name an element more than once. What
  // lies beyond the extent is refused with Error(invalid_argument) that says which item it is.

  /// One element after the other, each with its coordinate in every dimension.
  static Selection of_coordinates(const Dims& extent, std::span<const std::uint64_t> coordinates);
  /// The coordinates of all elements in one dimension, then in the next; columns of one length.
  static Selection of_columns(const Dims& extent, std::span<const std::span<const std::uint64_t>> columns);
  /// Numbers of elements in row-major order.
  static Selection of_offsets(const Dims& extent, std::span<const std::uint64_t> offsets);
  /// A byte for every element; those that are not zero select.
  static Selection of_mask(const Dims& extent, std::span<const std::uint8_t> mask);
  /// A bit for every element, the first in the lowest bit of the first byte.
  static Selection of_bitmap(const Dims& extent, std::span<const std::uint8_t> bits);
  /// All elements of all boxes.
  static Selection of_boxes(const Dims& extent, std::span<const Box> boxes);
  /// All elements of all runs, which count in row-major order.
  static Selection of_runs(const Dims& extent, std::span<const Run> runs);

  /// A list, not a set: these elements in this order. Coordinates as in of_coordinates().
  static Selection points(const Dims& extent, std::span<const std::uint64_t> coordinates);

  /// How it is held; two kinds may mean the same elements.
  Kind kind() const;
  bool is_all() const { return kind() == Kind::all; }
  /// None for a description.
  std::optional<Dims> extent() const;
  /// One for each dimension, of regular selections as they were described; throws Error(invalid_argument) for
  /// others.
  std::vector<Range> ranges() const;

  /// The same elements of an array of these dimensions. Throws Error(invalid_argument) when some lie beyond
  /// it.
  Selection within(const Dims& extent) const;
  /// Elements that are selected in an extent of these dimensions; points count as often as they are listed.
  std::uint64_t elements(const Dims& extent) const { return within(extent).elements(); }

  // What follows needs an extent, or ranges; all() and none() throw Error(invalid_argument).

  /// How many are selected.
  std::uint64_t elements() const;
  /// Whether the element at these coordinates is selected.
  bool contains(std::span<const std::uint64_t> coordinates) const;
  /// The smallest box around the selection; none when it is empty.
  std::optional<Box> bounds() const;
  /// The ranges that the selection could be described with, if it is regular, whichever way it was made.
  std::optional<std::vector<Range>> regular() const;
  /// Every element moved by `offset`. Throws Error(invalid_argument) when some would leave the extent.
  Selection moved(std::span<const std::int64_t> offset) const;

  /// As of_coordinates() takes them, as do the next ones.
  Dims coordinates() const;
  /// As of_columns().
  std::vector<Dims> columns() const;
  /// As of_offsets().
  std::vector<std::uint64_t> offsets() const;
  /// As of_mask().
  std::vector<std::uint8_t> mask() const;
  /// As of_bitmap().
  std::vector<std::uint8_t> bitmap() const;
  /// Boxes without common elements that cover the selection.
  std::vector<Box> boxes() const;
  /// As of_runs(), as few as possible.
  std::vector<Run> runs() const;

  /// Union, intersection, elements of one of the two only, elements of the first only. The extents are
  /// joined. Throw Error(invalid_argument) for points, different ranks, or two operands of which none has a
  /// rank.
  FILIGREE_EXPORT friend Selection operator|(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator&(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator^(const Selection& a, const Selection& b);
  FILIGREE_EXPORT friend Selection operator-(const Selection& a, const Selection& b);
  /// Whether both mean the same elements, however they are described; points in the same order.
  FILIGREE_EXPORT friend bool operator==(const Selection& a, const Selection& b);

 private:
  friend class api::SelectionAccess;
  struct Impl;
  std::shared_ptr<const Impl> impl_;  ///< none: everything
};

/// A set that grows by many small steps. A million calls cost one sort, not a million merges.
class FILIGREE_EXPORT SelectionBuilder {
 public:
  /// Starts from nothing.
  explicit SelectionBuilder(const Selection::Dims& extent);
  ~SelectionBuilder();
  SelectionBuilder(SelectionBuilder&&) noexcept;
  SelectionBuilder& operator=(SelectionBuilder&&) noexcept;

  /// `count[i]` elements from `start[i]` on in every dimension; none: one element. Throw
  /// Error(invalid_argument) for what lies beyond the extent, and change nothing then.
  void add(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count = {});
  void remove(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count = {});
  /// Any selection but points.
  void add(const Selection& selection);
  /// Any selection but points.
  void remove(const Selection& selection);

  /// All that was added and not removed since. The builder can go on.
  Selection selection();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace filigree
