// SPDX-License-Identifier: Apache-2.0
#include "filter/noise.hpp"

#include <array>

namespace filigree::filter {
namespace {

constexpr std::size_t least_bytes = 256;

/// By the sum of the squares of their frequencies, which is the smaller the more equal these are. Chance adds
/// one for each byte, about.
bool values_are_even(Bytes bytes) {
  std::array<std::uint32_t, 256> counts{};
  for (const std::byte byte : bytes) ++counts[std::to_integer<std::size_t>(byte)];
  std::uint64_t squares = 0;
  for (const std::uint64_t count : counts) squares += count * count;
  const std::uint64_t size = bytes.size();
  return squares <= size * size / 256 / 16 * 17 + size + size / 8;
}

/// Looks for four bytes that have been there before, by a table of where such were seen last.
bool hardly_repeats(Bytes bytes) {
  constexpr unsigned hash_bits = 12;
  std::array<std::uint32_t, std::size_t{1} << hash_bits> seen{};
  std::size_t repeats = 0;
  const std::size_t most = bytes.size() / 64;
  for (std::size_t i = 0; i + 4 <= bytes.size() && repeats <= most; ++i) {
    std::uint32_t word, before;
    std::memcpy(&word, bytes.data() + i, 4);
    std::uint32_t& place = seen[word * 0x9E37'79B1u >> (32 - hash_bits)];
    std::memcpy(&before, bytes.data() + place, 4);
    repeats += before == word && i != 0;
    place = static_cast<std::uint32_t>(i);
  }
  return repeats <= most;
}

}  // namespace

bool is_noise(Bytes bytes) {
  return bytes.size() >= least_bytes && bytes.size() >> 31 == 0 && values_are_even(bytes) &&
         hardly_repeats(bytes);
}

std::size_t noise_in_front(Bytes bytes, std::size_t planes) {
  if (planes < 2) return 0;
  const std::size_t plane = bytes.size() / planes;
  std::size_t noise = 0;
  for (std::size_t i = 0; i + 1 < planes && is_noise(bytes.subspan(noise, plane)); ++i) noise += plane;
  return noise;
}

}  // namespace filigree::filter
