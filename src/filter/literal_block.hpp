// SPDX-License-Identifier: Apache-2.0
//
// DEFLATE without its search for repeats: a block that gives each byte a code by how often it is there. Of
// short noisy data nothing else makes them smaller, and to find that out costs a searching compressor more
// than all the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace filigree::filter {

/// Codes of the bytes of some data, and of the end behind them.
struct LiteralPlan {
  static constexpr std::size_t end = 256;

  /// One item of the head: a length, or a repetition with its number.
  struct Item {
    std::uint8_t symbol, extra, extra_bits;
  };
  /// The lengths of all codes as the head of a block tells them.
  struct Head {
    std::array<Item, end + 2> items;
    std::size_t count = 0;
    std::array<std::uint8_t, 19> lengths{};  ///< of the codes of the items
    std::size_t lengths_told = 0;
    std::uint64_t bits = 0;

    void add(unsigned symbol, std::size_t extra, unsigned extra_bits) {
      items[count++] = {static_cast<std::uint8_t>(symbol), static_cast<std::uint8_t>(extra),
                        static_cast<std::uint8_t>(extra_bits)};
    }
  };

  std::array<std::uint8_t, end + 1> lengths{};  ///< in bits; 0: does not occur
  Head head;
  std::uint64_t bits = 0;  ///< of the block with its head
};

/// Of 1 to 65535 bytes.
LiteralPlan plan_literals(Bytes plain);

/// Writes the last block of a stream, from a whole byte on, and returns its bytes: as many as the bits of the
/// plan need. There has to be room for 8 more.
std::size_t put_literals(Bytes plain, const LiteralPlan& plan, MutableBytes room);

}  // namespace filigree::filter
