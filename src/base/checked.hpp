// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on 64-bit numbers that reports overflow instead of wrapping. Sizes and counts that come from a
// file or a caller go through these functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace filigree {

/// a + b, or nothing if the sum does not fit in 64 bits.
inline std::optional<std::uint64_t> try_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing if the product does not fit in 64 bits.
inline std::optional<std::uint64_t> try_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// *Throws* Error(limit) that says that `what` does not fit in 64 bits.
[[noreturn]] void throw_overflow(std::string_view what);

/// a + b. *Throws* Error(limit) that names `what` if the sum does not fit in 64 bits.
inline std::uint64_t checked_add(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw_overflow(what);
  return sum;
}

/// a * b. *Throws* Error(limit) that names `what` if the product does not fit in 64 bits.
inline std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_overflow(what);
  return product;
}

/// a * b, or the largest number if the product does not fit in 64 bits.
inline std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return try_multiply(a, b).value_or(~std::uint64_t{0});
}

}  // namespace filigree
