// SPDX-License-Identifier: Apache-2.0
//
// Detection of noise: bytes that no compressor makes smaller.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"

namespace filigree::filter {

/// Whether all byte values are about equally frequent and sequences hardly repeat, so that compression would
/// save at most one percent. Takes far less time than compressing. Returns false for fewer than 256 bytes.
bool is_noise(Bytes bytes);

/// Whether sequences of `length` (4 to 16) bytes hardly ever repeat. *Requires* less than 2 GiB.
bool hardly_repeats(Bytes bytes, std::size_t length);

/// The number of leading bytes that are noise: a multiple of one of `planes` equal parts, at most all but one
/// part.
std::size_t noise_in_front(Bytes bytes, std::size_t planes);

}  // namespace filigree::filter
