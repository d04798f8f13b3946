// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of a selection lie relative to each other, to a box, or to those of another selection.
#pragma once

#include <cstdint>
#include <span>

#include "space/selection.hpp"

namespace filigree::space {

/// Whether one selection is the other moved elsewhere. Ranks may differ when the extra leading dimensions are
/// one element wide. Points are compared in list order, and with a set when no two elements of the set are
/// neighbours, so that its blocks are points too. The element of a scalar has the shape of any one element.
bool same_shape(const Selection& a, const Selection& b);

/// Whether some element lies in the box from `low` to `high`; both corners belong to it. Throws
/// Error(invalid_argument) for another rank, or a corner before the other.
bool intersects_block(const Selection& selection, std::span<const std::uint64_t> low,
                      std::span<const std::uint64_t> high);

/// The elements of `onto` whose counterparts in `from` lie in `part`; element i of the one is the counterpart
/// of element i of the other. A set where `onto` is a set, else points in the order of `onto`. Throws
/// Error(invalid_argument) when the numbers of elements of `from` and `onto` or the ranks of `from` and
/// `part` differ.
Selection project_intersection(const Selection& from, const Selection& onto, const Selection& part);

}  // namespace filigree::space
