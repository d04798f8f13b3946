// SPDX-License-Identifier: Apache-2.0
//
// Bit fields in arrays of words; bit 0 of word 0 is the least significant. Every range may be empty and
// *requires* bits within the array.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace filigree::type::bits {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

/// The number of words that hold `bits` bits.
inline std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

/// A word with the low `count` bits set.
inline Word low_mask(std::size_t count) { return count >= word_bits ? ~Word{0} : (Word{1} << count) - 1; }

/// Returns the `count` (at most 64) bits from bit `at` on.
inline Word get(const Word* words, std::size_t at, std::size_t count) {
  if (count == 0) return 0;
  const std::size_t index = at / word_bits;
  const std::size_t shift = at % word_bits;
  Word value = words[index] >> shift;
  if (shift + count > word_bits) value |= words[index + 1] << (word_bits - shift);
  return value & low_mask(count);
}

/// Stores the low `count` (at most 64) bits of `value` from bit `at` on.
inline void put(Word* words, std::size_t at, std::size_t count, Word value) {
  if (count == 0) return;
  const std::size_t index = at / word_bits;
  const std::size_t shift = at % word_bits;
  const Word mask = low_mask(count);
  value &= mask;
  words[index] = (words[index] & ~(mask << shift)) | value << shift;
  if (shift + count > word_bits) {
    const std::size_t done = word_bits - shift;
    words[index + 1] = (words[index + 1] & ~(mask >> done)) | value >> done;
  }
}

/// Whether a bit is set.
inline bool test(const Word* words, std::size_t at) { return words[at / word_bits] >> at % word_bits & 1; }

/// Copies a range of bits. *Requires* two different arrays.
inline void copy(Word* to, std::size_t to_at, const Word* from, std::size_t from_at, std::size_t count) {
  for (std::size_t done = 0; done < count; done += word_bits) {
    const std::size_t part = std::min(count - done, word_bits);
    put(to, to_at + done, part, get(from, from_at + done, part));
  }
}

/// Sets or clears a range of bits.
inline void fill(Word* words, std::size_t at, std::size_t count, bool value) {
  for (std::size_t done = 0; done < count; done += word_bits) {
    put(words, at + done, std::min(count - done, word_bits), value ? ~Word{0} : 0);
  }
}

/// The index, relative to `at`, of the highest bit in the range that equals `value`; -1 if there is none.
inline std::ptrdiff_t highest(const Word* words, std::size_t at, std::size_t count, bool value) {
  while (count > 0) {
    const std::size_t part = (count - 1) % word_bits + 1;
    Word piece = get(words, at + count - part, part);
    if (!value) piece = ~piece & low_mask(part);
    if (piece != 0) return static_cast<std::ptrdiff_t>(count - part + std::bit_width(piece)) - 1;
    count -= part;
  }
  return -1;
}

/// Whether all bits of the range equal `value`; true for an empty range.
inline bool all(const Word* words, std::size_t at, std::size_t count, bool value) {
  return highest(words, at, count, !value) < 0;
}

/// Adds one to the number in the range; returns whether it wrapped to zero.
inline bool increment(Word* words, std::size_t at, std::size_t count) {
  for (std::size_t done = 0; done < count; done += word_bits) {
    const std::size_t part = std::min(count - done, word_bits);
    const Word sum = (get(words, at + done, part) + 1) & low_mask(part);
    put(words, at + done, part, sum);
    if (sum != 0) return false;
  }
  return true;
}

/// Replaces the number in the range by its two's complement.
inline void negate(Word* words, std::size_t at, std::size_t count) {
  for (std::size_t done = 0; done < count; done += word_bits) {
    const std::size_t part = std::min(count - done, word_bits);
    put(words, at + done, part, ~get(words, at + done, part));
  }
  increment(words, at, count);
}

}  // namespace filigree::type::bits
