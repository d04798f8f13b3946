// SPDX-License-Identifier: Apache-2.0
//
// Fast division by a fixed number.
#pragma once

#include <cstdint>

namespace filigree::space {

/// Divides by `divisor`, which must not be zero. Numbers below 2^32 take one multiplication: the reciprocal,
/// rounded up to 64 fractional bits, is exact enough for them. Larger numbers take a division.
class Divider {
 public:
  explicit Divider(std::uint64_t divisor)
      : divisor_(divisor),
        reciprocal_(divisor > 1 && divisor >> 32 == 0 ? ~std::uint64_t{0} / divisor + 1 : 0) {}

  std::uint64_t quotient(std::uint64_t n) const {
    if ((n >> 32) != 0 || reciprocal_ == 0) return n / divisor_;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(n) * reciprocal_ >> 64);
  }
  std::uint64_t divisor() const { return divisor_; }

 private:
  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace filigree::space
