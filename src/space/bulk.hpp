// SPDX-License-Identifier: Apache-2.0
//
// Sets of elements from the forms that programs keep them in, and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/selection.hpp"

namespace filigree::space {

// What comes in may be in any order and name an element more than once. What lies beyond the frame is refused
// with Error(invalid_argument) that says which item it is. The result is a set.

/// One element after the other, each with its coordinate in every dimension.
Selection from_coordinates(const Frame& frame, std::span<const std::uint64_t> coordinates);
/// The coordinates of all elements in one dimension, then in the next; columns of one length.
Selection from_columns(const Frame& frame, std::span<const std::span<const std::uint64_t>> columns);
/// Positions in row-major order.
Selection from_offsets(const Frame& frame, std::span<const std::uint64_t> offsets);
/// A byte for every element; those that are not zero select.
Selection from_mask(const Frame& frame, std::span<const std::uint8_t> mask);
/// A bit for every element, the first in the lowest bit of the first byte. Bits behind the last element do
/// not count.
Selection from_bitmap(const Frame& frame, std::span<const std::uint8_t> bits);
/// Both corners belong to a box.
Selection from_boxes(const Frame& frame, std::span<const Bounds> boxes);
/// Boxes as block_list() gives them. Throws Error(limit) when they have more rows than these: a few boxes can
/// have any number.
Selection from_blocks(const Frame& frame, std::span<const std::uint64_t> blocks,
                      std::uint64_t rows_at_most = RunSetWriter::most_runs);
Selection from_runs(const Frame& frame, std::span<const std::uint64_t> starts,
                    std::span<const std::uint64_t> lengths);

/// A list of points rather than a set: coordinates as in from_coordinates().
Selection points_at(const Frame& frame, std::span<const std::uint64_t> coordinates);

// The way back keeps the order and the repetitions of a list of points where the form can have them.

std::vector<std::uint64_t> to_coordinates(const Selection& selection);
/// A column for every dimension.
std::vector<std::vector<std::uint64_t>> to_columns(const Selection& selection);
std::vector<std::uint64_t> to_offsets(const Selection& selection);
std::vector<std::uint8_t> to_mask(const Selection& selection);  ///< 1 selects
std::vector<std::uint8_t> to_bitmap(const Selection& selection);
/// The fewest that the dimensions, taken one after the other, allow: those of a SpanTree, in its order.
std::vector<Bounds> to_boxes(const Selection& selection);
/// Ascending, none touches the next; of points in the order of the list.
std::vector<Run> to_runs(const Selection& selection);

}  // namespace filigree::space
