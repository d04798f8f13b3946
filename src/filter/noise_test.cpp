// SPDX-License-Identifier: Apache-2.0
#include "filter/noise.hpp"

#include <random>

#include <gtest/gtest.h>

namespace filigree::filter {
namespace {

template <class Make>
Buffer bytes_of(std::size_t count, Make make) {
  Buffer bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(make(i));
  return bytes;
}

Buffer random_bytes(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  return bytes_of(count, [&](std::size_t) { return random(); });
}

TEST(Noise, HasNeitherFrequentValuesNorRepeats) {
  for (const std::size_t count : {256u, 655u, 5000u, 300000u}) EXPECT_TRUE(is_noise(random_bytes(count)));
  std::mt19937 random(2);
  EXPECT_TRUE(is_noise(bytes_of(2000, [&](std::size_t) { return 1 + random() % 1000; })));
}

TEST(Noise, IsNotDetectedInFewBytes) { EXPECT_FALSE(is_noise(random_bytes(255))); }

TEST(Noise, IsNotDataWithFrequentValues) {
  std::mt19937 random(3);
  EXPECT_FALSE(is_noise(bytes_of(5000, [&](std::size_t) { return random() % 128; })));
  EXPECT_FALSE(is_noise(bytes_of(5000, [&](std::size_t) { return random() % 8 == 0 ? 0 : random(); })));
  EXPECT_FALSE(is_noise(Buffer(5000)));
}

TEST(Noise, IsNotRepeatedDataWithEvenFrequencies) {
  EXPECT_FALSE(is_noise(bytes_of(4096, [](std::size_t i) { return i; })));
  const Buffer once = random_bytes(3000);
  EXPECT_FALSE(is_noise(bytes_of(6000, [&](std::size_t i) { return std::to_integer<int>(once[i % 3000]); })));
}

TEST(Noise, AtTheFrontEndsAtAPlaneAndExcludesTheLast) {
  Buffer shuffled = random_bytes(4000);
  EXPECT_EQ(noise_in_front(shuffled, 4), 3000u);
  EXPECT_EQ(noise_in_front(shuffled, 1), 0u);
  std::fill(shuffled.begin() + 2000, shuffled.end(), std::byte{7});
  EXPECT_EQ(noise_in_front(shuffled, 4), 2000u);
  std::fill(shuffled.begin(), shuffled.begin() + 1000, std::byte{7});
  EXPECT_EQ(noise_in_front(shuffled, 4), 0u);
}

}  // namespace
}  // namespace filigree::filter
