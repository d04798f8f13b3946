// SPDX-License-Identifier: Apache-2.0
//
// Sets of elements as bitmaps. An element is identified by its linear (row-major) offset in the extent.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filigree::filter {

/// A number with the low `bits` (0 to 63) bits set.
constexpr std::uint64_t ones(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

/// One bit for each element, with padding around them. Groups of bits can be read and written wherever a
/// patch may reach: up to 64 elements before the first one, and 8 rows after the last one.
class Bitmap {
 public:
  Bitmap(std::uint64_t elements, std::uint64_t row)
      : elements_(elements), bits_(static_cast<std::size_t>((elements + 8 * row) / 64 + lead + 3)) {}

  void set(std::uint64_t position) {
    bits_[static_cast<std::size_t>(position / 64 + lead)] |= std::uint64_t{1} << position % 64;
  }
  /// Sets the bits from `from` up to `to` (exclusive).
  void set_run(std::uint64_t from, std::uint64_t to) {
    for (; to - from > 32; from += 32) put(static_cast<std::int64_t>(from), ones(32));
    put(static_cast<std::int64_t>(from), ones(static_cast<unsigned>(to - from)));
  }
  /// Returns the 64 bits from `position` on.
  std::uint64_t get(std::int64_t position) const {
    const BitPosition at(position);
    return bits_[at.word] >> at.shift | bits_[at.word + 1] << 1 << (63 - at.shift);
  }
  /// Sets, or clears, those of the 64 bits from `position` on that are set in `bits`.
  void put(std::int64_t position, std::uint64_t bits) {
    const BitPosition at(position);
    bits_[at.word] |= bits << at.shift;
    bits_[at.word + 1] |= bits >> 1 >> (63 - at.shift);
  }
  void clear(std::int64_t position, std::uint64_t bits) {
    const BitPosition at(position);
    bits_[at.word] &= ~(bits << at.shift);
    bits_[at.word + 1] &= ~(bits >> 1 >> (63 - at.shift));
  }
  /// Returns a bitmap of the first elements, with the padding that their patches may reach.
  Bitmap front(std::uint64_t elements, std::uint64_t row) const {
    Bitmap part(elements, row);
    std::copy_n(bits_.begin(), std::min(bits_.size(), part.bits_.size()), part.bits_.begin());
    return part;
  }
  std::uint64_t elements() const { return elements_; }
  std::uint64_t words() const { return (elements_ + 63) / 64; }
  /// Word i holds the elements from 64 * i on.
  std::uint64_t word(std::uint64_t i) const { return bits_[static_cast<std::size_t>(i + lead)]; }
  std::span<const std::uint64_t> all_words() const {
    return std::span(bits_).subspan(lead, static_cast<std::size_t>(words()));
  }
  /// Whether a bit of the padding is set.
  bool has_stray_bits() const {
    for (std::size_t i = 0; i < lead; ++i)
      if (bits_[i] != 0) return true;
    for (auto i = static_cast<std::size_t>(words() + lead); i < bits_.size(); ++i)
      if (bits_[i] != 0) return true;
    return elements_ % 64 != 0 && word(words() - 1) >> elements_ % 64 != 0;
  }

 private:
  static constexpr std::size_t lead = 1;
  /// The word and the bit of an offset.
  struct BitPosition {
    explicit BitPosition(std::int64_t position)
        : word(static_cast<std::size_t>(position + std::int64_t{64 * lead}) / 64),
          shift(static_cast<unsigned>(position) % 64) {}
    std::size_t word;
    unsigned shift;
  };

  std::uint64_t elements_;
  std::vector<std::uint64_t> bits_;
};

/// Writes the offsets of the set bits of a word to `to`, where `first` is the offset of bit 0, and returns
/// the end of the list. The number of set bits is unpredictable, so the first `few` are written without a
/// branch. *Requires* space for 64 + `few` numbers.
template <unsigned few, class Number>
Number* note_bits(Number* to, std::uint64_t first, std::uint64_t bits) {
  const auto one = [&] {
    // Setting the highest bit does not change the result; it spares the compiler a test for zero.
    *to = static_cast<Number>(first + static_cast<unsigned>(std::countr_zero(bits | std::uint64_t{1} << 63)));
    to += bits != 0;
    bits &= bits - 1;
  };
  for (unsigned k = 0; k < few; ++k) one();
  while (bits != 0) one();
  return to;
}

/// The indexes of the words that are not zero.
std::vector<std::uint32_t> words_of(const Bitmap& set);
/// The edges of the set: the ascending offsets at which membership changes.
std::vector<std::uint64_t> edges_of(const Bitmap& set);
/// The offsets of the elements. `expected` is an estimate of their number. *Requires* offsets of 32 bits.
std::vector<std::uint32_t> points_of(const Bitmap& set, std::size_t expected);

/// Single elements with offsets of 32 bits: a bitmap if the decoder has one, otherwise an ascending list.
struct Points {
  std::optional<Bitmap> bits;
  std::vector<std::uint32_t> list;
};
/// Returns the elements as a list. `expected` is an estimate of their number.
std::vector<std::uint32_t> listed(Points points, std::size_t expected);

/// The number of runs in rows that equal the previous row. *Requires* rows of complete words.
std::uint64_t runs_in_repeated_rows(const Bitmap& set, std::uint64_t row);

}  // namespace filigree::filter
