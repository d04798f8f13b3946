// SPDX-License-Identifier: Apache-2.0
//
// The vectors of the specification are checked by tests/oracle/packed_values_test.py, with a decoder that was
// written from it.
#include "filter/packed_values/packed_values.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/workspace.hpp"
#include "filter/builtin.hpp"
#include "filter/packed_values/bit_pack.hpp"
#include "filter/packed_values/prefix_code.hpp"
#include "filter/packed_values/value_codes.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_damage_is_survived;
using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using Words = std::vector<std::uint64_t>;

std::unique_ptr<const BoundFilter> packer(std::uint32_t bytes, std::uint32_t flags = 0) {
  return packed_values_filter().bind(std::vector<std::uint32_t>{bytes, flags}, {bytes, 0});
}

Buffer bytes_of(const Words& words, unsigned width) {
  Buffer bytes(words.size() * width);
  for (std::size_t i = 0; i < words.size(); ++i) store_word(bytes.data() + i * width, words[i], width);
  return bytes;
}

template <class T>
Buffer bytes_of(const std::vector<T>& values) {
  const auto* from = reinterpret_cast<const std::byte*>(values.data());
  return {from, from + values.size() * sizeof(T)};
}

/// Values that a function of a random number and the index determines.
Words values(std::size_t count, const std::function<std::uint64_t(std::uint64_t, std::size_t)>& of) {
  std::mt19937_64 random(count);
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = of(random(), i);
  return words;
}

/// Mostly 1, seldom large.
std::uint64_t count_of(std::uint64_t random) {
  std::uint64_t count = 1;
  for (; random % 16 < 4 && count < 12; random /= 16) ++count;
  return random % 509 == 0 ? random % 60000 : count;
}

/// Values that each form stores best.
struct Sample {
  ValueForm form;
  Words words;
};
std::vector<Sample> samples(std::size_t count) {
  return {
      {ValueForm::equal, Words(count, 77)},
      {ValueForm::packed, values(count, [](auto random, auto) { return 1000 + random % 4000; })},
      {ValueForm::packed,
       values(count, [](auto random, auto i) { return i % 97 == 3 ? 60000 : random % 3000; })},
      {ValueForm::table, values(count, [](auto random, auto) { return random % 8 * 7001; })},
      {ValueForm::runs, values(count, [](auto, auto i) { return i / 40 * 40503 % 65536; })},
      {ValueForm::groups, values(count, [](auto random, auto) { return count_of(random); })},
      {ValueForm::groups, values(count, [](auto random, auto) { return random % 40 == 0 ? 9 : 5; })},
      {ValueForm::groups,
       values(count, [](auto random,
                        auto) { return static_cast<std::uint64_t>(std::popcount(random & 0xffffffffff)); })},
  };
}

TEST(PackedValues, RestoresEveryFormAtEverySize) {
  for (const unsigned width : {2u, 4u, 8u}) {
    for (const Sample& sample : samples(3000)) {
      const Buffer unpacked = bytes_of(sample.words, width), stored = pack_values(unpacked, {width});
      EXPECT_EQ(stored[0], static_cast<std::byte>(sample.form)) << width;
      EXPECT_LT(stored.size(), unpacked.size());
      const auto bound = packer(width);
      EXPECT_TRUE(bound->decode(stored, unpacked.size()) == unpacked) << width;
      EXPECT_THROW(bound->decode(stored, unpacked.size() - 1), Error);
    }
  }
}

TEST(PackedValues, SurvivesDamageOfEveryForm) {
  for (const Sample& sample : samples(400)) {
    SCOPED_TRACE(static_cast<unsigned>(sample.form));
    for (const unsigned width : {2u, 4u, 8u}) {
      Buffer unpacked = bytes_of(sample.words, width);
      unpacked.push_back(std::byte{9});  // an incomplete number
      expect_damage_is_survived(*packer(width), pack_values(unpacked, {width}), unpacked.size());
    }
  }
}

TEST(PackedValues, SurvivesDamageOfSegments) {
  const Words words = values(2500, [](auto random, auto) { return count_of(random); });
  const Buffer unpacked = bytes_of(words, 2);
  expect_damage_is_survived(*packer(2), pack_values(unpacked, {2}), unpacked.size());
}

TEST(PackedValues, RejectsEveryTruncation) {
  for (const Sample& sample : samples(400)) {
    const Buffer unpacked = bytes_of(sample.words, 4), stored = pack_values(unpacked, {4});
    for (std::size_t kept = 0; kept < stored.size(); ++kept)
      EXPECT_THROW(packer(4)->decode(Buffer(stored.begin(), stored.begin() + kept), unpacked.size()), Error)
          << static_cast<unsigned>(sample.form) << " " << kept;
  }
}

TEST(PackedValues, RefusesUnknownForms) {
  for (const char* stored : {"06 04 01000000", "7f 04 01000000", "80 04 01000000", "81 04 01000000"})
    EXPECT_THROW(packer(4)->decode(from_hex(stored), 4), Error) << stored;
}

