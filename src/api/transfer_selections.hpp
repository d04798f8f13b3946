// SPDX-License-Identifier: Apache-2.0
//
// The selections of transfers between datasets and memory.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "model/dataset/dataset.hpp"
#include "space/selection.hpp"

namespace filigree::api {

/// Returns the selection in the extent; nothing is selected in a null dataspace.
space::Selection file_selection(const model::Dataset& dataset, const Selection& selection);
/// Returns the selection in memory of `count` elements.
/// Throws: Error(invalid_argument) if the shape in the options has more.
space::Selection memory_selection(const TransferOptions& options, std::uint64_t count);

}  // namespace filigree::api
