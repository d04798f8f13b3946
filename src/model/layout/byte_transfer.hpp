// SPDX-License-Identifier: Apache-2.0
//
// Transfers between memory and the bytes of a compact, contiguous or external dataset.
#pragma once

#include <cstddef>

#include "model/dataset/transfer.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class DataBytes;
class Dataset;

/// Reads and converts the selected elements. A transfer is split into batches, which are read and converted
/// on all cores unless the order matters.
void read_bytes(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                DataBytes& data, std::byte* memory);

/// Converts and writes the selected elements. `replaces`: the existing elements refer to the global heap, and
/// the values that no element refers to any more are freed. On failure, `data` is abandoned.
/// Requires: the exclusive file lock.
void write_bytes(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                 DataBytes& data, const std::byte* memory, bool replaces);

}  // namespace filigree::model
