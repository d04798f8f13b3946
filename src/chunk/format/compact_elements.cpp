// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/compact_elements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace filigree::chunk {
namespace {

/// Values are not coded if more than one of so many needs its own bits.
constexpr std::size_t values_per_other = 16;

template <class Word>
Word load(const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

template <class Word>
using Floating = std::conditional_t<sizeof(Word) == 8, double, float>;

/// The bits of all floating-point numbers that have a code.
template <class Word>
constexpr std::array<Word, 256> floating_words() {
  std::array<Word, 256> words{};
  for (unsigned code = 0; code < words.size(); ++code)
    words[code] = std::bit_cast<Word>(static_cast<Floating<Word>>(code));
  return words;
}

}  // namespace

CompactValues::CompactValues(Buffer values, std::size_t element_bytes)
    : element_bytes_(element_bytes), values_(std::move(values)) {
  if constexpr (std::endian::native != std::endian::little) return;
  if (element_bytes == 2) narrow_words<std::uint16_t>();
  if (element_bytes == 4) narrow_words<std::uint32_t>();
  if (element_bytes == 8) narrow_words<std::uint64_t>();
}

template <class Word>
void CompactValues::narrow_words() {
  if (narrow<Word>(Coding::integer,
                   [](Word word) { return static_cast<unsigned>(std::min<Word>(word, 256)); }))
    return;
  if constexpr (sizeof(Word) >= 4) {
    narrow<Word>(Coding::floating, [](Word word) {
      const auto number = std::bit_cast<Floating<Word>>(word);
      const unsigned code = number >= 0 && number < 256 ? static_cast<unsigned>(number) : 0;
      return std::bit_cast<Word>(static_cast<Floating<Word>>(code)) == word ? code : 256u;
    });
  }
}

/// `code` returns the code of a value; 256: it has none.
template <class Word, class Code>
bool CompactValues::narrow(Coding coding, Code code) {
  constexpr std::size_t block = 64;
  const std::size_t count = values_.size() / sizeof(Word);
  std::vector<std::uint8_t> codes(count);
  std::vector<Other> others;
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t some = std::min(block, count - first);
    const std::byte* const from = values_.data() + first * sizeof(Word);
    unsigned all = 0;
    for (std::size_t i = 0; i < some; ++i) {
      const unsigned one = code(load<Word>(from + i * sizeof(Word)));
      codes[first + i] = static_cast<std::uint8_t>(one);
      all |= one;
    }
    if (all < 256) continue;
    for (std::size_t i = 0; i < some; ++i)
      if (const Word word = load<Word>(from + i * sizeof(Word)); code(word) == 256)
        others.push_back({first + i, word});
    if (others.size() > block + first / values_per_other) return false;
  }
  coding_ = coding;
  codes_ = std::move(codes);
  others.shrink_to_fit();
  others_ = std::move(others);
  values_ = Buffer();
  return true;
}

template <class Word>
void CompactValues::expand(std::size_t first, std::size_t count, std::byte* to) const {
  static constexpr auto floating = [] {
    if constexpr (sizeof(Word) >= 4) return floating_words<Word>();
    return std::array<Word, 256>{};
  }();
  const std::uint8_t* const from = codes_.data() + first;
  if (coding_ == Coding::integer) {
    for (std::size_t i = 0; i < count; ++i) {
      const Word word = from[i];
      std::memcpy(to + i * sizeof word, &word, sizeof word);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(to + i * sizeof(Word), &floating[from[i]], sizeof(Word));
  }
  if (others_.empty()) return;
  for (auto other = std::ranges::lower_bound(others_, first, {}, &Other::ordinal);
       other != others_.end() && other->ordinal < first + count; ++other) {
    const auto word = static_cast<Word>(other->bits);
    std::memcpy(to + (other->ordinal - first) * sizeof word, &word, sizeof word);
  }
}

void CompactValues::copy(std::size_t first, std::size_t count, std::byte* to) const {
  if (count == 0) return;
  if (coding_ == Coding::none) {
    std::memcpy(to, values_.data() + first * element_bytes_, count * element_bytes_);
    return;
  }
  if (element_bytes_ == 2) return expand<std::uint16_t>(first, count, to);
  if (element_bytes_ == 4) return expand<std::uint32_t>(first, count, to);
  expand<std::uint64_t>(first, count, to);
}

}  // namespace filigree::chunk
