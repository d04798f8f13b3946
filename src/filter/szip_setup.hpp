// SPDX-License-Identifier: Apache-2.0
//
// Parameters of szip: checked, and made for a new dataset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/facts.hpp"

namespace filigree::filter {

/// Throws Error(corrupt) unless `params` are something that szip data can be decoded with.
void check_szip_params(std::span<const std::uint32_t> params);

/// See builtin.hpp. Throws Error(invalid_argument).
std::vector<std::uint32_t> szip_params(std::span<const std::uint32_t> wanted, const ChunkFacts& chunk);

}  // namespace filigree::filter
