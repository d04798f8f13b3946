// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite of filters: what every filter must satisfy.
#pragma once

#include <random>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/filter.hpp"
#include "testing/hex.hpp"

namespace filigree::testing {

/// Expects that decoding `bytes` results in at most `max_bytes`, or throws an Error of corrupt input.
inline void expect_survives(const filter::BoundFilter& filter, const Buffer& bytes, std::size_t max_bytes) {
  try {
    EXPECT_LE(filter.decode(bytes, max_bytes).size(), max_bytes);
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated) << error.what();
  }
}

/// Expects that every truncation, every flip of one bit and many random changes of `stored` decode within
/// bounds or throw Error. The same holds for random bytes.
inline void expect_damage_is_survived(const filter::BoundFilter& filter, Bytes stored,
                                      std::size_t max_bytes) {
  // Copies of exact size, so that the sanitizer sees a read beyond them.
  for (std::size_t kept = 0; kept < stored.size(); ++kept) {
    expect_survives(filter, Buffer(stored.begin(), stored.begin() + kept), max_bytes);
  }
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Buffer bytes(stored.begin(), stored.end());
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    expect_survives(filter, bytes, max_bytes);
  }
  std::mt19937 random(static_cast<unsigned>(stored.size()));
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  for (int round = 0; round < 1000 && !stored.empty(); ++round) {
    Buffer bytes(stored.begin(), stored.end());
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      bytes[below(bytes.size())] = static_cast<std::byte>(below(8) == 0 ? 0xff : below(256));
    }
    bytes.resize(1 + below(2 * bytes.size()), std::byte{0x5a});
    expect_survives(filter, bytes, max_bytes);
  }
  for (int round = 0; round < 300; ++round) {
    Buffer bytes(below(100));
    for (std::byte& b : bytes) b = static_cast<std::byte>(below(256));
    expect_survives(filter, bytes, max_bytes);
  }
}

/// Expects that `stored` decodes to `kept`, and that encoding and decoding `unfiltered` results in `kept`.
/// Tries corrupt input as well.
inline void expect_filter(const filter::BoundFilter& filter, Bytes unfiltered, Bytes stored, Bytes kept) {
  EXPECT_EQ(to_hex(filter.decode(stored, kept.size())), to_hex(kept));
  const Buffer encoded = filter.encode(unfiltered);
  EXPECT_EQ(to_hex(filter.decode(encoded, kept.size())), to_hex(kept));
  if (!kept.empty()) {
    EXPECT_THROW(filter.decode(stored, kept.size() - 1), Error);
  }
  expect_damage_is_survived(filter, stored, kept.size());
}

/// The same for a lossless filter.
inline void expect_filter(const filter::BoundFilter& filter, Bytes unfiltered, Bytes stored) {
  expect_filter(filter, unfiltered, stored, unfiltered);
}

}  // namespace filigree::testing
