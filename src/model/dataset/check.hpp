// SPDX-License-Identifier: Apache-2.0
//
// Validation of dataset creation options, by the rules of H5Dcreate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/dataset/create.hpp"

namespace filigree::model {

/// Checks the creation options of a dataset before anything is modified. The layout checks what concerns it.
/// Returns the datatype in the version for the file.
/// Throws: Error(invalid_argument, limit, unsupported or wrong_type) for a dataset that cannot be created.
format::DatatypeMessage check_new_dataset(File& file, const NewDataset& made);

// Helpers for the checks of the layouts.

/// File offsets are signed 64-bit numbers.
inline constexpr std::uint64_t largest_position = ~std::uint64_t{0} >> 1;

/// Throws: Error(invalid_argument) unless `holds`.
void require(bool holds, const char* what);
/// Returns the maximum dimensions.
const std::vector<std::uint64_t>& max_dims(const NewDataset& made);
/// Returns the first extendible dimension from `from` on, or the rank.
std::size_t find_extendible(const NewDataset& made, std::size_t from = 0);
/// Throws: Error(invalid_argument) for an extendible dimension.
[[noreturn]] void refuse_extendible(const NewDataset& made, std::size_t dim, const char* why);

}  // namespace filigree::model
