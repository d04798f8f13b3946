// SPDX-License-Identifier: Apache-2.0
#include "filter/planes.hpp"

#include <random>

#include <gtest/gtest.h>

#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::to_hex;

Buffer random_bytes(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

TEST(Planes, EveryKernelWidthAndLengthAgreesWithTheDefinition) {
  for (const Kernel kernel : usable_kernels()) {
    for (const std::size_t width : {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 100}) {
      for (const std::size_t bytes : {0, 1, 15, 16, 17, 31, 64, 127, 256, 300, 511, 512, 513, 1000, 4099}) {
        const Buffer scalar = random_bytes(bytes);
        Buffer expected = scalar, split(bytes), joined(bytes);
        const std::size_t count = bytes / width;
        for (std::size_t i = 0; i < count * width; ++i) expected[i % width * count + i / width] = scalar[i];
        split_planes(scalar, width, split.data(), kernel);
        ASSERT_EQ(to_hex(split), to_hex(expected)) << int(kernel) << " " << width << " " << bytes;
        join_planes(split, width, joined.data(), kernel);
        ASSERT_EQ(to_hex(joined), to_hex(scalar)) << int(kernel) << " " << width << " " << bytes;
      }
    }
  }
}

TEST(Planes, TransposesBits) {
  for (const Kernel kernel : usable_kernels()) {
    for (const std::size_t bytes : {0, 8, 16, 24, 32, 40, 128, 1000}) {
      const Buffer scalar = random_bytes(bytes);
      Buffer expected(bytes), mirrored = scalar;
      for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
        const std::size_t row = bit / 8 % 8, column = bit % 8;
        if ((std::to_integer<unsigned>(scalar[bit / 8]) >> column & 1) != 0) {
          expected[bit / 64 * 8 + column] |= static_cast<std::byte>(1u << row);
        }
      }
      transpose_bits(mirrored, kernel);
      ASSERT_EQ(to_hex(mirrored), to_hex(expected)) << int(kernel) << " " << bytes;
    }
  }
}

}  // namespace
}  // namespace filigree::filter