TEST(PackedValues, RefusesInvalidParameters) {
  using Params = std::vector<std::uint32_t>;
  for (const Params& params :
       {Params{}, Params{4}, Params{3, 0}, Params{16, 0}, Params{0, 0}, Params{4, 4}, Params{4, 0, 0}})
    EXPECT_THROW(packed_values_filter().bind(params, {4, 1}), Error);
}

TEST(PackedValues, PacksFloatsThatAreIntegersLikeIntegers) {
  const Words words = values(5000, [](auto random, auto) { return count_of(random); });
  const std::vector<float> singles(words.begin(), words.end());
  const std::vector<double> doubles(words.begin(), words.end());
  const std::size_t integers = pack_values(bytes_of(words, 4), {4}).size();
  for (const auto& [unpacked, width] : {std::pair(bytes_of(singles), 4u), std::pair(bytes_of(doubles), 8u)}) {
    const NumberKind kind{width, std::endian::native == std::endian::big, true};
    const Buffer stored = pack_values(unpacked, kind);
    EXPECT_LE(stored.size(), integers + 4);
    Buffer back(unpacked_bytes(stored));
    unpack_values(stored, kind, back);
    EXPECT_TRUE(back == unpacked);
  }
}

TEST(PackedValues, TakesAboutTheEntropyOfCounts) {
  const Words words = values(20'000, [](auto random, auto) {
    std::uint64_t count = 1;
    for (; random % 5 == 0 && count < 20; random /= 5) ++count;
    return count;
  });
  // Geometric counts: 0.722 bits for each value, plus as much for each that is not the last.
  const double entropy = 20'000 / 8.0 * (0.2 * std::log2(5) + 0.8 * std::log2(1.25)) / 0.8;
  EXPECT_LE(static_cast<double>(pack_values(bytes_of(words, 4), {4}).size()), 1.03 * entropy);
}

TEST(PackedValues, UnpacksToMemoryOfAnyAlignment) {
  for (const Sample& sample : samples(300)) {
    const Buffer unpacked = bytes_of(sample.words, 8), stored = pack_values(unpacked, {8});
    for (std::size_t shift = 0; shift < 8; ++shift) {
      Buffer memory(unpacked.size() + 8);
      unpack_values(stored, {8}, MutableBytes(memory).subspan(shift, unpacked.size()));
      EXPECT_TRUE(
          std::equal(unpacked.begin(), unpacked.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift)));
    }
  }
}

RC_GTEST_PROP(PackedValues, RestoresAnyBytes, ()) {
  const unsigned width = 1u << *rc::gen::inRange(0, 4);
  const NumberKind kind{width, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  const auto small = *rc::gen::inRange<std::uint64_t>(1, 1 << *rc::gen::inRange(1, 20));
  const auto repeats = *rc::gen::inRange<std::size_t>(1, 5);
  Words words =
      values(*rc::gen::inRange<std::size_t>(0, 3000), [&](auto random, auto) { return random % small; });
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = words[i / repeats] + (i % 301 == 7 ? ~0ull / small : 0);
  Buffer unpacked = bytes_of(words, width);
  unpacked.resize(unpacked.size() - std::min(unpacked.size(), *rc::gen::inRange<std::size_t>(0, 8)));
  const Buffer stored = pack_values(unpacked, kind);
  RC_ASSERT(stored.size() <= unpacked.size() + 1);
  RC_ASSERT(unpacked_bytes(stored) == unpacked.size());
  Buffer back(unpacked.size());
  unpack_values(stored, kind, back);
  RC_ASSERT(back == unpacked);
}

TEST(BitPack, RestoresNumbersOfAllWidths) {
  for (unsigned bits = 0; bits <= most_packed_bits; ++bits) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 100u}) {
      const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      const Words numbers = values(count, [&](auto random, auto) { return random & mask; });
      Buffer packed;
      append_packed(packed, numbers, bits);
      ASSERT_EQ(packed.size(), packed_bytes(count, bits));
      Words back(count);
      unpack<std::uint64_t>(packed, count, bits, 0, back.data());
      EXPECT_EQ(back, numbers);
    }
  }
}

TEST(PrefixCode, IsCompleteAndNotLongerThanAllowed) {
  std::mt19937 random(1);
  for (const std::size_t symbols : {2u, 3u, 17u, 256u, 512u}) {
    std::vector<std::uint32_t> counts(symbols);
    std::uint32_t large = 1;
    for (std::uint32_t& count : counts)
      count = random() % 3 == 0 ? 0 : large = large < 1u << 29 ? 2 * large : 1;
    const CodeLengths lengths = code_lengths(counts, 10);
    EXPECT_TRUE(is_complete(lengths));
    for (std::size_t i = 0; i < symbols; ++i) {
      EXPECT_LE(lengths[i], 10);
      EXPECT_TRUE(counts[i] == 0 || lengths[i] != 0);
    }
  }
  EXPECT_FALSE(is_complete(CodeLengths{1, 2}));
  EXPECT_FALSE(is_complete(CodeLengths{1, 1, 1}));
  EXPECT_FALSE(is_complete(CodeLengths{13, 1, 1}));
}

}  // namespace
}  // namespace filigree::filter
