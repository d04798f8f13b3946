// SPDX-License-Identifier: Apache-2.0
//
// Lists of blocks as sets of elements, and back. A set has one list that stock HDF5 writes for it: split
// along the first dimension into ranges of equal cross-sections, as wide as possible, each split likewise
// along the next one. A set is here the ascending list of the positions, in row-major order, where membership
// changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filigree::filter {

using Words = std::vector<std::uint64_t>;
using WordSpan = std::span<const std::uint64_t>;

/// Elements between neighbours along every dimension.
Words strides_of(WordSpan dims);

/// Whether `boxes`, each its first and its last coordinates within the extent, are the list of their set.
bool are_canonical(WordSpan boxes, std::size_t rank);

/// The set of canonical boxes; nothing when it would take more than `most_runs` steps.
std::optional<Words> edges_of_boxes(WordSpan boxes, WordSpan dims, std::uint64_t most_runs);

/// How many boxes boxes_of_edges() would give, where it takes a look at every row only: no run goes on in the
/// next row, and no dimension but the last two has more than one element.
std::optional<std::uint64_t> count_boxes_by_rows(WordSpan edges, WordSpan dims);

/// The list of a set. Throws Error(corrupt) when there are more than `most_boxes` boxes.
Words boxes_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_boxes);

/// The set of points in ascending order within the extent; nothing when they are in another one.
std::optional<Words> edges_of_points(WordSpan points, WordSpan dims);

/// The points of a set. Throws Error(corrupt) when there are more than `most_points`.
Words points_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_points);

/// The same blocks at equal distances along every dimension.
struct BoxGrid {
  Words start, stride, count, block;
};

/// Nothing when the boxes are no grid, row by row.
std::optional<BoxGrid> grid_of_boxes(WordSpan boxes, std::size_t rank);

/// `grid` has `boxes` of them.
Words boxes_of_grid(const BoxGrid& grid, std::uint64_t boxes);

}  // namespace filigree::filter
