// SPDX-License-Identifier: Apache-2.0
//
// The shape of selections: comparison, intersection with a block, and projection.
#pragma once

#include <cstdint>
#include <span>

#include "space/selection.hpp"

namespace filigree::space {

/// Whether one selection is a translation of the other. Ranks may differ if the extra leading dimensions are
/// one element wide. Points are compared in list order, and with a set whose blocks are single elements. The
/// element of a scalar has the shape of any single element.
bool same_shape(const Selection& a, const Selection& b);

/// Whether an element lies in the box from `low` to `high`, both inclusive. *Throws* Error(invalid_argument)
/// for another rank, or if `high` is before `low`.
bool intersects_block(const Selection& selection, std::span<const std::uint64_t> low,
                      std::span<const std::uint64_t> high);

/// The elements of `onto` whose counterparts in `from` lie in `part`. Element i of `from` is the counterpart
/// of element i of `onto`. The result is a set if `onto` is one, otherwise points in the order of `onto`.
/// *Throws* Error(invalid_argument) if `from` and `onto` differ in their number of elements, or `from` and
/// `part` in their rank.
Selection project_intersection(const Selection& from, const Selection& onto, const Selection& part);

}  // namespace filigree::space
