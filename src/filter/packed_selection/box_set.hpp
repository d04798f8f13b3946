// SPDX-License-Identifier: Apache-2.0
//
// Conversion between lists of blocks and sets of elements.
//
// HDF5 writes one canonical list of blocks for a set. The first dimension is split into the widest ranges of
// equal cross-sections, and each cross-section is split in the same way along the next dimension.
//
// A set is represented by its edges: the ascending linear offsets at which membership changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filigree::filter {

using Words = std::vector<std::uint64_t>;
using WordSpan = std::span<const std::uint64_t>;

/// The distance in elements between neighbours along every dimension.
Words strides_of(WordSpan dims);

/// Whether `boxes` are the canonical list of their set. A box is its first and its last coordinates within
/// the extent.
bool are_canonical(WordSpan boxes, std::size_t rank);

/// The set of canonical boxes, or nothing if it would take more than `most_runs` steps.
std::optional<Words> edges_of_boxes(WordSpan boxes, WordSpan dims, std::uint64_t most_runs);

/// The number of boxes that boxes_of_edges() would return, if examining every row is enough: no run continues
/// in the next row, and only the last two dimensions have more than one element. Returns nothing otherwise.
std::optional<std::uint64_t> count_boxes_by_rows(WordSpan edges, WordSpan dims);

/// The canonical list of a set. *Throws* Error(corrupt) for more than `most_boxes` boxes.
Words boxes_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_boxes);

/// The set of points within the extent, or nothing if the points are not in ascending order.
std::optional<Words> edges_of_points(WordSpan points, WordSpan dims);

/// The points of a set. *Throws* Error(corrupt) for more than `most_points`.
Words points_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_points);

/// A regular hyperslab: equal blocks at equal distances along every dimension.
struct BoxGrid {
  Words start, stride, count, block;
};

/// Returns nothing unless the boxes are a regular hyperslab in row-major order.
std::optional<BoxGrid> grid_of_boxes(WordSpan boxes, std::size_t rank);

/// *Requires* that the hyperslab has `boxes` blocks.
Words boxes_of_grid(const BoxGrid& grid, std::uint64_t boxes);

}  // namespace filigree::filter
