// SPDX-License-Identifier: Apache-2.0
//
// The current sources of a virtual dataset: which exist, which of their elements are mapped, and the extent
// that results.
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "model/dataset/messages.hpp"
#include "model/link/path.hpp"
#include "model/virtual/join.hpp"
#include "model/virtual/mappings.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "space/selection.hpp"

namespace filigree::model {

/// The largest number of numbered sources that one request examines, because a small file can name any
/// number. Sources of virtual sources multiply, so each costs more of the budget.
inline constexpr std::uint64_t most_sources = 1u << 20;
inline constexpr std::uint64_t nested_source_cost = 32;

/// Returns the trail extended by a dataset. `budget` is used if there is no trail above.
/// Throws: Error(corrupt) if the dataset is its own source; Error(limit) if the trail is too long.
VirtualTrail extend(const VirtualTrail* above, const File& file, Address dataset, std::uint64_t& budget);

/// An existing source of a mapping. The elements of the two selections correspond in order.
struct SourcePiece {
  ObjectLocation location;
  space::Selection virtual_elements;  ///< of the virtual dataset's extent
  space::Selection source_elements;   ///< of the source's
};

/// Calls `visit` for every source of the selected elements, in the order of the mappings. Elements beyond the
/// extent of a source have no source.
/// Requires: the thread holds no file lock.
/// Throws: Error(corrupt) for mappings that do not fit the virtual dataset or a source.
void for_each_piece(File& file, const CheckedMappings& checked, const VirtualJoin& wanted,
                    const VirtualTrail& trail, FunctionRef<void(const SourcePiece&)> visit);

/// Returns the current dimensions of a dataset with unlimited mappings, according to its view.
/// Requires: the thread holds no file lock.
std::vector<std::uint64_t> current_dims(File& file, Address dataset, const DatasetMessages& parts,
                                        const CheckedMappings& checked, const VirtualTrail& trail);

}  // namespace filigree::model
