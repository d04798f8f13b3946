// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/compact_elements.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace filigree::chunk {
namespace {

template <class T>
Buffer bytes_of(const std::vector<T>& values) {
  Buffer bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Whether all parts of the values come back; returns the memory that they take.
template <class T>
std::size_t check(const std::vector<T>& values) {
  const CompactValues compact(bytes_of(values), sizeof(T));
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    const std::size_t first = i == 0 ? 0 : random() % (values.size() + 1);
    const std::size_t count = i == 0 ? values.size() : random() % (values.size() + 1 - first);
    if (count == 0) continue;  // memcmp() takes no null pointers
    std::vector<T> part(count);
    compact.copy(first, count, reinterpret_cast<std::byte*>(part.data()));
    EXPECT_EQ(std::memcmp(part.data(), values.data() + first, count * sizeof(T)), 0) << first << ' ' << count;
  }
  return compact.memory_bytes();
}

/// Counts, one of `one_of` of which needs more than a byte.
template <class T>
std::vector<T> counts(std::size_t count, unsigned one_of) {
  std::mt19937_64 random(2);
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(random() % one_of == 0 ? 300 + random() % 9'000 : random() % 256);
  return values;
}

TEST(CompactValues, SmallNumbersTakeAByteEach) {
  EXPECT_LT(check(counts<std::int16_t>(10'000, 100'000)), 10'500u);
  EXPECT_LT(check(counts<std::int32_t>(10'000, 100'000)), 10'500u);
  EXPECT_LT(check(counts<std::uint64_t>(10'000, 100'000)), 10'500u);
  EXPECT_LT(check(counts<float>(10'000, 100'000)), 10'500u);
  EXPECT_LT(check(counts<double>(10'000, 100'000)), 10'500u);
}

TEST(CompactValues, AFewOthersAreAmongThem) {
  EXPECT_LT(check(counts<std::int32_t>(10'000, 50)), 16'000u);
  EXPECT_LT(check(counts<float>(10'000, 50)), 16'000u);
  EXPECT_LT(check(counts<double>(10'000, 50)), 16'000u);
}

TEST(CompactValues, AllOthersKeepTheirBytes) {
  EXPECT_LE(check(counts<std::int32_t>(10'000, 2)), 40'000u);
  EXPECT_LE(check(counts<float>(10'000, 2)), 40'000u);
  check(std::vector<std::int32_t>(1000, -1));
  check(std::vector<float>(1000, -0.0f));
  check(std::vector<float>(1000, 0.5f));
  check(std::vector<float>(1000, std::numeric_limits<float>::quiet_NaN()));
  check(std::vector<double>(1000, std::numeric_limits<double>::infinity()));
  check(std::vector<std::uint8_t>(1000, 200));
  check(std::vector<std::array<char, 3>>(1000, {'a', 'b', 'c'}));
  check(std::vector<std::int32_t>{});
}

}  // namespace
}  // namespace filigree::chunk
