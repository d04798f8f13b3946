// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that cannot wrap unnoticed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace filigree {

inline std::optional<std::uint64_t> try_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<std::uint64_t> try_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

[[noreturn]] void throw_overflow(std::string_view what);

/// a + b, or an Error of kind `limit` that names `what` was being counted.
inline std::uint64_t checked_add(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw_overflow(what);
  return sum;
}

/// a * b, or an Error of kind `limit` that names `what` was being counted.
inline std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b, std::string_view what) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_overflow(what);
  return product;
}

}  // namespace filigree
