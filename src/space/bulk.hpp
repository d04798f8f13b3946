// SPDX-License-Identifier: Apache-2.0
//
// Conversion between selections and lists of coordinates, offsets, masks, bitmaps, boxes and runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

// The input may be in any order and contain duplicates. The result is a set. *Throws*
// Error(invalid_argument), naming the item, for elements outside of the frame.

/// All coordinates of the first element, then those of the second, and so on.
Selection from_coordinates(const Frame& frame, std::span<const std::uint64_t> coordinates);
/// One column of coordinates for every dimension. *Requires* columns of equal length.
Selection from_columns(const Frame& frame, std::span<const std::span<const std::uint64_t>> columns);
/// Linear (row-major) offsets.
Selection from_offsets(const Frame& frame, std::span<const std::uint64_t> offsets);
/// One byte for every element; a non-zero byte selects.
Selection from_mask(const Frame& frame, std::span<const std::uint8_t> mask);
/// One bit for every element, from the lowest bit of the first byte on. Bits after the last element are
/// ignored.
Selection from_bitmap(const Frame& frame, std::span<const std::uint8_t> bits);
/// Boxes whose corners are both inclusive.
Selection from_boxes(const Frame& frame, std::span<const Bounds> boxes);
/// Boxes as block_list() returns them. *Throws* Error(limit) for more than `rows_at_most` rows, since few
/// boxes can have any number of rows.
Selection from_blocks(const Frame& frame, std::span<const std::uint64_t> blocks,
                      std::uint64_t rows_at_most = RunSetWriter::most_runs);
/// Runs as two lists of their starts and lengths. *Requires* lists of equal length.
Selection from_runs(const Frame& frame, std::span<const std::uint64_t> starts,
                    std::span<const std::uint64_t> lengths);

/// A list of points instead of a set, with the coordinates of from_coordinates().
Selection points_at(const Frame& frame, std::span<const std::uint64_t> coordinates);

// The inverse functions keep the order and the duplicates of a list of points if the result can represent
// them.

/// The coordinates of all elements, as in from_coordinates().
std::vector<std::uint64_t> to_coordinates(const Selection& selection);
/// One column of coordinates for every dimension.
std::vector<std::vector<std::uint64_t>> to_columns(const Selection& selection);
std::vector<std::uint64_t> to_offsets(const Selection& selection);
std::vector<std::uint8_t> to_mask(const Selection& selection);  ///< 1 selects
std::vector<std::uint8_t> to_bitmap(const Selection& selection);
/// The boxes of a SpanTree, in its order.
std::vector<Bounds> to_boxes(const Selection& selection);
/// Ascending runs that are not adjacent; for points, runs in the order of the list.
std::vector<Run> to_runs(const Selection& selection);

}  // namespace filigree::space
