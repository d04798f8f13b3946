// SPDX-License-Identifier: Apache-2.0
//
// Frames of Zstandard, as filters 32008 and 32015 store them.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter::zstd {

/// The level that the library uses by default.
int default_level();

/// The level nearest to `level` that the library supports.
int usable_level(std::int32_t level);

/// Returns one frame that declares its content size.
Buffer compress(Bytes unfiltered, int level);

/// *Throws* Error(corrupt) if `stored` is not a frame, or decodes to more than `max_bytes`.
Buffer decompress(Bytes stored, std::size_t max_bytes);

/// Decompresses into `to`. *Throws* Error(corrupt) unless `stored` decodes to exactly `to.size()` bytes.
void decompress(Bytes stored, MutableBytes to);

}  // namespace filigree::filter::zstd
