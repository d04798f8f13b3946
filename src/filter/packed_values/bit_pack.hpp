// SPDX-License-Identifier: Apache-2.0
//
// Numbers with a fixed number of bits each, one after the other. Bits fill a byte from its least significant
// bit, and numbers begin with their least significant bit.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The largest number of bits of a number.
inline constexpr unsigned most_packed_bits = 56;

/// The bytes of `count` numbers of `bits` bits. *Requires* a result below 2^61.
constexpr std::uint64_t packed_bytes(std::uint64_t count, unsigned bits) {
  return count / 8 * bits + (count % 8 * bits + 7) / 8;
}

/// Appends the low `bits` bits of every number.
void append_packed(Buffer& to, std::span<const std::uint64_t> numbers, unsigned bits);

/// Reads `count` numbers of at most `bits` bits and stores each plus `base`. *Requires* that `from` has
/// packed_bytes(count, bits), and that a number fits in T.
template <class T>
void unpack(Bytes from, std::uint64_t count, unsigned bits, T base, T* to);

}  // namespace filigree::filter
