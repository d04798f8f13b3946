// SPDX-License-Identifier: Apache-2.0
//
// Transfers with a data transform on the way.
#pragma once

#include <cstdint>
#include <string>

#include <filigree/dataset.hpp>

namespace filigree::capi {

/// As Dataset::read_elements(), of which the results are transformed; `elements` are selected. Of `memory`
/// only what is selected is touched.
void read_transformed(const Dataset& dataset, const Datatype& type, void* memory, std::uint64_t elements,
                      const Selection& selection, const TransferOptions& options,
                      const std::string& expression);
/// As Dataset::write_elements(), of transformed copies.
void write_transformed(Dataset dataset, const Datatype& type, const void* memory, std::uint64_t elements,
                       const Selection& selection, const TransferOptions& options,
                       const std::string& expression);

}  // namespace filigree::capi
