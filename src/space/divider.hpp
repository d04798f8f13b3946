// SPDX-License-Identifier: Apache-2.0
//
// Division by a number that stays the same.
#pragma once

#include <cstdint>

namespace filigree::space {

/// Divides by `divisor`, not zero. Two numbers below 2^32 need one multiplication: the reciprocal, rounded up
/// to 64 bits behind the point, is then exact enough.
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
