// SPDX-License-Identifier: Apache-2.0
//
// Bytes that no compressor makes smaller.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"

namespace filigree::filter {

/// Whether all byte values are about equally frequent and hardly anything comes twice, so that packing would
/// save a hundredth at most. Takes far less time than to try. Never true of less than 256 bytes.
bool is_noise(Bytes bytes);

/// Whether stretches of `length` bytes, 4 to 16, are hardly ever there a second time. Of less than 2 GiB.
bool hardly_repeats(Bytes bytes, std::size_t length);

/// How many bytes at the front are noise: as many of `planes` equal parts, all but one at most.
std::size_t noise_in_front(Bytes bytes, std::size_t planes);

}  // namespace filigree::filter
