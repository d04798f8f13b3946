// SPDX-License-Identifier: Apache-2.0
//
// Expected bytes come from H5Tconvert of HDF5 unless a test says otherwise.
#include "type/numbers.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::type {
namespace {

using format::ByteOrder;
using format::fixed_point;
using format::ieee_float;
using format::Normalisation;
using format::TypeClass;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Codes = std::vector<int>;

DatatypeMessage bfloat16() {
  DatatypeMessage type = ieee_float(2);
  type.floating = {15, 7, 8, 0, 7, 127, Normalisation::msb_implied};
  return type;
}

DatatypeMessage long_double() {
  DatatypeMessage type = ieee_float(8);
  type.size = 16;
  type.precision = 80;
  type.floating = {79, 64, 15, 0, 64, 16383, Normalisation::none};
  return type;
}

DatatypeMessage bitfield(std::uint32_t bytes) {
  DatatypeMessage type = fixed_point(bytes, false);
  type.type_class = TypeClass::bitfield;
  return type;
}

DatatypeMessage with_bits(DatatypeMessage type, std::uint16_t precision, std::uint16_t bit_offset = 0) {
  type.precision = precision;
  type.bit_offset = bit_offset;
  return type;
}

DatatypeMessage ordered(DatatypeMessage type, ByteOrder order) {
  type.order = order;
  return type;
}

struct Run {
  std::string bytes;  ///< of the result, in hexadecimal
  Codes faults;
};

/// Converts `value`, two copies of it apart from each other, and checks that both come out the same.
template <class T>
Run convert(const DatatypeMessage& from, const DatatypeMessage& to, const T& value,
            const FaultHandler* handler = nullptr) {
  const auto conversion = prepare_number(from, to);
  std::vector<std::byte> in(2 * from.size + 3);
  std::vector<std::byte> out(2 * to.size + 3, std::byte{0xab});
  std::memcpy(in.data(), &value, std::min<std::size_t>(sizeof value, from.size));
  std::memcpy(in.data() + from.size + 3, in.data(), from.size);
  Context context;
  context.on_fault = handler;
  conversion->apply({in.data(), from.size + 3, out.data(), to.size + 3, 2}, context);
  EXPECT_EQ(std::memcmp(out.data(), out.data() + to.size + 3, to.size), 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out[to.size + i], std::byte{0xab});
  if (handler == nullptr) {
    std::vector<std::byte> close(to.size);
    conversion->apply({in.data(), from.size, close.data(), to.size, 1}, context);
    EXPECT_EQ(std::memcmp(out.data(), close.data(), to.size), 0);
  }
  if (handler == nullptr && conversion->traits().in_place) {
    conversion->apply({in.data(), from.size, in.data(), to.size, 1}, context);
    EXPECT_EQ(std::memcmp(out.data(), in.data(), to.size), 0);
  }
  Run run;
  for (std::size_t i = 0; i < to.size; ++i) {
    const auto byte = std::to_integer<unsigned>(out[i]);
    run.bytes += "0123456789abcdef"[byte >> 4];
    run.bytes += "0123456789abcdef"[byte & 15];
  }
  return run;
}

template <class T>
std::string bytes_of(const DatatypeMessage& from, const DatatypeMessage& to, const T& value) {
  return convert(from, to, value).bytes;
}

/// The faults of one value, left to the conversion.
template <class T>
Codes faults_of(const DatatypeMessage& from, const DatatypeMessage& to, const T& value) {
  Codes codes;
  const FaultHandler handler = [&](const FaultyValue& faulty) {
    codes.push_back(static_cast<int>(faulty.fault));
    EXPECT_EQ(std::memcmp(faulty.value, &value, std::min<std::size_t>(sizeof value, from.size)), 0);
    EXPECT_TRUE(format::same_type(faulty.from, from) && format::same_type(faulty.to, to));
    return FaultHandling::unhandled;
  };
  convert(from, to, value, &handler);
  EXPECT_EQ(codes.size() % 2, 0u);  // two copies
  codes.resize(codes.size() / 2);
  return codes;
}

const auto i8 = fixed_point(1, true);
const auto u8 = fixed_point(1, false);
const auto i16 = fixed_point(2, true);
const auto i32 = fixed_point(4, true);
const auto u32 = fixed_point(4, false);
const auto i64 = fixed_point(8, true);
const auto u64 = fixed_point(8, false);
const auto f16 = ieee_float(2);
const auto f32 = ieee_float(4);
const auto f64 = ieee_float(8);
const auto i16be = fixed_point(2, true, true);
const auto i32be = fixed_point(4, true, true);
const auto u32be = fixed_point(4, false, true);
const auto f32be = ieee_float(4, true);
const auto f64be = ieee_float(8, true);
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(NumberConversion, CopiesIdenticalTypes) {
  const auto conversion = prepare_number(i32be, i32be);
  EXPECT_TRUE(conversion->traits().copies);
  EXPECT_EQ(bytes_of(i32be, i32be, 0x04030201), "01020304");
  EXPECT_FALSE(prepare_number(i32, i32be)->traits().copies);
}

TEST(NumberConversion, RejectsBitfieldsAsNumbers) {
  EXPECT_EQ(prepare_number(bitfield(4), i32), nullptr);
  EXPECT_EQ(prepare_number(f32, bitfield(4)), nullptr);
}

TEST(NumberConversion, SwapsBytesOfEveryWidth) {
  EXPECT_EQ(bytes_of(i16be, i16, std::uint16_t{0x0201}), "0201");
  EXPECT_EQ(bytes_of(i32be, i32, 0x04030201), "04030201");
  EXPECT_EQ(bytes_of(f64, f64be, 1.0), "3ff0000000000000");
  EXPECT_EQ(bytes_of(fixed_point(3, true), fixed_point(3, true, true), 0x030201), "030201");
  EXPECT_EQ(bytes_of(fixed_point(8, false, true), u64, 0x0807060504030201), "0807060504030201");
}

TEST(NumberConversion, WorksInPlaceOnAnyNumberOfElements) {
  std::vector<DatatypeMessage> types;
  for (const std::uint32_t bytes : {1, 2, 4, 8, 16}) {
    for (const bool big : {false, true}) {
      types.push_back(fixed_point(bytes, true, big));
      types.push_back(fixed_point(bytes, false, big));
      if (bytes == 4 || bytes == 8) types.push_back(ieee_float(bytes, big));
    }
  }
  constexpr std::size_t count = 5003;
  int pairs = 0;
  for (const DatatypeMessage& from : types) {
    for (const DatatypeMessage& to : types) {
      const auto conversion = prepare_number(from, to);
      if (!conversion->traits().in_place) continue;
      ASSERT_EQ(from.size, to.size);
      std::vector<std::byte> elements(count * from.size);
      for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::byte>(i * i / 7);
      std::vector<std::byte> apart(elements.size());
      conversion->apply({elements.data(), from.size, apart.data(), to.size, count}, {});
      conversion->apply({elements.data(), from.size, elements.data(), to.size, count}, {});
      EXPECT_EQ(elements, apart) << format::describe_type(from) << " to " << format::describe_type(to);
      ++pairs;
    }
  }
  EXPECT_GE(pairs, 40);
}

TEST(NumberConversion, SwapsIntegersOfTheSameSizeWithoutLookingAtTheSign) {
  EXPECT_EQ(bytes_of(i32be, u32, -1), "ffffffff");
  EXPECT_THAT(faults_of(i32be, u32, -1), IsEmpty());
  EXPECT_EQ(bytes_of(with_bits(i32be, 12), i32, 0x0000ffff), "0000ffff");
}

TEST(NumberConversion, ClipsNativeIntegers) {
  EXPECT_EQ(bytes_of(i32, i8, 300), "7f");
  EXPECT_EQ(bytes_of(i32, i8, -300), "80");
  EXPECT_EQ(bytes_of(i32, u8, -1), "00");
  EXPECT_EQ(bytes_of(u64, i64, ~std::uint64_t{0}), "ffffffffffffff7f");
  EXPECT_EQ(bytes_of(i8, u32, std::int8_t{-1}), "00000000");
  EXPECT_EQ(bytes_of(i8, i64, std::int8_t{-2}), "feffffffffffffff");
  EXPECT_THAT(faults_of(i32, i8, 300), ElementsAre(0));
  EXPECT_THAT(faults_of(i32, u8, -1), ElementsAre(1));
  EXPECT_THAT(faults_of(i32, u8, 255), IsEmpty());
}

TEST(NumberConversion, ClipsAndTruncatesNativeFloats) {
  EXPECT_EQ(bytes_of(f64, i32, 2147483647.5), "ffffff7f");
  EXPECT_EQ(bytes_of(f64, i32, -1e300), "00000080");
  EXPECT_EQ(bytes_of(f64, u8, -0.5), "00");
  EXPECT_EQ(bytes_of(f64, i16, -3.9), "fdff");
  EXPECT_THAT(faults_of(f64, i16, -3.9), ElementsAre(3));
  EXPECT_THAT(faults_of(f64, u8, -0.5), ElementsAre(1));
  EXPECT_THAT(faults_of(f32, i8, infinity), ElementsAre(0));
}

TEST(NumberConversion, TreatsNativeNansAsTheProcessorDoes) {
  EXPECT_EQ(bytes_of(f32, i8, nan), "00");
  EXPECT_EQ(bytes_of(f32, i16, nan), "0000");
  EXPECT_EQ(bytes_of(long_double(), i16, static_cast<long double>(nan)), "0080");
  EXPECT_EQ(bytes_of(f32, i32, nan), "00000080");
  EXPECT_EQ(bytes_of(f32, u32, nan), "00000000");
  EXPECT_EQ(bytes_of(f32, u64, nan), "0000000000000080");
  EXPECT_THAT(faults_of(f32, i32, nan), ElementsAre(3));
}

TEST(NumberConversion, WrapsTheFirstNativeFloatThatDoesNotFitUnlessAHandlerIsSet) {
  EXPECT_EQ(bytes_of(f32, i32, 2147483648.0f), "00000080");
  EXPECT_EQ(bytes_of(f32, u32, 4294967296.0f), "00000000");
  EXPECT_EQ(bytes_of(f64, u64, 18446744073709551616.0), "0000000000000000");
  EXPECT_EQ(bytes_of(f32, i32, 2147483904.0f), "ffffff7f");
  const FaultHandler handler = [](const FaultyValue&) { return FaultHandling::unhandled; };
  EXPECT_EQ(convert(f32, i32, 2147483648.0f, &handler).bytes, "ffffff7f");
}

TEST(NumberConversion, ReportsIntegersThatNativeFloatsCannotHold) {
  EXPECT_EQ(bytes_of(i32, f32, (1 << 24) + 1), "0000804b");
  EXPECT_THAT(faults_of(i32, f32, (1 << 24) + 1), ElementsAre(2));
  EXPECT_THAT(faults_of(i32, f32, 1 << 24), IsEmpty());
  // Bits are counted in two's complement, so that exact small numbers count as inexact.
  EXPECT_THAT(faults_of(i32, f32, -1), ElementsAre(2));
}

TEST(NumberConversion, OverflowsNativeFloatsToInfinity) {
  constexpr double just_above = std::numeric_limits<float>::max() * (1 + 1e-10);
  EXPECT_EQ(bytes_of(f64, f32, just_above), "0000807f");
  EXPECT_EQ(bytes_of(f64, f32, -1e300), "000080ff");
  EXPECT_THAT(faults_of(f64, f32, just_above), ElementsAre(0));
  EXPECT_THAT(faults_of(f64, f32, -1e300), ElementsAre(1));
  EXPECT_EQ(bytes_of(f64, f32, static_cast<double>(nan)), "0000c07f");
}

TEST(NumberConversion, PadsLongDoublesWithZeros) {
  EXPECT_EQ(bytes_of(f64, long_double(), 1.5), "00000000000000c0ff3f000000000000");
  EXPECT_EQ(bytes_of(u64, long_double(), ~std::uint64_t{0}), "ffffffffffffffff3e40000000000000");
  EXPECT_EQ(bytes_of(long_double(), f64be, 1.5L), "3ff8000000000000");
}

TEST(NumberConversion, ConvertsReorderedNumbersByTheSoftwareRules) {
  EXPECT_EQ(bytes_of(f32, i32be, nan), "00000000");
  EXPECT_THAT(faults_of(f32, i32be, nan), ElementsAre(6));
  EXPECT_EQ(bytes_of(f32, i32be, 2147483648.0f), "7fffffff");
  EXPECT_EQ(bytes_of(f32, i16be, -40000.5f), "8000");
  EXPECT_THAT(faults_of(f32, i16be, infinity), ElementsAre(4));
  EXPECT_THAT(faults_of(f32, i16be, -infinity), ElementsAre(5));
  EXPECT_THAT(faults_of(f32, u32be, -0.5f), IsEmpty());
  EXPECT_EQ(bytes_of(i32, f32be, (1 << 24) + 3), "4b800002");
  EXPECT_EQ(bytes_of(i32, f32be, -1), "bf800000");
  EXPECT_THAT(faults_of(i32, f32be, -1), IsEmpty());
  EXPECT_EQ(bytes_of(f32, f64be, nan), "7fffffffffffffff");
}

TEST(NumberConversion, RoundsHalvesAwayFromZeroBetweenReorderedFloats) {
  EXPECT_EQ(bytes_of(f64, f32be, 1 + 0x1p-24), "3f800001");
  EXPECT_EQ(bytes_of(f64, f32be, 0x1p-150), "00000001");
  EXPECT_EQ(bytes_of(f64, f32be, 0x1p-151), "00000000");
  EXPECT_EQ(bytes_of(f64, f32be, -1e300), "ff800000");
  EXPECT_THAT(faults_of(f64, f32be, -1e300), ElementsAre(0));
  EXPECT_THAT(faults_of(f64, f32be, -static_cast<double>(infinity)), ElementsAre(5));
}

TEST(NumberConversion, CarriesRoundingIntoTheExponent) {
  // HDF5 loses the carry and returns half of the value.
  EXPECT_EQ(bytes_of(f64, f32be, 0x1.ffffffffffffp-9), "3b800000");
  EXPECT_EQ(bytes_of(f64, f32be, 1.9 * 0x1p-149), "00000002");
  EXPECT_EQ(bytes_of(f64, f32be, 0x0.fffffffp-126), "00800000");
  // But not to infinity.
  EXPECT_EQ(bytes_of(f64, f32be, 0x1.ffffffffp127), "7f7fffff");
}

TEST(NumberConversion, KnowsHalvesAndBrainFloats) {
  EXPECT_EQ(bytes_of(f16, f32, std::uint16_t{0x3c00}), "0000803f");
  EXPECT_EQ(bytes_of(f16, f32, std::uint16_t{0x0001}), "00008033");
  EXPECT_EQ(bytes_of(f16, f64, std::uint16_t{0xfc00}), "000000000000f0ff");
  EXPECT_EQ(bytes_of(f32, f16, 65504.0f), "ff7b");
  EXPECT_EQ(bytes_of(f32, f16, 1e6f), "007c");
  EXPECT_EQ(bytes_of(f32, bfloat16(), 1.5f), "c03f");
  EXPECT_EQ(bytes_of(bfloat16(), f64, std::uint16_t{0xc040}), "00000000000008c0");
  EXPECT_EQ(bytes_of(f16, i32, std::uint16_t{0xc500}), "fbffffff");
  EXPECT_EQ(bytes_of(f16, i64, std::uint16_t{0xc7c6}), "f9ffffffffffffff");  // HDF5: f9ffffffff000080
}

TEST(NumberConversion, ClipsToThePrecisionAndSetsPadding) {
  EXPECT_EQ(bytes_of(i32, with_bits(i16, 12), 3000), "ff07");
  EXPECT_EQ(bytes_of(i32, with_bits(i16, 12), -3000), "0008");
  auto padded = with_bits(i16, 8, 4);
  padded.low_padding = padded.high_padding = true;
  EXPECT_EQ(bytes_of(i32, padded, -1), "ffff");
  EXPECT_EQ(bytes_of(i32, padded, 0), "0ff0");
  EXPECT_EQ(bytes_of(with_bits(i16, 12, 4), i32, std::uint16_t{0xfff5}), "ffffffff");
  EXPECT_EQ(bytes_of(i32, with_bits(fixed_point(32, true), 256), -2), "fe" + std::string(62, 'f'));
}

TEST(NumberConversion, KeepsLowBitsOfBitfields) {
  EXPECT_EQ(bytes_of(bitfield(2), bitfield(4), std::uint16_t{0xfffe}), "feff0000");
  EXPECT_EQ(bytes_of(bitfield(4), bitfield(2), 0x00030002), "0200");
  EXPECT_THAT(faults_of(bitfield(4), bitfield(2), 2), ElementsAre(0));
  EXPECT_EQ(bytes_of(bitfield(4), ordered(bitfield(4), ByteOrder::big), 0x04030201), "04030201");
}

TEST(NumberConversion, ReadsAndWritesVaxOrder) {
  auto vax = ordered(f32, ByteOrder::vax);
  EXPECT_EQ(bytes_of(f32, vax, 1.0f), "803f0000");
  EXPECT_EQ(bytes_of(vax, f64, 0x00003f80), "000000000000f03f");
  vax.size = 5;
  EXPECT_THROW(prepare_number(vax, f64), Error);
}

TEST(NumberConversion, SetsInternalPadding) {
  // HDF5 leaves those bits undefined.
  auto gappy = ieee_float(4);
  gappy.floating = {31, 24, 7, 0, 20, 63, Normalisation::msb_implied};
  gappy.internal_padding = true;
  EXPECT_EQ(bytes_of(f32, gappy, 1.0f), "0000f03f");
}

TEST(NumberConversion, LetsTheHandlerWriteTheResult) {
  const FaultHandler handler = [](const FaultyValue& faulty) {
    std::memset(faulty.result, 0x5a, faulty.to.size);
    return FaultHandling::handled;
  };
  EXPECT_EQ(convert(i32, i8, 300, &handler).bytes, "5a");
  EXPECT_EQ(convert(i32, i8, 100, &handler).bytes, "64");
  EXPECT_EQ(convert(f32, i32be, nan, &handler).bytes, "5a5a5a5a");
  EXPECT_EQ(convert(f64, f32be, 1e300, &handler).bytes, "5a5a5a5a");
  EXPECT_EQ(convert(i32, with_bits(i16, 7), 300, &handler).bytes, "5a00");
}

TEST(NumberConversion, ThrowsWhenTheHandlerAborts) {
  const FaultHandler handler = [](const FaultyValue&) { return FaultHandling::abort; };
  for (const auto& to : {i8, with_bits(i16, 7)}) {
    try {
      convert(i32, to, 300, &handler);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::conversion);
    }
  }
}

