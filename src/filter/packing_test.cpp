// SPDX-License-Identifier: Apache-2.0
//
// Filters that pack bits: szip, n-bit, scale-offset. The stored bytes below come from HDF5 1.10.8.
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/builtin.hpp"
#include "filter/scale_offset_setup.hpp"
#include "filter/szip_setup.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_filter;
using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Params = std::vector<std::uint32_t>;
using Kind = TypeFacts::Kind;
using Order = TypeFacts::Order;

std::unique_ptr<const BoundFilter> bind(const Filter& filter, Params params) {
  return filter.bind(params, {});
}

/// 250, 253, 256 and so on.
Buffer numbers(std::size_t count, unsigned width, bool big_endian = false) {
  Buffer bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    store_word(bytes.data() + width * i, 250 + 3 * i, width);
    if (big_endian) std::reverse(bytes.data() + width * i, bytes.data() + width * (i + 1));
  }
  return bytes;
}

void expect_same(const Filter& filter, Params params, const Buffer& unfiltered, const char* stored_hex) {
  const Buffer stored = from_hex(stored_hex);
  const auto bound = bind(filter, std::move(params));
  expect_filter(*bound, unfiltered, stored);
  EXPECT_EQ(to_hex(bound->encode(unfiltered)), to_hex(stored));
}

void expect_corrupt(const Filter& filter, Params params) {
  try {
    bind(filter, std::move(params));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
  }
}

void expect_refused(const Filter& filter, Params requested, const ChunkFacts& chunk) {
  try {
    filter.prepare(requested, chunk);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
  }
}

TypeFacts integer(std::uint32_t bytes, std::uint32_t precision, std::uint32_t offset = 0,
                  Order order = Order::little, bool is_signed = true) {
  return {Kind::integer, bytes, order, precision, offset, is_signed};
}

TEST(Szip, MatchesTheReferenceOnDifferencesOfWords) {
  expect_same(szip_filter(), {169, 8, 32, 24}, numbers(24, 4),
              "60000000 df501f9b e3318c69 ffb6db6d 3ff6db6d 8402e080 010002");
}

TEST(Szip, MatchesTheReferenceOnEntropyCodingWithPaddedLines) {
  expect_same(szip_filter(), {141, 4, 32, 6}, numbers(24, 4),
              "60000000 ff5fa000 6d3c8452 675608e1 81524f0a 3d27ad00 cab09db3 97e7c003 a95caa95 caa95caa "
              "95c10410 41041040");
}

TEST(Szip, MatchesTheReferenceOnBigEndianHalfWords) {
  expect_same(szip_filter(), {177, 8, 16, 10}, numbers(60, 2, true),
              "78000000 300fa555 6aaa1020 7f301185 556aaa10 207f3013 65556aaa 10207f30 1545556a aa10207f "
              "30172555 6aaa1020 7f301905 556aaa10 207f");
}

TEST(Szip, MatchesTheReferenceOnTwelveBits) {
  expect_same(szip_filter(), {169, 8, 12, 24}, numbers(24, 2), "30000000 30fa5556 aaa35555 aaaa3555 5aaaa0");
}

TEST(Szip, DecodesRoughData) {
  for (const std::uint32_t mask : {133u, 161u}) {
    for (const std::uint32_t bits : {1u, 7u, 8u, 11u, 16u, 20u, 24u, 32u, 64u}) {
      const unsigned width = bits <= 8 ? 1 : bits <= 16 ? 2 : bits == 64 ? 8 : 4;
      Buffer unfiltered(width * 333);
      for (std::size_t i = 0; i < 333; ++i) {
        const std::uint64_t value = (i + 1) * 0x9E3779B97F4A7C15;
        store_word(unfiltered.data() + i * width,
                   bits == 64 ? value : value >> 20 & ((std::uint64_t{1} << bits) - 1), width);
      }
      for (const std::uint32_t line : {1u, 3u, 32u, 100u, 333u, 4096u}) {
        const auto filter = bind(szip_filter(), {mask | szip_least_first, 10, bits, line});
        EXPECT_EQ(filter->decode(filter->encode(unfiltered), unfiltered.size()), unfiltered)
            << mask << " " << bits << " " << line;
      }
    }
  }
}

