// SPDX-License-Identifier: Apache-2.0
//
// A set of elements as bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace filigree::filter {

constexpr std::uint64_t ones(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

/// A bit for each element, with room around them, so that groups of bits are taken and set wherever a patch
/// may reach: up to 64 elements before the first one, and 8 rows behind the last.
class Bitmap {
 public:
  Bitmap(std::uint64_t elements, std::uint64_t row)
      : elements_(elements), bits_(static_cast<std::size_t>((elements + 8 * row) / 64 + lead + 3)) {}

  void set(std::uint64_t position) {
    bits_[static_cast<std::size_t>(position / 64 + lead)] |= std::uint64_t{1} << position % 64;
  }
  void set_run(std::uint64_t from, std::uint64_t to) {
    for (; to - from > 32; from += 32) put(static_cast<std::int64_t>(from), ones(32));
    put(static_cast<std::int64_t>(from), ones(static_cast<unsigned>(to - from)));
  }
  /// The 64 bits from there on.
  std::uint64_t get(std::int64_t position) const {
    const Place at(position);
    return bits_[at.word] >> at.shift | bits_[at.word + 1] << 1 << (63 - at.shift);
  }
  void put(std::int64_t position, std::uint64_t bits) {
    const Place at(position);
    bits_[at.word] |= bits << at.shift;
    bits_[at.word + 1] |= bits >> 1 >> (63 - at.shift);
  }
  void clear(std::int64_t position, std::uint64_t bits) {
    const Place at(position);
    bits_[at.word] &= ~(bits << at.shift);
    bits_[at.word + 1] &= ~(bits >> 1 >> (63 - at.shift));
  }
  /// The first elements, and what patches of them reach.
  Bitmap front(std::uint64_t elements, std::uint64_t row) const {
    Bitmap part(elements, row);
    std::copy_n(bits_.begin(), std::min(bits_.size(), part.bits_.size()), part.bits_.begin());
    return part;
  }
  std::uint64_t elements() const { return elements_; }
  std::uint64_t words() const { return (elements_ + 63) / 64; }
  std::uint64_t word(std::uint64_t i) const { return bits_[static_cast<std::size_t>(i + lead)]; }
  std::span<const std::uint64_t> all_words() const {
    return std::span(bits_).subspan(lead, static_cast<std::size_t>(words()));
  }
  /// Whether some bit is set that is no element's.
  bool strays() const {
    for (std::size_t i = 0; i < lead; ++i)
      if (bits_[i] != 0) return true;
    for (auto i = static_cast<std::size_t>(words() + lead); i < bits_.size(); ++i)
      if (bits_[i] != 0) return true;
    return elements_ % 64 != 0 && word(words() - 1) >> elements_ % 64 != 0;
  }

 private:
  static constexpr std::size_t lead = 1;
  struct Place {
    explicit Place(std::int64_t position)
        : word(static_cast<std::size_t>(position + std::int64_t{64 * lead}) / 64),
          shift(static_cast<unsigned>(position) % 64) {}
    std::size_t word;
    unsigned shift;
  };

  std::uint64_t elements_;
  std::vector<std::uint64_t> bits_;
};

/// Notes where the bits of a word are set, the first bit being `first`, and returns the place behind the last
/// note; there is room for 64 and `few`. How many bits are set is as good as random: a few are noted without
/// asking.
template <unsigned few, class Number>
Number* note_bits(Number* to, std::uint64_t first, std::uint64_t bits) {
  const auto one = [&] {
    // The highest bit makes no difference but to the compiler, which would ask whether there is one.
    *to = static_cast<Number>(first + static_cast<unsigned>(std::countr_zero(bits | std::uint64_t{1} << 63)));
    to += bits != 0;
    bits &= bits - 1;
  };
  for (unsigned k = 0; k < few; ++k) one();
  while (bits != 0) one();
  return to;
}

/// The words that have elements.
std::vector<std::uint32_t> words_of(const Bitmap& set);
/// The places where membership changes.
std::vector<std::uint64_t> edges_of(const Bitmap& set);
/// The elements, which are numbered in 32 bits. About `expected` of them are there.
std::vector<std::uint32_t> points_of(const Bitmap& set, std::size_t expected);

/// Single elements, numbered in 32 bits: as bits where they are so at hand, otherwise as an ascending list.
struct Points {
  std::optional<Bitmap> bits;
  std::vector<std::uint32_t> list;
};
/// As a list in any case. About `expected` of them are there.
std::vector<std::uint32_t> listed(Points points, std::size_t expected);

/// Runs in rows that are the same as the row before them; rows are whole words.
std::uint64_t runs_in_repeated_rows(const Bitmap& set, std::uint64_t row);

}  // namespace filigree::filter
