// SPDX-License-Identifier: Apache-2.0
//
// The parameters of szip: checking them, and building them for a new dataset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/facts.hpp"

namespace filigree::filter {

/// Bits of the first parameter.
enum SzipOption : std::uint32_t {
  szip_k13 = 1,
  szip_chip = 2,
  szip_entropy = 4,  ///< entropy coding of the pixels themselves
  szip_least_first = 8,
  szip_most_first = 16,
  szip_nearest = 32,  ///< differences of adjacent pixels
  szip_raw = 128,
};

/// *Throws* Error(corrupt) unless szip data can be decoded with `params`.
void check_szip_params(std::span<const std::uint32_t> params);

/// Builds the parameters for a new dataset. *Throws* Error(invalid_argument) if szip cannot be applied.
std::vector<std::uint32_t> szip_params(std::span<const std::uint32_t> requested, const ChunkFacts& chunk);

}  // namespace filigree::filter
