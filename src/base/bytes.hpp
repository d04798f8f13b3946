// SPDX-License-Identifier: Apache-2.0
//
// Byte views and buffers, and little-endian integers of any width.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace filigree {

/// A view of bytes that are only read, a view of bytes that are written, and bytes that are owned.
using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;
using Buffer = std::vector<std::byte>;

/// The characters of `text` as bytes, without a copy.
inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// The bytes as characters, without a copy.
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the little-endian integer in the first `width` (0 to 8) bytes of `from`.
inline std::uint64_t load_word(const std::byte* from, unsigned width) {
  std::uint64_t value = 0;
  if (std::endian::native == std::endian::little && width == 8) {
    std::memcpy(&value, from, 8);
    return value;
  }
  for (unsigned i = width; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
  return value;
}

/// Stores the low `width` (0 to 8) bytes of `value`, little-endian.
inline void store_word(std::byte* to, std::uint64_t value, unsigned width) {
  if (std::endian::native == std::endian::little && width == 8) {
    std::memcpy(to, &value, 8);
    return;
  }
  for (unsigned i = 0; i < width; ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

/// The largest value that `width` bytes can hold: all bits set.
constexpr std::uint64_t widest_word(unsigned width) {
  return width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
}

/// The number of bytes (at least 1) that can hold every value from 0 to `largest`.
constexpr unsigned bytes_to_hold(std::uint64_t largest) {
  unsigned width = 1;
  while (largest >>= 8) ++width;
  return width;
}

/// Rounds `value` up to a multiple of 8. *Requires* that the result fits in 64 bits.
constexpr std::uint64_t pad8(std::uint64_t value) { return (value + 7) & ~std::uint64_t{7}; }

}  // namespace filigree
