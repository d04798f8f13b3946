// SPDX-License-Identifier: Apache-2.0
#include "filter/builtin.hpp"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_filter;
using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using ::testing::HasSubstr;

std::unique_ptr<const BoundFilter> bind(const Filter& filter, std::vector<std::uint32_t> params) {
  return filter.bind(params, ElementLayout{4, 24});
}

Buffer random_bytes(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// 24 numbers of 4 bytes: 250, 253, 256 and so on. The stored bytes below come from HDF5 1.10.8.
Buffer numbers() {
  Buffer bytes(24 * 4);
  for (std::size_t i = 0; i < 24; ++i) store_word(bytes.data() + 4 * i, 250 + 3 * i, 4);
  return bytes;
}

const char* const deflated =
    "789c0dc3 01068400 0004c04d 44444444 1c111111 1111f7ff 2f4534c3 3c495e53 24a595b5 8dad9dbd 83a33f27 "
    "67175737 770f4f2f "
    "6fff7e0f fd04c3";

TEST(Deflate, ReadsDataWrittenByTheReference) {
  expect_filter(*bind(deflate_filter(), {6}), numbers(), from_hex(deflated));
}

TEST(Deflate, DetectsDamage) {
  const auto filter = bind(deflate_filter(), {6});
  const Buffer stored = from_hex(deflated);
  for (std::size_t kept = 0; kept < stored.size(); ++kept) {
    EXPECT_THROW(filter->decode(Bytes(stored).first(kept), 96), Error) << "cut to " << kept;
  }
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Buffer bytes = stored;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    try {
      // The padding bits of the last byte carry no information.
      EXPECT_EQ(filter->decode(bytes, 96), numbers()) << "flipped bit " << bit;
    } catch (const Error&) {
    }
  }
}

TEST(Deflate, DecodesWhatItEncodesAtEveryLevel) {
  for (std::uint32_t level = 0; level <= 9; ++level) {
    const auto filter = bind(deflate_filter(), {level});
    for (std::size_t count : {0, 1, 1000, 100000}) {
      const Buffer unfiltered = random_bytes(count);
      EXPECT_EQ(filter->decode(filter->encode(unfiltered), count), unfiltered) << level << " " << count;
      EXPECT_EQ(filter->decode(filter->encode(Buffer(count)), count), Buffer(count)) << level << " " << count;
    }
  }
}

TEST(Deflate, StoresLeadingNoiseUncompressedAndCompressesTheRest) {
  for (const std::size_t plane : {300u, 70000u}) {
    Buffer shuffled = random_bytes(4 * plane);
    std::fill(shuffled.begin() + static_cast<std::ptrdiff_t>(2 * plane), shuffled.end(), std::byte{3});
    for (const std::uint32_t level : {1u, 6u, 9u}) {
      const auto filter = bind(deflate_filter(), {level});
      const Buffer stored = filter->encode(shuffled);
      EXPECT_EQ(filter->decode(stored, shuffled.size()), shuffled);
      EXPECT_LT(stored.size(), 2 * plane + plane / 50 + 50);
    }
  }
  // A header, a block size of 600 and its complement, the bytes.
  Buffer noise = random_bytes(1200);
  std::fill(noise.begin() + 600, noise.end(), std::byte{0});
  const Buffer stored = bind(deflate_filter(), {1})->encode(noise);
  EXPECT_EQ(to_hex(Bytes(stored).first(7)), to_hex(from_hex("7801 00 5802 a7fd")));
  EXPECT_TRUE(std::equal(noise.begin(), noise.begin() + 600, stored.begin() + 7));
}

TEST(Deflate, RejectsADecompressionBomb) {
  const auto filter = bind(deflate_filter(), {9});
  const Buffer bomb = filter->encode(Buffer(8 << 20));
  ASSERT_LT(bomb.size(), 100000u);
  try {
    filter->decode(bomb, 4096);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_THAT(error.what(), HasSubstr("more than the expected 4096 bytes"));
  }
}

TEST(Deflate, AllocatesLittleForFewBytesWhateverTheFileDeclares) {
  EXPECT_THROW(bind(deflate_filter(), {9})->decode(random_bytes(10), SIZE_MAX), Error);
  EXPECT_THROW(bind(deflate_filter(), {9})->decode(Bytes(), SIZE_MAX), Error);
}

TEST(Deflate, IgnoresBytesAfterTheStream) {
  Buffer stored = from_hex(deflated);
  stored.resize(stored.size() + 10);
  EXPECT_EQ(bind(deflate_filter(), {6})->decode(stored, 96), numbers());
}

TEST(Deflate, ChecksParameters) {
  EXPECT_THROW(bind(deflate_filter(), {}), Error);
  EXPECT_THROW(bind(deflate_filter(), {10}), Error);
  EXPECT_THROW(bind(deflate_filter(), {1, 2}), Error);
}

TEST(Shuffle, MatchesTheReference) {
  const Buffer four = from_hex("fafd0003 06090c0f 1215181b 1e212427 2a2d3033 36393c3f 00000101 20*01 48*00");
  expect_filter(*bind(shuffle_filter(), {4}), numbers(), four);
  EXPECT_EQ(to_hex(bind(shuffle_filter(), {4})->encode(numbers())), to_hex(four));
  const Buffer three = from_hex("00010203 04000102 03041011 121314");
  EXPECT_EQ(to_hex(bind(shuffle_filter(), {3})->encode(from_hex("00001001 01110202 12030313 040414"))),
            to_hex(three));
}

TEST(Shuffle, ChecksParameters) {
  EXPECT_THROW(bind(shuffle_filter(), {}), Error);
  EXPECT_THROW(bind(shuffle_filter(), {0}), Error);
  EXPECT_EQ(bind(shuffle_filter(), {0xffffffff})->encode(numbers()), numbers());
}

TEST(Fletcher32, MatchesTheReference) {
  Buffer stored = numbers();
  for (std::byte b : from_hex("1aac7fda")) stored.push_back(b);
  expect_filter(*bind(fletcher32_filter(), {}), numbers(), stored);
  EXPECT_EQ(to_hex(bind(fletcher32_filter(), {})->encode(numbers())), to_hex(stored));
}

TEST(Fletcher32, DetectsEveryFlippedBit) {
  const auto filter = bind(fletcher32_filter(), {});
  const Buffer stored = filter->encode(numbers());
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Buffer bytes = stored;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_THROW(filter->decode(bytes, 96), Error) << bit;
  }
}

TEST(Fletcher32, AcceptsByteSwappedChecksumsOfOldReleases) {
  const auto filter = bind(fletcher32_filter(), {});
  const Buffer good = from_hex("0100 0200 0300 0400 0500 0600 | 00150038");
  const Buffer old = from_hex("0100 0200 0300 0400 0500 0600 | 15003800");
  EXPECT_EQ(to_hex(filter->decode(good, 12)), to_hex(Bytes(good).first(12)));
  EXPECT_EQ(to_hex(filter->decode(old, 12)), to_hex(Bytes(good).first(12)));
  EXPECT_THROW(filter->decode(from_hex("0100 0200 0300 0400 0500 0600 | 00380015"), 12), Error);
}

}  // namespace
}  // namespace filigree::filter