TEST(NumberConversion, ConvertsFloatsWiderThanAnyWord) {
  DatatypeMessage quad = ieee_float(8);
  quad.size = 16;
  quad.precision = 128;
  quad.floating = {127, 112, 15, 0, 112, 16383, Normalisation::msb_implied};
  EXPECT_EQ(bytes_of(f64, quad, 1.5), "0000000000000000000000000080ff3f");
  EXPECT_EQ(bytes_of(i64, quad, std::int64_t{-3}), "000000000000000000000000008000c0");
}

TEST(NumberConversion, SurvivesOddLayouts) {
  DatatypeMessage odd = ieee_float(4);
  odd.size = 64;
  odd.precision = 512;
  odd.floating = {0, 1, 62, 200, 255, 0xffffffff, Normalisation::none};
  for (const auto& other : {i8, u64, f16, f64, long_double()}) {
    bytes_of(odd, other, 0x123456789abcdef);
    bytes_of(other, odd, 0x123456789abcdef);
  }
  odd.floating.exponent_bits = 63;
  EXPECT_THROW(prepare_number(odd, f64), Error);
  EXPECT_EQ(bytes_of(with_bits(i8, 1), i8, std::int8_t{1}), "ff");
  EXPECT_EQ(bytes_of(i32, with_bits(u8, 1), 2), "01");
}

TEST(NumberConversion, RejectsNumbersLargerThanTheirBitsCanReach) {
  // 8 times the first of them is 0 in 32 bits.
  for (const std::uint32_t bytes : {0x20000000u, 0x20000001u, 0xffffffffu, 70000u}) {
    for (DatatypeMessage type : {with_bits(i8, 8), with_bits(bitfield(1), 8), f32}) {
      type.size = bytes;
      const DatatypeMessage other = type.type_class == TypeClass::bitfield ? bitfield(2) : i16;
      EXPECT_THROW(prepare_number(type, other), Error);
      EXPECT_THROW(prepare_number(other, type), Error);
    }
  }
  DatatypeMessage wide = with_bits(i8, 65535, 65535);
  wide.size = 16384;
  EXPECT_EQ(bytes_of(wide, i8, 0), "00");
}

}  // namespace
}  // namespace filigree::type
