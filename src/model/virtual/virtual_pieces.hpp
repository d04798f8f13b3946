// SPDX-License-Identifier: Apache-2.0
//
// The sources of a virtual dataset as they are now: which exist, what of them is mapped, and how far the
// dataset reaches because of it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "model/link/path.hpp"
#include "model/virtual/virtual_dataset.hpp"
#include "model/virtual/virtual_join.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "space/selection.hpp"

namespace filigree::model {

/// Numbered sources that one request may look at: a small file can name any number of them. Sources of
/// virtual sources, whose numbers multiply, count for more.
inline constexpr std::uint64_t most_sources = 1u << 20;
inline constexpr std::uint64_t nested_source_cost = 32;

/// One step further. Throws Error(corrupt) when the dataset is on the trail already, Error(limit) when that
/// has become too long. `budget` is used when there is nothing above.
VirtualTrail extend(const VirtualTrail* above, const File& file, Address dataset, std::uint64_t& budget);

/// A source that exists. Element i of the one selection is element i of the other.
struct SourcePiece {
  ObjectLocation location;
  space::Selection virtual_elements;  ///< of the virtual dataset's extent
  space::Selection source_elements;   ///< of the source's
};

/// Calls `visit` for the sources of what is wanted, in the order of the mappings. What lies beyond the extent
/// of a source has none. Throws Error(corrupt) for mappings that do not fit the virtual dataset or a source.
void for_each_piece(File& file, const VirtualLayout& layout, const VirtualJoin& wanted,
                    const VirtualTrail& trail, FunctionRef<void(const SourcePiece&)> visit);

/// The dimensions that unlimited mappings give the dataset, by the view that the file was opened with.
std::vector<std::uint64_t> current_dims(File& file, Address dataset, const DatasetMessages& parts,
                                        const VirtualLayout& layout, const VirtualTrail& trail);

}  // namespace filigree::model