TEST(Szip, ChecksParameters) {
  expect_corrupt(szip_filter(), {});
  expect_corrupt(szip_filter(), {169, 8, 32});
  for (const std::uint32_t block : {0u, 1u, 7u, 34u, 0xffffffffu})
    expect_corrupt(szip_filter(), {169, block, 32, 24});
  for (const std::uint32_t bits : {0u, 25u, 33u, 63u, 65u}) expect_corrupt(szip_filter(), {169, 8, bits, 24});
  for (const std::uint32_t line : {0u, 4097u, 0xffffffffu}) expect_corrupt(szip_filter(), {169, 8, 32, line});
}

TEST(Szip, BuildsParametersFromTypeAndShape) {
  const Params requested{szip_nearest | szip_chip | szip_most_first, 16};
  EXPECT_THAT(szip_filter().prepare(requested, {integer(4, 32), {10, 20}}), ElementsAre(169, 16, 32, 20));
  EXPECT_THAT(szip_filter().prepare(requested, {integer(2, 12, 0, Order::big), {10, 20}}),
              ElementsAre(177, 16, 12, 20));
  EXPECT_THAT(szip_filter().prepare(requested, {integer(2, 12, 4), {10, 20}}), ElementsAre(169, 16, 16, 20));
  EXPECT_THAT(szip_filter().prepare(requested, {integer(4, 25), {9999}}), ElementsAre(169, 16, 32, 2048));
  EXPECT_THAT(szip_filter().prepare(requested, {integer(8, 40), {10, 3}}), ElementsAre(169, 16, 64, 30));
  expect_refused(szip_filter(), requested, {integer(4, 32), {5, 3}});
  expect_refused(szip_filter(), requested, {integer(16, 128), {100}});
  expect_refused(szip_filter(), requested, {TypeFacts{Kind::other, 4}, {100}});
  expect_refused(szip_filter(), {szip_nearest, 7}, {integer(4, 32), {100}});
  expect_refused(szip_filter(), {szip_nearest | szip_entropy, 8}, {integer(4, 32), {100}});
  expect_refused(szip_filter(), {}, {integer(4, 32), {100}});
}

TEST(Nbit, MatchesTheReferenceOnSmallIntegers) {
  expect_same(nbit_filter(), {8, 0, 13, 1, 2, 0, 12, 0}, numbers(13, 2),
              "0fa0fd10 01031061 0910c10f 11211511 811b11e0");
}

TEST(Nbit, MatchesTheReferenceOnBigEndianWithOffset) {
  expect_same(nbit_filter(), {8, 0, 5, 1, 4, 1, 9, 5},
              from_hex("00000000 00000c80 00001900 00002580 00003200"), "00191912 cc80");
}

TEST(Nbit, MatchesTheReferenceOnCompoundWithTextAndArray) {
  const auto filter =
      bind(nbit_filter(), {23, 0, 2, 3, 18, 3, 0, 4, 3, 4, 1, 2, 0, 12, 2, 6, 2, 12, 1, 4, 1, 5, 20});
  const Buffer unfiltered =
      from_hex("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f 20212223");
  const Buffer kept =
      from_hex("00010200 04050000 00000000 00000000 00001213 14001417 00100000 00100000 00200000");
  const Buffer stored = from_hex("00010214 10000242 628b8a10 88");
  expect_filter(*filter, unfiltered, stored, kept);
  EXPECT_EQ(to_hex(filter->encode(unfiltered)), to_hex(stored));
}

TEST(Nbit, MatchesTheReferenceOnNumbersOfTwelveBytes) {
  const auto filter = bind(nbit_filter(), {8, 0, 2, 1, 12, 0, 70, 5});
  const Buffer unfiltered = from_hex("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617");
  const Buffer stored = from_hex("2100e0c0 a0806040 228a0989 08880787 0680");
  expect_filter(*filter, unfiltered, stored,
                from_hex("00010203 04050607 08010000 000d0e0f 10111213 14050000"));
  EXPECT_EQ(to_hex(filter->encode(unfiltered)), to_hex(stored));
}

