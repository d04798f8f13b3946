// SPDX-License-Identifier: Apache-2.0
//
// DEFLATE blocks of literals: every byte gets a Huffman code by its frequency, without a search for repeats.
// Nothing else makes short noisy data smaller, and a search for repeats would take most of the time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The codes of the bytes of a block and of the end-of-block symbol.
struct LiteralPlan {
  static constexpr std::size_t end = 256;

  /// One item of the block header: a code length, or a repetition with its count.
  struct Item {
    std::uint8_t symbol, extra, extra_bits;
  };
  /// The block header, which holds the lengths of all codes.
  struct Head {
    std::array<Item, end + 2> items;
    std::size_t count = 0;
    std::array<std::uint8_t, 19> lengths{};  ///< lengths of the codes of the items
    std::size_t stored_lengths = 0;          ///< how many of `lengths` the header stores
    std::uint64_t bits = 0;

    void add(unsigned symbol, std::size_t extra, unsigned extra_bits) {
      items[count++] = {static_cast<std::uint8_t>(symbol), static_cast<std::uint8_t>(extra),
                        static_cast<std::uint8_t>(extra_bits)};
    }
  };

  std::array<std::uint8_t, end + 1> lengths{};  ///< code lengths in bits; 0 if the byte does not occur
  Head head;
  std::uint64_t bits = 0;  ///< size of the block including its header
};

/// Chooses the codes for a block. *Requires* 1 to 65535 bytes.
LiteralPlan plan_literals(Bytes unfiltered);

/// Writes the last block of a stream, which begins at a byte boundary. Returns the number of bytes written:
/// those that the bits of the plan need. *Requires* 8 more bytes in `output`.
std::size_t put_literals(Bytes unfiltered, const LiteralPlan& plan, MutableBytes output);

}  // namespace filigree::filter
