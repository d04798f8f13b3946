// SPDX-License-Identifier: Apache-2.0
//
// Frames of Zstandard, as filters 32008 and 32015 store them.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter::zstd {

int default_level();

/// The nearest level that the library has.
int usable_level(std::int32_t level);

/// One frame that tells its content size.
Buffer compress(Bytes plain, int level);

/// Throws Error(corrupt) when `stored` is no frame or stands for more than `max_bytes`.
Buffer decompress(Bytes stored, std::size_t max_bytes);

/// Throws Error(corrupt) unless `stored` stands for exactly `to.size()` bytes.
void decompress(Bytes stored, MutableBytes to);

}  // namespace filigree::filter::zstd
