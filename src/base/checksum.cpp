// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

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

/// The little-endian Word at `from`, in one load where the machine is little-endian.
template <class Word>
Word load(const std::byte* from) {
  if constexpr (std::endian::native == std::endian::little) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
  } else {
    return static_cast<Word>(load_word(from, sizeof(Word)));
  }
}

/// The word in the first bytes of a short tail, absent bytes as zero.
std::uint32_t tail32(Bytes tail, std::size_t from) {
  if (from >= tail.size()) return 0;
  const auto width = static_cast<unsigned>(std::min<std::size_t>(4, tail.size() - from));
  return static_cast<std::uint32_t>(load_word(tail.data() + from, width));
}

/// Two ones' complement sums that are folded late. Folding keeps a sum's remainder modulo 65535 and
/// never turns a positive sum into zero, so late folding gives what folding after every word gives.
struct FletcherSums {
  static constexpr std::size_t lanes = 8;
  /// Groups of `lanes` words until a lane's second sum could leave 32 bits: 256 * 257 / 2 * 65535 < 2^32.
  static constexpr std::size_t block_groups = 256;

  std::uint64_t first = 0, second = 0;

  static std::uint64_t fold(std::uint64_t sum) {
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return sum;
  }

  void add_word(std::uint16_t word) {
    first = fold(first + word);
    second = fold(second + first);
  }

  /// Word i of n counts n - i times in the second sum; with i = lanes * group + lane that is
  /// lanes * (groups - group) - lane, so each lane can sum on its own.
  void add_groups(const std::byte* from, std::size_t groups) {
    std::array<std::uint32_t, lanes> a{};
    std::array<std::uint32_t, lanes> b{};
    for (std::size_t group = 0; group < groups; ++group, from += 2 * lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        a[lane] += load<std::uint16_t>(from + 2 * lane);
        b[lane] += a[lane];
      }
    }
    second += first * (lanes * groups);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      first += a[lane];
      second += lanes * std::uint64_t{b[lane]} - lane * std::uint64_t{a[lane]};
    }
    first = fold(first);
    second = fold(second);
  }
};

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

/// Row k holds the effect of a byte that k more bytes follow.
constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t value = 0; value < 256; ++value) {
    std::uint32_t crc = value;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0u);
    tables[0][value] = crc;
  }
  for (std::size_t row = 1; row < tables.size(); ++row) {
    for (std::size_t value = 0; value < 256; ++value) {
      const std::uint32_t before = tables[row - 1][value];
      tables[row][value] = before >> 8 ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr CrcTables crc_tables = make_crc_tables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(Bytes bytes, std::uint32_t previous) {
  std::uint64_t crc = static_cast<std::uint32_t>(~previous);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) crc = _mm_crc32_u64(crc, load<std::uint64_t>(at));
  auto low = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++at) low = _mm_crc32_u8(low, std::to_integer<std::uint8_t>(*at));
  return ~low;
}
#endif

}  // namespace

std::uint32_t lookup3(Bytes bytes, std::uint32_t initial) {
  const std::uint32_t seed = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()) + initial;
  Lookup3State s{seed, seed, seed};
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left > 12; left -= 12, at += 12) {
    s.a += load<std::uint32_t>(at);
    s.b += load<std::uint32_t>(at + 4);
    s.c += load<std::uint32_t>(at + 8);
    s.mix();
  }
  if (left == 0) return s.c;
  const Bytes tail(at, left);
  s.a += tail32(tail, 0);
  s.b += tail32(tail, 4);
  s.c += tail32(tail, 8);
  s.finish();
  return s.c;
}

std::uint32_t fletcher32(Bytes bytes) {
  FletcherSums sums;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  while (left >= 2 * FletcherSums::lanes) {
    const std::size_t groups = std::min(left / (2 * FletcherSums::lanes), FletcherSums::block_groups);
    sums.add_groups(at, groups);
    at += groups * 2 * FletcherSums::lanes;
    left -= groups * 2 * FletcherSums::lanes;
  }
  for (; left >= 2; left -= 2, at += 2) sums.add_word(load<std::uint16_t>(at));
  if (left == 1) sums.add_word(std::to_integer<std::uint16_t>(*at));
  // Words were summed little-endian. Swapping a word's bytes multiplies it by 256 modulo 65535, so
  // swapping those of the sums gives the big-endian result.
  const auto swapped = [](std::uint64_t sum) {
    return static_cast<std::uint32_t>((sum & 0xff) << 8 | sum >> 8);
  };
  return swapped(sums.second) << 16 | swapped(sums.first);
}

std::uint32_t crc32c_portable(Bytes bytes, std::uint32_t previous) {
  const CrcTables& t = crc_tables;
  std::uint32_t crc = ~previous;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint64_t w = load<std::uint64_t>(at) ^ crc;
    crc = t[7][w & 0xff] ^ t[6][w >> 8 & 0xff] ^ t[5][w >> 16 & 0xff] ^ t[4][w >> 24 & 0xff] ^
          t[3][w >> 32 & 0xff] ^ t[2][w >> 40 & 0xff] ^ t[1][w >> 48 & 0xff] ^ t[0][w >> 56];
  }
  for (; left > 0; --left, ++at) crc = crc >> 8 ^ t[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xff];
  return ~crc;
}

std::uint32_t crc32c(Bytes bytes, std::uint32_t previous) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_sse42(bytes, previous);
#endif
  return crc32c_portable(bytes, previous);
}

}  // namespace filigree
