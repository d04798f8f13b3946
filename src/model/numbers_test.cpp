// SPDX-License-Identifier: Apache-2.0
#include "model/numbers.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "model/names.hpp"

namespace filigree::model {
namespace {

template <class In, class Out>
Out through(const format::DatatypeMessage& type, In value) {
  Buffer element(type.size);
  write_numbers(type, element, number_kind<In>(), &value, 1);
  Out out{};
  read_numbers(type, element, number_kind<Out>(), &out, 1);
  return out;
}

TEST(Numbers, IntegersKeepTheirExtremesInBothByteOrders) {
  for (const bool big : {false, true}) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u}) {
      const std::int64_t most =
          bytes == 8 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bytes * 8 - 1)) - 1;
      const auto type = format::fixed_point(bytes, true, big);
      EXPECT_EQ((through<std::int64_t, std::int64_t>(type, most)), most);
      EXPECT_EQ((through<std::int64_t, std::int64_t>(type, -most - 1)), -most - 1);
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - bytes * 8);
      EXPECT_EQ((through<std::uint64_t, std::uint64_t>(format::fixed_point(bytes, false, big), all)), all);
    }
  }
}

TEST(Numbers, BigEndianStoresTheHighByteFirst) {
  Buffer element(2);
  const int value = 0x0102;
  write_numbers(format::fixed_point(2, true, true), element, NumberKind::i32, &value, 1);
  EXPECT_EQ(std::to_integer<int>(element[0]), 1);
  EXPECT_EQ(std::to_integer<int>(element[1]), 2);
}

TEST(Numbers, ValuesOutOfRangeAreClipped) {
  EXPECT_EQ((through<int, int>(format::fixed_point(1, true, false), 300)), 127);
  EXPECT_EQ((through<int, int>(format::fixed_point(1, true, false), -300)), -128);
  EXPECT_EQ((through<int, int>(format::fixed_point(1, false, false), -1)), 0);
  EXPECT_EQ((through<std::uint64_t, std::int64_t>(format::fixed_point(8, false, false), ~std::uint64_t{0})),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((through<double, int>(format::ieee_float(8, false), 1e300)), std::numeric_limits<int>::max());
  EXPECT_EQ((through<double, std::uint8_t>(format::ieee_float(8, false), -0.5)), 0);
  EXPECT_EQ((through<double, std::int64_t>(format::ieee_float(8, false), 9223372036854775808.0)),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((through<double, std::int64_t>(format::ieee_float(8, false), -9223372036854775808.0)),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((through<double, int>(format::ieee_float(8, false), -2.9)), -2);
}

TEST(Numbers, SpecialFloatsStayWhatTheyAre) {
  for (const std::uint32_t bytes : {2u, 4u, 8u}) {
    const auto type = format::ieee_float(bytes, true);
    EXPECT_TRUE(std::isnan(through<double, double>(type, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_EQ((through<double, double>(type, -std::numeric_limits<double>::infinity())),
              -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::signbit(through<double, double>(type, -0.0)));
  }
  EXPECT_EQ((through<double, int>(format::ieee_float(8, false), std::numeric_limits<double>::quiet_NaN())),
            0);
}

TEST(Numbers, HalvesMatchKnownBits) {
  const auto type = format::ieee_float(2, false);
  for (const auto& [value, bits] : {std::pair{1.0, 0x3c00},
                                    {-2.0, 0xc000},
                                    {65504.0, 0x7bff},
                                    {65519.0, 0x7bff},
                                    {65520.0, 0x7c00},
                                    {std::ldexp(1, -14), 0x0400},
                                    {std::ldexp(1, -24), 0x0001},
                                    {std::ldexp(1023, -24), 0x03ff},
                                    {std::ldexp(1, -25), 0x0000},
                                    {1.0 / 3, 0x3555},
                                    {2049.0, 0x6800},
                                    {2051.0, 0x6802},
                                    {0.0, 0x0000}}) {
    Buffer element(2);
    write_numbers(type, element, NumberKind::f64, &value, 1);
    EXPECT_EQ(load_word(element.data(), 2), static_cast<unsigned>(bits)) << value;
  }
}

TEST(Numbers, EveryHalfComesBackAsItWas) {
  const auto type = format::ieee_float(2, false);
  for (unsigned bits = 0; bits < 65536; ++bits) {
    Buffer element(2), back(2);
    store_word(element.data(), bits, 2);
    double value = 0;
    read_numbers(type, element, NumberKind::f64, &value, 1);
    if (std::isnan(value)) continue;
    write_numbers(type, back, NumberKind::f64, &value, 1);
    ASSERT_EQ(load_word(back.data(), 2), bits);
  }
}

TEST(Numbers, BitsWithinAnElementAreFound) {
  auto type = format::fixed_point(4, true, false);
  type.bit_offset = 3;
  type.precision = 5;
  EXPECT_EQ((through<int, int>(type, -16)), -16);
  EXPECT_EQ((through<int, int>(type, 15)), 15);
  EXPECT_EQ((through<int, int>(type, 100)), 15);
}

TEST(Numbers, OtherTypesAreRefused) {
  int value = 0;
  Buffer element(16);
  EXPECT_THROW(
      read_numbers(format::fixed_string(4, format::StringPadding::nul_padded, format::CharacterSet::ascii),
                   element, NumberKind::i32, &value, 1),
      Error);
  auto wide = format::fixed_point(8, true, false);
  wide.size = 16;
  EXPECT_THROW(read_numbers(wide, element, NumberKind::i32, &value, 1), Error);
}

TEST(Names, PathsSplitIntoTheirComponents) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_path("/a//./b/"), (Parts{"a", "b"}));
  EXPECT_EQ(split_path("../..."), (Parts{"..", "..."}));
  EXPECT_TRUE(split_path("").empty());
  EXPECT_TRUE(split_path("/./").empty());
}

TEST(Names, OnlyAsciiIsAscii) {
  EXPECT_EQ(charset_of("plain"), format::CharacterSet::ascii);
  EXPECT_EQ(charset_of("\xc3\xbc"), format::CharacterSet::utf8);
}

}  // namespace
}  // namespace filigree::model
