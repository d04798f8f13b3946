// SPDX-License-Identifier: Apache-2.0
//
// Canonical prefix codes. Shorter codes come first, and codes of the same length are consecutive in the order
// of their symbols. A code is stored from its most significant bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace filigree::filter {

/// The largest length of a code.
inline constexpr unsigned longest_code = 12;

/// The lengths of codes; 0 for symbols without one.
using CodeLengths = std::vector<std::uint8_t>;

/// Returns the lengths with which symbols of these counts take the fewest bits, at most `longest` each.
/// *Requires* from 2 to 2^longest symbols.
CodeLengths code_lengths(std::span<const std::uint32_t> counts, unsigned longest);

/// Whether every sequence of bits is a sequence of codes, and no code is too long.
bool is_complete(std::span<const std::uint8_t> lengths);

/// Calls `visit(symbol, length, code)` for every code in ascending order, where the first bit of a code is
/// its least significant one. *Requires* is_complete(), and fewer than 65,536 symbols.
template <class Visit>
void for_each_code(std::span<const std::uint8_t> lengths, Visit visit) {
  std::array<std::uint32_t, longest_code + 2> starts{};
  for (const std::uint8_t length : lengths) starts[length + 1u] += length != 0;
  for (unsigned length = 1; length <= longest_code; ++length) starts[length + 1] += starts[length];
  std::vector<std::uint16_t> order(starts.back());
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
    if (lengths[symbol] != 0) order[starts[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
  unsigned code = 0;
  for (const std::uint16_t symbol : order) {
    visit(symbol, lengths[symbol], code);
    // Adds 1 to a number whose most significant bit comes first.
    unsigned bit = 1u << (lengths[symbol] - 1u);
    for (; (code & bit) != 0; bit >>= 1) code ^= bit;
    code |= bit;
  }
}

}  // namespace filigree::filter
