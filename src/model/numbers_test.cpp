// SPDX-License-Identifier: Apache-2.0
#include "model/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace filigree::model {
namespace {

/// The bits a 16-bit float gets.
unsigned half_of(double value) {
  Buffer stored(2);
  write_numbers(format::ieee_float(2, false), stored, NumberKind::f64, &value, 1);
  return static_cast<unsigned>(load_word(stored.data(), 2));
}

TEST(Numbers, StoresZeroAsHalfOfEitherSign) {
  EXPECT_EQ(half_of(0.0), 0x0000u);
  EXPECT_EQ(half_of(-0.0), 0x8000u);
}

TEST(Numbers, StoresHalvesAtTheEdgesOfTheirRange) {
  EXPECT_EQ(half_of(1.0), 0x3c00u);
  EXPECT_EQ(half_of(-2.5), 0xc100u);
  EXPECT_EQ(half_of(65504.0), 0x7bffu);
  EXPECT_EQ(half_of(65520.0), 0x7c00u);
  EXPECT_EQ(half_of(std::ldexp(1.0, -14)), 0x0400u);       // smallest normal
  EXPECT_EQ(half_of(std::ldexp(1023.0, -24)), 0x03ffu);    // largest subnormal
  EXPECT_EQ(half_of(std::ldexp(1.0, -24)), 0x0001u);       // smallest
  EXPECT_EQ(half_of(std::ldexp(1.0, -25)), 0x0000u);       // a tie goes to even
  EXPECT_EQ(half_of(std::ldexp(1.5, -25)), 0x0001u);
  EXPECT_EQ(half_of(std::ldexp(1023.75, -24)), 0x0400u);   // carries into the exponent
  EXPECT_EQ(half_of(2047.75), 0x6800u);
  EXPECT_EQ(half_of(-std::numeric_limits<double>::infinity()), 0xfc00u);
  EXPECT_EQ(half_of(std::numeric_limits<double>::quiet_NaN()) & 0x7e00u, 0x7e00u);
}

TEST(Numbers, ReadsBackEveryHalf) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    Buffer stored(2);
    store_word(stored.data(), bits, 2);
    double value = 0;
    read_numbers(format::ieee_float(2, false), stored, NumberKind::f64, &value, 1);
    if (std::isnan(value)) continue;
    ASSERT_EQ(half_of(value), bits);
  }
}

}  // namespace
}  // namespace filigree::model
