// SPDX-License-Identifier: Apache-2.0
#include "filter/noise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace filigree::filter {
namespace {

constexpr std::size_t least_bytes = 256;

/// Whether byte values are about equally frequent. The sum of squared frequencies is smallest if all are
/// equal; random data add about one for each byte.
bool values_are_even(Bytes bytes) {
  std::array<std::uint32_t, 256> counts{};
  for (const std::byte byte : bytes) ++counts[std::to_integer<std::size_t>(byte)];
  std::uint64_t squares = 0;
  for (const std::uint64_t count : counts) squares += count * count;
  const std::uint64_t size = bytes.size();
  return squares <= size * size / 256 / 16 * 17 + size + size / 8;
}

}  // namespace

namespace {

/// Counts repeats with a hash table of the last offset of every sequence. `is_long` tells whether sequences
/// have more than 8 bytes. Only every second offset is examined: regular repeats also occur at even
/// distances. The last few bytes are not examined.
template <bool is_long, class Offset>
bool hardly_repeats_in(Bytes bytes, std::size_t length) {
  constexpr unsigned most_hash_bits = 12;
  std::array<Offset, std::size_t{1} << most_hash_bits> seen;
  const unsigned hash_bits =
      std::min(most_hash_bits, 1 + static_cast<unsigned>(std::bit_width(bytes.size())));
  std::fill_n(seen.begin(), std::size_t{1} << hash_bits, Offset{0});
  const std::uint64_t mask = is_long ? ~std::uint64_t{0} : ~std::uint64_t{0} >> (64 - 8 * length);
  const auto word = [&](std::size_t at) {
    std::uint64_t value;
    std::memcpy(&value, bytes.data() + at, 8);
    return value & mask;
  };
  constexpr std::size_t step = 2;
  const std::size_t most = bytes.size() / (64 * step), behind = is_long ? length - 8 : 0;
  std::size_t repeats = 0;
  for (std::size_t i = 0; i + std::max<std::size_t>(8, length) <= bytes.size() && repeats <= most;
       i += step) {
    const std::uint64_t front = word(i), back = is_long ? word(i + behind) : 0;
    Offset& last = seen[(front ^ back * 0xC2B2'AE3D'27D4'EB4Fu) * 0x9E37'79B9'7F4A'7C15u >> (64 - hash_bits)];
    const bool same = word(last) == front && (!is_long || word(last + behind) == back);
    repeats += same && last != i;
    last = static_cast<Offset>(i);
  }
  return repeats <= most;
}

template <bool is_long>
bool hardly_repeats_in(Bytes bytes, std::size_t length) {
  if (bytes.size() >> 16 == 0) return hardly_repeats_in<is_long, std::uint16_t>(bytes, length);
  return hardly_repeats_in<is_long, std::uint32_t>(bytes, length);
}

}  // namespace

bool hardly_repeats(Bytes bytes, std::size_t length) {
  return length > 8 ? hardly_repeats_in<true>(bytes, length) : hardly_repeats_in<false>(bytes, length);
}

bool is_noise(Bytes bytes) {
  return bytes.size() >= least_bytes && bytes.size() >> 31 == 0 && values_are_even(bytes) &&
         hardly_repeats(bytes, 4);
}

std::size_t noise_in_front(Bytes bytes, std::size_t planes) {
  if (planes < 2) return 0;
  const std::size_t plane = bytes.size() / planes;
  std::size_t noise = 0;
  for (std::size_t i = 0; i + 1 < planes && is_noise(bytes.subspan(noise, plane)); ++i) noise += plane;
  return noise;
}

}  // namespace filigree::filter
