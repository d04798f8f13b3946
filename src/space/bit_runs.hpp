// SPDX-License-Identifier: Apache-2.0
//
// Conversion of bitmaps to sets of runs, 64 elements at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "space/run_set.hpp"

namespace filigree::space {

/// The set of the offsets whose bits are set in `words` words; bit 0 of `word(i)` is offset 64 * i. Every
/// word is read twice: to count the changes of membership, and to record them.
template <class Word>
RunSet runs_of_bits(std::size_t words, Word word) {
  std::uint64_t before = 0;  // whether the offset before the word is in the set
  const auto changes_in = [&](std::size_t i) {
    const std::uint64_t bits = word(i);
    return bits ^ (bits << 1 | std::exchange(before, bits >> 63));
  };
  std::uint64_t edges = 0;
  for (std::size_t i = 0; i < words; ++i) {
    if (const std::uint64_t changes = changes_in(i)) edges += static_cast<unsigned>(std::popcount(changes));
  }
  RunSetWriter writer((edges + before) / 2);
  before = 0;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::uint64_t changes = changes_in(i); changes != 0; changes &= changes - 1)
      writer.add_edge(64 * i + static_cast<unsigned>(std::countr_zero(changes)));
  }
  if (before != 0) writer.add_edge(64 * words);
  return writer.finish();
}

}  // namespace filigree::space
