// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/bitmap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

namespace filigree::filter {
namespace {

/// Appends the offsets of the set bits of a word to a list.
template <unsigned few, class Number>
std::size_t note(std::vector<Number>& list, std::size_t used, std::uint64_t first, std::uint64_t bits) {
  if (used + 64 + few > list.size()) [[unlikely]]
    list.resize(2 * list.size() + 64 + few);
  return static_cast<std::size_t>(note_bits<few>(list.data() + used, first, bits) - list.data());
}

/// Calls `visit(i, bits)` for every word(i) that is not zero. Whether a word is zero is unpredictable, so the
/// non-zero words are collected first, without a branch for each word.
template <class Word, class Visit>
void for_each_word(std::uint64_t words, Word word, Visit visit) {
  constexpr std::uint64_t block_words = 512;
  std::array<std::uint32_t, block_words> found;
  for (std::uint64_t first = 0; first < words; first += block_words) {
    const auto some = static_cast<std::uint32_t>(std::min(block_words, words - first));
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < some; ++i) {
      found[count] = i;
      count += word(first + i) != 0;
    }
    for (std::size_t k = 0; k < count; ++k) visit(first + found[k], word(first + found[k]));
  }
}

std::uint64_t runs_in_row(const Bitmap& set, std::uint64_t first_word, std::uint64_t words) {
  std::uint64_t runs = 0, before = 0;
  for (std::uint64_t i = 0; i < words; ++i) {
    const std::uint64_t bits = set.word(first_word + i);
    runs += static_cast<unsigned>(std::popcount(bits & ~(bits << 1 | before)));
    before = bits >> 63;
  }
  return runs;
}

}  // namespace

std::vector<std::uint32_t> words_of(const Bitmap& set) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(set.words()));
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < set.words(); ++i) {
    words[count] = i;
    count += set.word(i) != 0;
  }
  words.resize(count);
  return words;
}

std::vector<std::uint64_t> edges_of(const Bitmap& set) {
  std::vector<std::uint64_t> edges;
  std::size_t used = 0;
  const auto changes = [&](std::uint64_t i) {
    const std::uint64_t bits = set.word(i), before = i == 0 ? 0 : set.word(i - 1) >> 63;
    return bits ^ (bits << 1 | before);
  };
  for_each_word(set.words(), changes,
                [&](std::uint64_t i, std::uint64_t bits) { used = note<4>(edges, used, 64 * i, bits); });
  edges.resize(used);
  if (used % 2 != 0) edges.push_back(set.elements());
  return edges;
}

std::vector<std::uint32_t> points_of(const Bitmap& set, std::size_t expected) {
  std::vector<std::uint32_t> points(expected + 72);
  std::size_t used = 0;
  for_each_word(
      set.words(), [&](std::uint64_t i) { return set.word(i); },
      [&](std::uint64_t i, std::uint64_t bits) { used = note<4>(points, used, 64 * i, bits); });
  points.resize(used);
  return points;
}

std::vector<std::uint32_t> listed(Points points, std::size_t expected) {
  return points.bits ? points_of(*points.bits, expected) : std::move(points.list);
}

namespace {

/// `words` is the number of words of a row; common numbers are compile-time constants.
template <class Words>
std::uint64_t runs_in_repeated(const Bitmap& set, Words words) {
  std::uint64_t runs = 0;
  for (std::uint64_t at = words; at + words <= set.words(); at += words) {
    std::uint64_t differ = 0, any = 0;
    for (std::uint64_t i = at; i < at + words; ++i) {
      differ |= set.word(i) ^ set.word(i - words);
      any |= set.word(i);
    }
    if (differ == 0 && any != 0) [[unlikely]]
      runs += runs_in_row(set, at, words);
  }
  return runs;
}

}  // namespace

std::uint64_t runs_in_repeated_rows(const Bitmap& set, std::uint64_t row) {
  switch (row / 64) {
    case 1:
      return runs_in_repeated(set, std::integral_constant<std::uint64_t, 1>());
    case 2:
      return runs_in_repeated(set, std::integral_constant<std::uint64_t, 2>());
    case 4:
      return runs_in_repeated(set, std::integral_constant<std::uint64_t, 4>());
    default:
      return runs_in_repeated(set, row / 64);
  }
}

}  // namespace filigree::filter