TEST(Nbit, StoresDataUnpackedIfPackingGainsNothing) {
  expect_same(nbit_filter(), {8, 1, 4, 1, 4, 0, 32, 0}, from_hex("00112233 44556677"), "00112233 44556677");
  expect_same(nbit_filter(), {3, 1, 4}, from_hex("001122"), "001122");
}

TEST(Nbit, RejectsHostileParameters) {
  expect_corrupt(nbit_filter(), {});
  expect_corrupt(nbit_filter(), {9, 0, 13, 1, 2, 0, 12, 0});
  expect_corrupt(nbit_filter(), {7, 0, 13, 1, 2, 0, 12});
  expect_corrupt(nbit_filter(), {8, 0, 13, 1, 2, 0, 0, 0});
  expect_corrupt(nbit_filter(), {8, 0, 13, 1, 2, 0, 12, 5});
  expect_corrupt(nbit_filter(), {8, 0, 13, 1, 2, 2, 12, 0});
  expect_corrupt(nbit_filter(), {8, 0, 13, 1, 2, 0, 0xffffffff, 0xffffffff});
  expect_corrupt(nbit_filter(), {8, 0, 13, 5, 2, 0, 12, 0});
  expect_corrupt(nbit_filter(), {5, 0, 13, 4, 0});
  expect_corrupt(nbit_filter(), {9, 0, 1, 3, 4, 1, 1, 4, 4});            // a member that exceeds its compound
  expect_corrupt(nbit_filter(), {12, 0, 1, 3, 4, 2, 0, 4, 4, 0, 4, 4});  // overlapping members
  expect_corrupt(nbit_filter(), {8, 0, 1, 3, 0xffffffff, 0xffffffff, 0, 4});
  Params deep{0, 0, 1};
  for (int i = 0; i < 10000; ++i) deep.insert(deep.end(), {2, 4});
  deep.insert(deep.end(), {4, 4});
  deep[0] = static_cast<std::uint32_t>(deep.size());
  expect_corrupt(nbit_filter(), deep);
}

TEST(Nbit, LimitsDeclaredElementsByTheChunk) {
  EXPECT_THROW(bind(nbit_filter(), {8, 0, 0xffffffff, 1, 0xffffffff, 0, 1, 0})->decode(Buffer(100), 100),
               Error);
  EXPECT_THROW(bind(nbit_filter(), {8, 0, 0xffffffff, 1, 0xffffffff, 0, 1, 0})->decode(Buffer(100), SIZE_MAX),
               Error);
  EXPECT_THROW(bind(nbit_filter(), {8, 0, 13, 1, 2, 0, 12, 0})->encode(Buffer(24)), Error);
}

TEST(Nbit, BuildsParametersThatDescribeTheType) {
  TypeFacts member = integer(4, 5, 20, Order::big);
  member.at = 4;
  const TypeFacts text{Kind::other, 3};
  const TypeFacts compound{.kind = Kind::compound, .bytes = 8, .parts = {text, member}};
  const TypeFacts array{.kind = Kind::array, .bytes = 24, .parts = {compound}};
  EXPECT_THAT(nbit_filter().prepare({}, {integer(2, 12, 1), {3, 5}}), ElementsAre(8, 0, 15, 1, 2, 0, 12, 1));
  EXPECT_THAT(nbit_filter().prepare({}, {integer(4, 32), {64}}), ElementsAre(8, 1, 64, 1, 4, 0, 32, 0));
  EXPECT_THAT(nbit_filter().prepare({}, {text, {7}}), ElementsAre(3, 1, 7));
  EXPECT_THAT(nbit_filter().prepare({}, {array, {7}}),
              ElementsAre(17, 0, 7, 2, 24, 3, 8, 2, 0, 4, 3, 4, 1, 4, 1, 5, 20));
  expect_refused(nbit_filter(), {}, {integer(2, 12, 0, Order::none), {3}});
}

