// SPDX-License-Identifier: Apache-2.0
//
// Rice codes in a stream of bits, least significant bit of a byte first: a value's quotient by 2^k as so many
// zeros and a one, then its k low bits. And numbers of seven bits a byte.
#pragma once

#include <bit>
#include <span>

#include "base/bytes.hpp"

namespace filigree::filter {

/// How the values of one stream are written.
struct RiceCode {
  static constexpr std::uint8_t is_constant = 0xff;
  static constexpr unsigned most_bits = 56;  ///< the largest parameter
  static constexpr unsigned escape = 32;     ///< a quotient of this or more: as many zeros, then 64 bits

  std::uint8_t parameter = is_constant;
  std::uint64_t constant = 0;  ///< what all values are, when they take no bits

  bool coded() const { return parameter != is_constant; }
};

struct RiceChoice {
  RiceCode code;
  std::uint64_t bits = 0;  ///< that the values take
};

/// The parameter with which `values` take the fewest bits.
RiceChoice best_rice(std::span<const std::uint64_t> values);

/// A signed difference, as a wrapped one, with small magnitudes as small numbers.
constexpr std::uint64_t fold_sign(std::uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unfold_sign(std::uint64_t folded) {
  return folded >> 1 ^ ((folded & 1) != 0 ? ~std::uint64_t{0} : 0);
}

/// Appends bits. The caller has reckoned how many.
class RiceWriter {
 public:
  RiceWriter(Buffer& to, std::uint64_t bits) : to_(to), at_(to.size()) {
    to.resize(to.size() + bits / 8 + 9);
  }
  RiceWriter(const RiceWriter&) = delete;
  RiceWriter& operator=(const RiceWriter&) = delete;
  /// Cuts the buffer to what was written.
  ~RiceWriter() { to_.resize(at_ + (held_ != 0)); }

  /// At most 56 of them.
  void bits(std::uint64_t value, unsigned count) {
    pending_ |= value << held_;
    held_ += count;
    store_word(to_.data() + at_, pending_, 8);
    at_ += held_ >> 3;
    pending_ >>= held_ & ~7u;
    held_ &= 7;
  }

  /// Two values, one behind the other.
  void put_pair(std::uint64_t first, RiceCode first_code, std::uint64_t second, RiceCode second_code) {
    const Word a = word(first, first_code), b = word(second, second_code);
    if (a.count + b.count > 56) [[unlikely]] {
      put(first, first_code);
      put(second, second_code);
      return;
    }
    bits(a.bits | b.bits << a.count, a.count + b.count);
  }
  /// A bit, and two values behind it if it is set. No branch depends on the bit.
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
  struct Word {
    std::uint64_t bits;
    unsigned count;  ///< more than 56 for what put() has to do
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
  unsigned held_ = 0;  ///< below 8 between calls
};

/// Reads untrusted bits. Behind the end are zeros, and reading them throws Error(truncated).
class RiceReader {
 public:
  explicit RiceReader(Bytes bytes)
      : bytes_(bytes), end_(std::uint64_t{8} * bytes.size()), safe_(bytes.size() < 8 ? 0 : end_ - 56) {}

  /// At most 56 of them.
  std::uint64_t bits(unsigned count) {
    const std::uint64_t value = ahead() & ((std::uint64_t{1} << count) - 1);
    skip(count);
    return value;
  }

  /// Calls `see(first, second)` for so many pairs of values, one behind the other.
  template <class See>
  void for_each_pair(std::uint64_t pairs, RiceCode first_code, RiceCode second_code, See see) {
    std::uint64_t at = at_;  // a copy that stays in a register
    for (; pairs > 0; --pairs) {
      if (at < safe_) [[likely]] {
        const std::uint64_t next = load_word(bytes_.data() + (at >> 3), 8) >> (at & 7);
        const Taken a = taken(next, first_code);
        const Taken b = taken(next >> (a.bits & 63), second_code);
        if (a.bits + b.bits <= 57) [[likely]] {
          at += a.bits + b.bits;
          see(a.value, b.value);
          continue;
        }
      }
      at_ = at;
      const std::uint64_t first = get(first_code), second = get(second_code);
      at = at_;
      see(first, second);
    }
    at_ = at;
  }

  /// Reads so many bits, with two values behind each that is set, and calls `see(bit, first, second)`: the
  /// values are any if the bit is not set. No branch depends on the bits, which are as good as random.
  template <class See>
  void for_each_optional(std::uint64_t bits_to_read, RiceCode first_code, RiceCode second_code, See see) {
    std::uint64_t at = at_;
    for (; bits_to_read > 0; --bits_to_read) {
      if (at < safe_) [[likely]] {
        const std::uint64_t next = load_word(bytes_.data() + (at >> 3), 8) >> (at & 7);
        const bool is_set = (next & 1) != 0;
        const Taken a = taken(next >> 1, first_code);
        const Taken b = taken(next >> 1 >> (a.bits & 63), second_code);
        if (a.bits + b.bits <= 56) [[likely]] {
          at += is_set ? 1 + a.bits + b.bits : 1;
          see(is_set, a.value, b.value);
          continue;
        }
      }
      at_ = at;
      const bool is_set = bits(1) != 0;
      const std::uint64_t first = is_set ? get(first_code) : 0, second = is_set ? get(second_code) : 0;
      at = at_;
      see(is_set, first, second);
    }
    at_ = at;
  }

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
  /// A value at the front of some bits; more than 64 bits where it may not be all there.
  struct Taken {
    std::uint64_t value;
    unsigned bits;
  };
  static Taken taken(std::uint64_t next, RiceCode code) {
    if (!code.coded()) return {code.constant, 0};
    const unsigned k = code.parameter;
    const auto quotient = static_cast<unsigned>(std::countr_zero(next));
    if (quotient >= RiceCode::escape || quotient + 1 + k > 57) [[unlikely]]
      return {0, 128};
    return {std::uint64_t{quotient} << k | (next >> quotient >> 1 & ((std::uint64_t{1} << k) - 1)),
            quotient + 1 + k};
  }

  /// The next bits, at least 57.
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
  /// A value that does not fit into the bits ahead.
  std::uint64_t get_long(unsigned parameter, unsigned quotient);
  [[noreturn]] static void fail();

  Bytes bytes_;
  std::uint64_t end_;
  std::uint64_t safe_;  ///< before it, eight bytes may be loaded at once
  std::uint64_t at_ = 0;
};

/// Seven bits a byte, low ones first; all bytes but the last have their high bit set.
void put_varint(Buffer& to, std::uint64_t value);
void put_code(Buffer& to, RiceCode code);

/// Takes numbers from the front of untrusted bytes. Throws Error.
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
