// SPDX-License-Identifier: Apache-2.0
//
// The blocks of selections in the order in which HDF5 lists them (H5Sget_select_hyper_blocklist), and the
// detection of regular hyperslabs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/selection.hpp"
#include "space/span_tree.hpp"

namespace filigree::space {

/// The number of blocks. A regular selection has the blocks that it was described with, adjacent or not. A
/// set of runs has the blocks of its SpanTree, every point is a block, and "all" is one block.
std::uint64_t block_count(const Selection& selection);

/// Visits the blocks from index `first` on; `visit` returns false to stop. Regular selections are visited in
/// row-major order, other sets in ascending order of their first corners, and points in list order.
void for_each_block(const Selection& selection, SpanTree::BlockVisitor visit, std::uint64_t first = 0);

/// Returns up to `count` blocks from index `first` on. A block is the coordinates of its first element, then
/// those of its last element.
std::vector<std::uint64_t> block_list(const Selection& selection, std::uint64_t first, std::uint64_t count);

/// The regular hyperslab that a selection equals, if any. A selection that was created as a hyperslab keeps
/// its description; others get the fewest blocks, with a stride of 1 if there is one block. Points are never
/// a hyperslab.
std::optional<std::vector<SlabDimension>> regular_slab(const Selection& selection);

}  // namespace filigree::space