TEST(Nbit, DoesNotPackCompoundsThatTheReferenceGarbles) {
  TypeFacts small = integer(2, 12);
  const TypeFacts pair{.kind = Kind::compound, .bytes = 2, .parts = {small}};
  TypeFacts array{.kind = Kind::array, .bytes = 6, .parts = {pair}};
  small.at = 6;
  const TypeFacts array_first{.kind = Kind::compound, .bytes = 8, .parts = {array, small}};
  Params params = nbit_filter().prepare({}, {array_first, {4}});
  EXPECT_EQ(params[1], 1u);
  params[1] = 0;  // as HDF5 stores it: nothing can be written, and here not even read
  EXPECT_THROW(bind(nbit_filter(), params)->encode(Buffer(32)), Error);
  EXPECT_THROW(bind(nbit_filter(), params)->decode(Buffer(32), 32), Error);
  array.at = 2;
  small.at = 0;
  const TypeFacts array_last{.kind = Kind::compound, .bytes = 8, .parts = {small, array}};
  EXPECT_EQ(nbit_filter().prepare({}, {array_last, {4}})[1], 0u);
}

Params scale_params(Params first) {
  first.resize(20);
  return first;
}

TEST(ScaleOffset, MatchesTheReferenceOnIntegers) {
  expect_same(
      scale_offset_filter(), scale_params({2, 0, 24, 0, 4, 1, 0, 1}), numbers(24, 4),
      "07000000 08fa0000 00000000 00000000 00000000 00000c30 9183c915 306cf214 89d52d60 cdb3978f e14500");
}

TEST(ScaleOffset, MatchesTheReferenceOnFillValuesInBigEndian) {
  expect_same(scale_offset_filter(), scale_params({2, 0, 6, 0, 2, 1, 1, 1, 9}),
              from_hex("0005 fffd 0009 0064 0009 0000"),
              "07000000 08fdffff ffffffff ff000000 00000000 001003fe 7fe0c0");
}

TEST(ScaleOffset, MatchesTheReferenceIfAllValuesAreEqual) {
  expect_same(scale_offset_filter(), scale_params({2, 0, 5, 0, 4, 1, 0, 0}),
              from_hex("2a000000 2a000000 2a000000 2a000000 2a000000"),
              "00000000 082a0000 00000000 00000000 00000000 0000");
}

TEST(ScaleOffset, MatchesTheReferenceIfAllBitsAreNeeded) {
  expect_same(scale_offset_filter(), scale_params({2, 0, 4, 0, 1, 1, 0, 1}), from_hex("807f0005"),
              "08000000 08000000 00000000 00000000 00000000 00807f00 05");
}

TEST(ScaleOffset, MatchesTheReferenceWithGivenBits) {
  expect_same(scale_offset_filter(), scale_params({2, 3, 5, 0, 2, 0, 0, 0}),
              from_hex("0a00 0b00 0c00 0d00 0e00"), "03000000 080a0000 00000000 00000000 00000000 000538");
}

TEST(ScaleOffset, MatchesTheReferenceOnFloats) {
  const auto filter = bind(scale_offset_filter(), scale_params({0, 2, 5, 1, 4, 0, 0, 1, 1120402145}));
  const Buffer unfiltered = from_hex("0000a03f 000060c0 00000000 e1fac742 b6f32d40");
  const Buffer stored = from_hex("0a000000 08000060 c0000000 00000000 00000000 0076c005 7bff9b80");
  expect_filter(*filter, unfiltered, stored, from_hex("0000a03f 000060c0 00000000 e1fac742 7a142e40"));
  EXPECT_EQ(to_hex(filter->encode(unfiltered)), to_hex(stored));
}

// HDF5 sets the sign for integers only, and stores whatever is in its memory for others.
TEST(ScaleOffset, IgnoresTheSignOfFloats) {
  const auto filter = bind(scale_offset_filter(), scale_params({0, 2, 5, 1, 4, 0x7ffd3, 0, 1, 1120402145}));
  const Buffer stored = from_hex("0a000000 08000060 c0000000 00000000 00000000 0076c005 7bff9b80");
  EXPECT_EQ(to_hex(filter->decode(stored, 20)), "0000a03f 000060c0 00000000 e1fac742 7a142e40");
}

