// SPDX-License-Identifier: Apache-2.0
//
// Rice codes and variable-length integers.
//
// A Rice code with parameter k writes the quotient of a value by 2^k as that many zeros and a one, then the k
// low bits. Bits are stored from the least significant bit of a byte.
#pragma once

#include <bit>
#include <span>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The code of one stream of values. All values may be equal; they then take no bits.
struct RiceCode {
  static constexpr std::uint8_t is_constant = 0xff;
  static constexpr unsigned most_bits = 56;  ///< the largest parameter
  static constexpr unsigned escape = 32;     ///< a larger quotient is written as this many zeros and 64 bits

  std::uint8_t parameter = is_constant;
  std::uint64_t constant = 0;  ///< the value of all codes, if they take no bits

  constexpr bool coded() const { return parameter != is_constant; }
};

/// A code and the size of the values with it.
struct RiceChoice {
  RiceCode code;
  std::uint64_t bits = 0;  ///< size of all values
};

/// The code with which `values` take the fewest bits.
RiceChoice best_rice(std::span<const std::uint64_t> values);

/// The bits of one value with a code.
constexpr std::uint64_t rice_bits(std::uint64_t value, RiceCode code) {
  if (!code.coded()) return 0;
  const std::uint64_t quotient = value >> code.parameter;
  return quotient < RiceCode::escape ? quotient + 1 + code.parameter : RiceCode::escape + 64;
}

