// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.hpp"

#include <bit>

namespace filigree {
namespace {

struct Lookup3State {
  std::uint32_t a, b, c;

  void mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  void finish() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

std::uint32_t load32(const std::byte* from) { return static_cast<std::uint32_t>(load_word(from, 4)); }

/// The word in the first bytes of a short tail, absent bytes as zero.
std::uint32_t tail32(Bytes tail, std::size_t from) {
  if (from >= tail.size()) return 0;
  return static_cast<std::uint32_t>(load_word(tail.data() + from, static_cast<unsigned>(std::min<std::size_t>(4, tail.size() - from))));
}

}  // namespace

std::uint32_t lookup3(Bytes bytes, std::uint32_t initial) {
  const std::uint32_t seed = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()) + initial;
  Lookup3State s{seed, seed, seed};
  while (bytes.size() > 12) {
    s.a += load32(bytes.data());
    s.b += load32(bytes.data() + 4);
    s.c += load32(bytes.data() + 8);
    s.mix();
    bytes = bytes.subspan(12);
  }
  if (bytes.empty()) return s.c;
  s.a += tail32(bytes, 0);
  s.b += tail32(bytes, 4);
  s.c += tail32(bytes, 8);
  s.finish();
  return s.c;
}

std::uint32_t fletcher32(Bytes bytes) {
  std::uint32_t sum1 = 0;
  std::uint32_t sum2 = 0;
  const auto add = [&](std::uint32_t word) {
    sum1 += word;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 += sum1;
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    add(std::to_integer<std::uint32_t>(bytes[i]) << 8 | std::to_integer<std::uint32_t>(bytes[i + 1]));
  }
  if (i < bytes.size()) add(std::to_integer<std::uint32_t>(bytes[i]) << 8);
  return sum2 << 16 | sum1;
}

std::uint32_t crc32c(Bytes bytes, std::uint32_t previous) {
  std::uint32_t crc = ~previous;
  for (std::byte b : bytes) {
    crc ^= std::to_integer<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

}  // namespace filigree
