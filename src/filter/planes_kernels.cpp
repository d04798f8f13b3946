// SPDX-License-Identifier: Apache-2.0
#include "filter/planes_kernels.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace filigree::filter {

#if defined(__x86_64__)

namespace {

constexpr unsigned log2_of(std::size_t width) {
  unsigned bits = 0;
  while (width >>= 1) ++bits;
  return bits;
}

/// The number of interleaving rounds for a group. Interleaving the lower with the upper half rotates the byte
/// offset, as a binary number, by one bit to the left. An offset consists of element (4 bits) and byte (m
/// bits): 4 rotations swap the two, and m rotations swap them back.
template <std::size_t Width, Direction direction>
constexpr unsigned rounds = direction == Direction::split ? 4 : log2_of(Width);

template <std::size_t Width>
[[gnu::always_inline]] inline void interleave(__m128i (&block)[Width]) {
  __m128i next[Width];
  for (std::size_t i = 0; i < Width / 2; ++i) {
    next[2 * i] = _mm_unpacklo_epi8(block[i], block[i + Width / 2]);
    next[2 * i + 1] = _mm_unpackhi_epi8(block[i], block[i + Width / 2]);
  }
  for (std::size_t i = 0; i < Width; ++i) block[i] = next[i];
}

const __m128i* near(const std::byte* at) { return reinterpret_cast<const __m128i*>(at); }
__m128i* near(std::byte* at) { return reinterpret_cast<__m128i*>(at); }

template <std::size_t Width, Direction direction>
std::size_t move_sse2(Bytes in, std::byte* out) {
  constexpr bool splits = direction == Direction::split;
  const std::size_t count = in.size() / Width;
  const std::size_t groups = count / 16;
  for (std::size_t group = 0; group < groups; ++group) {
    __m128i block[Width];
    for (std::size_t i = 0; i < Width; ++i) {
      block[i] =
          _mm_loadu_si128(near(in.data() + (splits ? (group * Width + i) * 16 : i * count + group * 16)));
    }
    for (unsigned round = 0; round < rounds<Width, direction>; ++round) interleave(block);
    for (std::size_t i = 0; i < Width; ++i) {
      _mm_storeu_si128(near(out + (splits ? i * count + group * 16 : (group * Width + i) * 16)), block[i]);
    }
  }
  return groups * 16;
}

template <std::size_t Width>
[[gnu::target("avx2"), gnu::always_inline]] inline void interleave(__m256i (&block)[Width]) {
  __m256i next[Width];
  for (std::size_t i = 0; i < Width / 2; ++i) {
    next[2 * i] = _mm256_unpacklo_epi8(block[i], block[i + Width / 2]);
    next[2 * i + 1] = _mm256_unpackhi_epi8(block[i], block[i + Width / 2]);
  }
  for (std::size_t i = 0; i < Width; ++i) block[i] = next[i];
}

/// Moves two groups of 16 at a time, one in each half of the registers. The two are adjacent in a plane.
template <std::size_t Width, Direction direction>
[[gnu::target("avx2")]] std::size_t move_avx2(Bytes in, std::byte* out) {
  constexpr bool splits = direction == Direction::split;
  const std::size_t count = in.size() / Width;
  const std::size_t pairs = count / 32;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    __m256i block[Width];
    for (std::size_t i = 0; i < Width; ++i) {
      if constexpr (splits) {
        const std::byte* low = in.data() + (2 * pair * Width + i) * 16;
        block[i] = _mm256_loadu2_m128i(near(low + 16 * Width), near(low));
      } else {
        block[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in.data() + i * count + pair * 32));
      }
    }
    for (unsigned round = 0; round < rounds<Width, direction>; ++round) interleave(block);
    for (std::size_t i = 0; i < Width; ++i) {
      if constexpr (splits) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i * count + pair * 32), block[i]);
      } else {
        std::byte* low = out + (2 * pair * Width + i) * 16;
        _mm256_storeu2_m128i(near(low + 16 * Width), near(low), block[i]);
      }
    }
  }
  return pairs * 32;
}

template <std::size_t Width>
std::size_t move_sse2(Direction direction, Bytes in, std::byte* out) {
  return direction == Direction::split ? move_sse2<Width, Direction::split>(in, out)
                                       : move_sse2<Width, Direction::join>(in, out);
}

template <std::size_t Width>
std::size_t move_avx2(Direction direction, Bytes in, std::byte* out) {
  return direction == Direction::split ? move_avx2<Width, Direction::split>(in, out)
                                       : move_avx2<Width, Direction::join>(in, out);
}

}  // namespace

std::size_t move_groups_sse2(Direction direction, Bytes in, std::byte* out, std::size_t width) {
  switch (width) {
    case 2:
      return move_sse2<2>(direction, in, out);
    case 4:
      return move_sse2<4>(direction, in, out);
    case 8:
      return move_sse2<8>(direction, in, out);
    case 16:
      return move_sse2<16>(direction, in, out);
    default:
      return 0;
  }
}

std::size_t move_groups_avx2(Direction direction, Bytes in, std::byte* out, std::size_t width) {
  switch (width) {
    case 2:
      return move_avx2<2>(direction, in, out);
    case 4:
      return move_avx2<4>(direction, in, out);
    case 8:
      return move_avx2<8>(direction, in, out);
    case 16:
      return move_avx2<16>(direction, in, out);
    default:
      return 0;
  }
}

bool machine_has_sse2() { return true; }
bool machine_has_avx2() { return __builtin_cpu_supports("avx2") != 0; }

#else

std::size_t move_groups_sse2(Direction, Bytes, std::byte*, std::size_t) { return 0; }
std::size_t move_groups_avx2(Direction, Bytes, std::byte*, std::size_t) { return 0; }
bool machine_has_sse2() { return false; }
bool machine_has_avx2() { return false; }

#endif

}  // namespace filigree::filter
