// SPDX-License-Identifier: Apache-2.0
//
// Big-endian integers, as in the block headers of LZ4 and bitshuffle.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter {

/// Returns the big-endian integer in the first `width` (0 to 8) bytes of `from`.
inline std::uint64_t load_big(const std::byte* from, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
  return value;
}

/// Stores the low `width` (0 to 8) bytes of `value`, most significant first.
inline void store_big(std::byte* to, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) to[i] = static_cast<std::byte>(value >> (8 * (width - 1 - i)));
}

}  // namespace filigree::filter
