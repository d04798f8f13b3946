// SPDX-License-Identifier: Apache-2.0
//
// Public selections as those of space/.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/selection.hpp>

#include "space/slab.hpp"

namespace filigree::api {

/// Throws Error(invalid_argument) when the selection does not fit the extent.
space::Slab to_slab(const Selection& selection, const std::vector<std::uint64_t>& extent);

}  // namespace filigree::api
