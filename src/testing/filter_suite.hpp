// SPDX-License-Identifier: Apache-2.0
//
// What every filter must satisfy.
#pragma once

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/filter.hpp"
#include "testing/hex.hpp"

namespace filigree::testing {

/// `stored` decodes to `plain`; so does what encode() makes of `plain`. Every truncation and every
/// single-bit flip of `stored` either decodes within bounds or throws Error.
inline void expect_filter(const filter::BoundFilter& filter, Bytes plain, Bytes stored) {
  EXPECT_EQ(to_hex(filter.decode(stored, plain.size())), to_hex(plain));
  const Buffer encoded = filter.encode(plain);
  EXPECT_EQ(to_hex(filter.decode(encoded, plain.size())), to_hex(plain));
  if (!plain.empty()) {
    EXPECT_THROW(filter.decode(stored, plain.size() - 1), Error);
  }

  const auto survives = [&](const Buffer& bytes) {
    try {
      EXPECT_LE(filter.decode(bytes, plain.size()).size(), plain.size());
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated) << error.what();
    }
  };
  // Copies of exact size, so that the sanitizer sees a read beyond them.
  for (std::size_t kept = 0; kept < stored.size(); ++kept)
    survives(Buffer(stored.begin(), stored.begin() + kept));
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Buffer bytes(stored.begin(), stored.end());
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    survives(bytes);
  }
}

}  // namespace filigree::testing
