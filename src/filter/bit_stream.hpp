// SPDX-License-Identifier: Apache-2.0
//
// Streams of numbers with any number of bits each, most significant bit first: the data of n-bit and
// scale-offset.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter {

/// Writes numbers to memory. *Requires* that the memory is large enough for all bits.
class BitWriter {
 public:
  explicit BitWriter(std::byte* to) : to_(to) {}

  /// Appends the low `bits` (1 to 64) of `value`.
  void put(std::uint64_t value, unsigned bits) {
    if (bits > 32) {
      put_few(value >> 32, bits - 32);
      bits = 32;
    }
    put_few(value, bits);
  }

  /// Writes an incomplete last byte, padded with zero bits. Call it once, at the end.
  void finish() {
    if (held_ != 0) *to_ = static_cast<std::byte>(pending_ << (8 - held_));
  }

 private:
  void put_few(std::uint64_t value, unsigned bits) {
    pending_ = pending_ << bits | (value & ((std::uint64_t{1} << bits) - 1));
    held_ += bits;
    while (held_ >= 8) {
      held_ -= 8;
      *to_++ = static_cast<std::byte>(pending_ >> held_);
    }
  }

  std::byte* to_;
  std::uint64_t pending_ = 0;  ///< its low `held_` bits are not written yet
  unsigned held_ = 0;          ///< below 8 between calls
};

/// Reads numbers from memory. *Requires* that the memory holds all bits that are read.
class BitReader {
 public:
  explicit BitReader(const std::byte* from) : from_(from) {}

  /// Returns the next `bits` (1 to 64).
  std::uint64_t get(unsigned bits) {
    std::uint64_t value = 0;
    if (bits > 32) {
      value = get_few(bits - 32) << 32;
      bits = 32;
    }
    return value | get_few(bits);
  }

 private:
  std::uint64_t get_few(unsigned bits) {
    while (held_ < bits) {
      pending_ = pending_ << 8 | std::to_integer<std::uint64_t>(*from_++);
      held_ += 8;
    }
    held_ -= bits;
    return pending_ >> held_ & ((std::uint64_t{1} << bits) - 1);
  }

  const std::byte* from_;
  std::uint64_t pending_ = 0;
  unsigned held_ = 0;
};

}  // namespace filigree::filter
