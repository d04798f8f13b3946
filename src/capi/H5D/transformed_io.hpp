// SPDX-License-Identifier: Apache-2.0
//
// I/O with a data transform (H5Pset_data_transform).
#pragma once

#include <cstdint>
#include <string>

#include <filigree/dataset.hpp>

namespace filigree::capi {

/// Reads like Dataset::read_elements() and transforms the results. `elements` is the number of selected
/// elements. Other elements of `memory` stay unchanged.
void read_transformed(const Dataset& dataset, const Datatype& type, void* memory, std::uint64_t elements,
                      const Selection& selection, const TransferOptions& options,
                      const std::string& expression);
/// Writes like Dataset::write_elements(), with transformed copies of the values.
void write_transformed(Dataset dataset, const Datatype& type, const void* memory, std::uint64_t elements,
                       const Selection& selection, const TransferOptions& options,
                       const std::string& expression);

}  // namespace filigree::capi
