// SPDX-License-Identifier: Apache-2.0
//
// Changes of the extent of a dataset.
#pragma once

#include <cstdint>
#include <vector>

#include "format/messages/dataspace.hpp"

namespace filigree::model {

class Dataset;

/// Returns the dataspace message for new dimensions.
/// Throws: Error(invalid_argument) for dimensions beyond the maximum, Error(limit) if the size overflows.
format::DataspaceMessage make_new_extent(const Dataset& dataset, const std::vector<std::uint64_t>& dims);
/// Replaces the dataspace message. Requires: the exclusive file lock, within a Change.
void store_extent(const Dataset& dataset, const format::DataspaceMessage& space);

}  // namespace filigree::model
