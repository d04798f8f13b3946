// SPDX-License-Identifier: Apache-2.0
//
// Writes of few elements.
#pragma once

#include <cstddef>

#include "format/messages/datatype.hpp"

namespace filigree::model {

class Dataset;

/// Writes all elements of a small dataset, with ConversionRules::hdf5. Allocates its storage if it has none.
/// Returns false, having done nothing, for chunks, compact storage, external files, variable-length data and
/// references, for more than SmallConversion::most_bytes, and if the driver is to see selections.
/// Requires: the exclusive lock of a file that is writable, and not that `dataset` is within a Change.
bool write_small(const Dataset& dataset, const format::DatatypeMessage& memory_type, const std::byte* memory);

}  // namespace filigree::model
