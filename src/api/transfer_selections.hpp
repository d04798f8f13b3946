// SPDX-License-Identifier: Apache-2.0
//
// The selections of transfers between datasets and memory.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "model/dataset/dataset.hpp"
#include "space/excerpt.hpp"
#include "space/selection.hpp"

namespace filigree::api {

/// Returns the selection in the extent; nothing is selected in a null dataspace.
space::Selection file_selection(const model::Dataset& dataset, const Selection& selection);
/// Divides a transfer of a dataset with 2^64 elements or more.
/// Throws: Error(limit) for all elements.
std::vector<space::ExcerptPart> divide(const model::Dataset& dataset, const Selection& selection,
                                       const space::Selection& memory);
/// Returns the number of selected elements.
std::uint64_t count_selected(const model::Dataset& dataset, const Selection& selection);
/// Returns those of the selected elements that are defined.
Selection find_defined(const model::Dataset& dataset, const Selection& selection);
/// Makes the selected elements undefined. Requires: as model::Dataset::erase().
void erase_selected(const model::Dataset& dataset, const Selection& selection);
/// Returns the selection in memory of `count` elements.
/// Throws: Error(invalid_argument) if the shape in the options has more.
space::Selection memory_selection(const TransferOptions& options, std::uint64_t count);

}  // namespace filigree::api