/// Maps a signed difference (in two's complement) to an unsigned number, small magnitudes to small numbers.
constexpr std::uint64_t fold_sign(std::uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
/// The inverse of fold_sign().
constexpr std::uint64_t unfold_sign(std::uint64_t folded) {
  return folded >> 1 ^ ((folded & 1) != 0 ? ~std::uint64_t{0} : 0);
}

/// Appends bits to a buffer. *Requires* that no more than the declared number of bits are written.
class RiceWriter {
 public:
  RiceWriter(Buffer& to, std::uint64_t bits) : to_(to), at_(to.size()) {
    to.resize(to.size() + bits / 8 + 9);
  }
  RiceWriter(const RiceWriter&) = delete;
  RiceWriter& operator=(const RiceWriter&) = delete;
  /// Shrinks the buffer to the bytes that were written.
  ~RiceWriter() { to_.resize(at_ + (held_ != 0)); }

  /// Appends `count` (at most 56) bits.
  void bits(std::uint64_t value, unsigned count) {
    pending_ |= value << held_;
    held_ += count;
    store_word(to_.data() + at_, pending_, 8);
    at_ += held_ >> 3;
    pending_ >>= held_ & ~7u;
    held_ &= 7;
  }

  /// Appends two values.
  void put_pair(std::uint64_t first, RiceCode first_code, std::uint64_t second, RiceCode second_code) {
    const Word a = word(first, first_code), b = word(second, second_code);
    if (a.count + b.count > 56) [[unlikely]] {
      put(first, first_code);
      put(second, second_code);
      return;
    }
    bits(a.bits | b.bits << a.count, a.count + b.count);
  }
  /// Appends a bit, followed by two values if it is set. No branch depends on the bit.
  void put_optional(bool is_set, std::uint64_t first, RiceCode first_code, std::uint64_t second,
                    RiceCode second_code) {
    const Word a = word(first, first_code), b = word(second, second_code);
    if (a.count + b.count > 55) [[unlikely]] {
      bits(is_set, 1);
      if (is_set) put_pair(first, first_code, second, second_code);
      return;
    }
    const std::uint64_t all = 1 | a.bits << 1 | b.bits << (1 + a.count);
    bits(is_set ? all : 0, is_set ? 1 + a.count + b.count : 1);
  }

  /// Appends a value.
  void put(std::uint64_t value, RiceCode code) {
    if (!code.coded()) return;
    const unsigned k = code.parameter;
    const std::uint64_t quotient = value >> k, low = value & ((std::uint64_t{1} << k) - 1);
    if (quotient >= RiceCode::escape) {
      bits(0, RiceCode::escape);
      bits(value & 0xffffffff, 32);
      bits(value >> 32, 32);
    } else if (quotient + 1 + k <= 56) {
      bits((low << 1 | 1) << quotient, static_cast<unsigned>(quotient) + 1 + k);
    } else {
      bits(std::uint64_t{1} << quotient, static_cast<unsigned>(quotient) + 1);
      bits(low, k);
    }
  }

 private:
  /// An encoded value.
  struct Word {
    std::uint64_t bits;
    unsigned count;  ///< more than 56 if only put() can write the value
  };
  static Word word(std::uint64_t value, RiceCode code) {
    if (!code.coded()) return {0, 0};
    const unsigned k = code.parameter;
    const std::uint64_t quotient = value >> k, low = value & ((std::uint64_t{1} << k) - 1);
    if (quotient >= RiceCode::escape || quotient + 1 + k > 56) [[unlikely]]
      return {0, 64};
    return {(low << 1 | 1) << quotient, static_cast<unsigned>(quotient) + 1 + k};
  }

  Buffer& to_;
  std::size_t at_;
  std::uint64_t pending_ = 0;
  unsigned held_ = 0;  ///< number of pending bits; below 8 between calls
};

/// Reads untrusted bits. *Throws* Error(truncated) if more bits are read than there are.
class RiceReader {
 public:
  explicit RiceReader(Bytes bytes)
      : bytes_(bytes), end_(std::uint64_t{8} * bytes.size()), safe_(bytes.size() < 8 ? 0 : end_ - 56) {}

  /// Continues at a bit after the present one.
  void skip_to(std::uint64_t bit) {
    if (bit > end_) [[unlikely]]
      fail();
    at_ = bit;
  }
  /// Reads `count` (at most 56) bits.
  std::uint64_t bits(unsigned count) {
    const std::uint64_t value = ahead() & ((std::uint64_t{1} << count) - 1);
    skip(count);
    return value;
  }

  /// Reads `values` values and calls `visit(value)` for each.
  template <class Visit>
  void for_each(std::uint64_t values, RiceCode code, Visit visit) {
    std::uint64_t at = at_;  // a local copy, so that it stays in a register
    for (; values > 0; --values) {
      if (at < safe_) [[likely]] {
        const Peeked one = peek(load_word(bytes_.data() + (at >> 3), 8) >> (at & 7), code);
        if (one.bits <= 57) [[likely]] {
          at += one.bits;
          visit(one.value);
          continue;
        }
      }
      at_ = at;
      const std::uint64_t value = get(code);
      at = at_;
      visit(value);
    }
    at_ = at;
  }

  /// Reads `pairs` pairs of values and calls `visit(first, second)` for each.
  template <class Visit>
  void for_each_pair(std::uint64_t pairs, RiceCode first_code, RiceCode second_code, Visit visit) {
    std::uint64_t at = at_;
    for (; pairs > 0; --pairs) {
      if (at < safe_) [[likely]] {
        const std::uint64_t next = load_word(bytes_.data() + (at >> 3), 8) >> (at & 7);
        const Peeked a = peek(next, first_code);
        const Peeked b = peek(next >> (a.bits & 63), second_code);
        if (a.bits + b.bits <= 57) [[likely]] {
          at += a.bits + b.bits;
          visit(a.value, b.value);
          continue;
        }
      }
      at_ = at;
      const std::uint64_t first = get(first_code), second = get(second_code);
      at = at_;
      visit(first, second);
    }
    at_ = at;
  }

  /// Reads `bits_to_read` bits, each followed by two values if it is set, and calls `visit(bit, first,
  /// second)`. The values are unspecified if the bit is not set. No branch depends on the bits, because they
  /// are unpredictable.
  template <class Visit>
  void for_each_optional(std::uint64_t bits_to_read, RiceCode first_code, RiceCode second_code, Visit visit) {
    std::uint64_t at = at_;
    for (; bits_to_read > 0; --bits_to_read) {
      if (at < safe_) [[likely]] {
        const std::uint64_t next = load_word(bytes_.data() + (at >> 3), 8) >> (at & 7);
        const bool is_set = (next & 1) != 0;
        const Peeked a = peek(next >> 1, first_code);
        const Peeked b = peek(next >> 1 >> (a.bits & 63), second_code);
        if (a.bits + b.bits <= 56) [[likely]] {
          at += is_set ? 1 + a.bits + b.bits : 1;
          visit(is_set, a.value, b.value);
          continue;
        }
      }
      at_ = at;
      const bool is_set = bits(1) != 0;
      const std::uint64_t first = is_set ? get(first_code) : 0, second = is_set ? get(second_code) : 0;
      at = at_;
      visit(is_set, first, second);
    }
    at_ = at;
  }

  /// Reads a value.
  std::uint64_t get(RiceCode code) {
    if (!code.coded()) return code.constant;
    const std::uint64_t next = ahead();
    const unsigned k = code.parameter;
    const auto quotient = static_cast<unsigned>(std::countr_zero(next));
    if (quotient >= RiceCode::escape || quotient + 1 + k > 57) [[unlikely]]
      return get_long(k, quotient);
    skip(quotient + 1 + k);
    return std::uint64_t{quotient} << k | (next >> quotient >> 1 & ((std::uint64_t{1} << k) - 1));
  }

 private:
  /// A value at the front of some bits, and its size: more than 64 if the bits may not hold all of it.
  struct Peeked {
    std::uint64_t value;
    unsigned bits;
  };
  static Peeked peek(std::uint64_t next, RiceCode code) {
    if (!code.coded()) return {code.constant, 0};
    const unsigned k = code.parameter;
    const auto quotient = static_cast<unsigned>(std::countr_zero(next));
    if (quotient >= RiceCode::escape || quotient + 1 + k > 57) [[unlikely]]
      return {0, 128};
    return {std::uint64_t{quotient} << k | (next >> quotient >> 1 & ((std::uint64_t{1} << k) - 1)),
            quotient + 1 + k};
  }

  /// The next 64 bits, of which at least 57 are valid.
  std::uint64_t ahead() const {
    const std::uint64_t byte = at_ >> 3;
    if (bytes_.size() - byte < 8) [[unlikely]]
      return last_bits();
    return load_word(bytes_.data() + byte, 8) >> (at_ & 7);
  }
  void skip(unsigned count) {
    at_ += count;
    if (at_ > end_) [[unlikely]]
      fail();
  }
  std::uint64_t last_bits() const;
  /// Reads a value that exceeds the bits of ahead().
  std::uint64_t get_long(unsigned parameter, unsigned quotient);
  [[noreturn]] static void fail();

  Bytes bytes_;
  std::uint64_t end_;
  std::uint64_t safe_;  ///< before this bit, eight bytes can be loaded
  std::uint64_t at_ = 0;
};

/// Appends a variable-length integer: seven bits per byte, low bits first. All bytes but the last have their
/// high bit set.
void put_varint(Buffer& to, std::uint64_t value);
/// Appends the parameter of a code.
void put_code(Buffer& to, RiceCode code);

/// Reads numbers from the front of untrusted bytes. *Throws* Error(truncated) or Error(corrupt).
class VarintReader {
 public:
  explicit VarintReader(Bytes bytes) : bytes_(bytes) {}
  std::uint8_t byte();
  std::uint64_t varint();
  RiceCode code();
  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace filigree::filter
