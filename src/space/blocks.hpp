// SPDX-License-Identifier: Apache-2.0
//
// The boxes that selections are made of, numbered as the stock library numbers them, and regularity.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/selection.hpp"
#include "space/span_tree.hpp"

namespace filigree::space {

/// Blocks of a regular selection are those it was described with, whether they touch or not. A set of runs
/// has the blocks of its SpanTree, points are a block each, and everything is one block.
std::uint64_t block_count(const Selection& selection);

/// Visits the blocks from number `first` on; `visit` returns false to stop. Row-major order for regular
/// selections, ascending order of the first corner for other sets, list order for points.
void for_each_block(const Selection& selection, SpanTree::BlockVisitor visit, std::uint64_t first = 0);

/// Up to `count` blocks from number `first` on: for each, all coordinates of its first element, then all of
/// its last.
std::vector<std::uint64_t> block_list(const Selection& selection, std::uint64_t first, std::uint64_t count);

/// The hyperslab that a selection is, if it is one, whichever way it was made: as it was described if it was,
/// else with the fewest blocks and a stride of 1 where there is one block. Points are none.
std::optional<std::vector<SlabDimension>> regular_slab(const Selection& selection);

}  // namespace filigree::space