TEST(ScaleOffset, MatchesTheReferenceOnDoublesInBigEndian) {
  const auto filter = bind(scale_offset_filter(), scale_params({0, 3, 3, 1, 8, 0, 1, 1}));
  const Buffer unfiltered = from_hex("3ff3c083126e978d c00c000000000000 401c000000000000");
  const Buffer stored = from_hex("0e000000 08000000 0000000c c0000000 00000000 0049fc00 0a4100");
  expect_filter(*filter, unfiltered, stored, from_hex("3ff3c28f5c28f5c4 c00c000000000000 401c000000000000"));
  EXPECT_EQ(to_hex(filter->encode(unfiltered)), to_hex(stored));
}

TEST(ScaleOffset, DecodesNotANumber) {
  const Buffer unfiltered = from_hex("0000a03f 0000c07f 0000807f");
  const auto filter = bind(scale_offset_filter(), scale_params({0, 2, 3, 1, 4, 0, 0, 0}));
  EXPECT_EQ(to_hex(filter->decode(filter->encode(unfiltered), 12)), to_hex(unfiltered));
}

TEST(ScaleOffset, StoresIntegersOfFullWidthUnpacked) {
  expect_same(scale_offset_filter(), scale_params({2, 16, 2, 0, 2, 0, 0, 0}), from_hex("0a000b00"),
              "0a000b00");
}

TEST(ScaleOffset, ChecksParameters) {
  const Params good = scale_params({2, 0, 24, 0, 4, 1, 0, 1});
  expect_corrupt(scale_offset_filter(), {});
  expect_corrupt(scale_offset_filter(), Params(good.begin(), good.begin() + 7));
  expect_corrupt(scale_offset_filter(), Params(good.begin(), good.begin() + 8));
  const auto with = [&](std::size_t which, std::uint32_t value) {
    Params params = good;
    params[which] = value;
    return params;
  };
  expect_corrupt(scale_offset_filter(), with(0, 0));
  expect_corrupt(scale_offset_filter(), with(0, 1));
  expect_corrupt(scale_offset_filter(), with(3, 1));
  expect_corrupt(scale_offset_filter(), with(3, 2));
  for (const std::uint32_t size : {0u, 3u, 16u}) expect_corrupt(scale_offset_filter(), with(4, size));
  for (const std::size_t flag : {5, 6, 7}) expect_corrupt(scale_offset_filter(), with(flag, 2));
  EXPECT_THROW(bind(scale_offset_filter(), with(1, 33))->encode(Buffer(96)), Error);
  EXPECT_THROW(bind(scale_offset_filter(), with(1, 0xffffffff))->encode(Buffer(96)), Error);
  EXPECT_THROW(bind(scale_offset_filter(), good)->encode(Buffer(95)), Error);
  EXPECT_THROW(bind(scale_offset_filter(), with(2, 0xffffffff))->decode(Buffer(21), 96), Error);
}

TEST(ScaleOffset, BuildsParametersWithTheFillValueInAnyByteOrder) {
  const ChunkFacts big{integer(2, 16, 0, Order::big), {3, 4}, from_hex("fffe")};
  EXPECT_EQ(scale_offset_filter().prepare(Params{2, 0}, big),
            scale_params({2, 0, 12, 0, 2, 1, 1, 1, 0xfffe}));
  const TypeFacts wide{Kind::floating, 8, Order::little, 64};
  EXPECT_EQ(scale_offset_filter().prepare(Params{0, 3}, {wide, {5}, from_hex("0102030405060708")}),
            scale_params({0, 3, 5, 1, 8, 0, 0, 1, 0x04030201, 0x08070605}));
  EXPECT_EQ(scale_offset_filter().prepare(Params{0, 3}, {wide, {5}}), scale_params({0, 3, 5, 1, 8, 0, 0, 0}));
  // As in HDF5, a kind for other numbers is an error only when a chunk is filtered.
  const Params unfit = scale_offset_filter().prepare(Params{2, 0}, {wide, {5}});
  EXPECT_EQ(unfit, scale_params({2, 0, 5, 1, 8, 0, 0, 0}));
  expect_corrupt(scale_offset_filter(), unfit);
  expect_refused(scale_offset_filter(), {2, 33}, {integer(4, 32), {5}});
  expect_refused(scale_offset_filter(), {2, 0}, {TypeFacts{Kind::other, 4}, {5}});
  expect_refused(scale_offset_filter(), {2}, {integer(4, 32), {5}});
}

}  // namespace
}  // namespace filigree::filter
