// SPDX-License-Identifier: Apache-2.0
#include "type/numbers_swap.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace filigree::type {

namespace {

inline std::uint8_t reversed(std::uint8_t value) { return value; }
inline std::uint16_t reversed(std::uint16_t value) { return __builtin_bswap16(value); }
inline std::uint32_t reversed(std::uint32_t value) { return __builtin_bswap32(value); }
inline std::uint64_t reversed(std::uint64_t value) { return __builtin_bswap64(value); }

template <class Word>
[[gnu::always_inline]] inline void swap_one(const std::byte* from, std::byte* to) {
  Word value;
  std::memcpy(&value, from, sizeof value);
  value = reversed(value);
  std::memcpy(to, &value, sizeof value);
}

template <class Word>
[[gnu::always_inline]] inline void swap_close(const std::byte* __restrict from, std::byte* __restrict to,
                                              std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) swap_one<Word>(from + i * sizeof(Word), to + i * sizeof(Word));
}

template <class Word>
[[gnu::always_inline]] inline void swap_here(std::byte* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    swap_one<Word>(elements + i * sizeof(Word), elements + i * sizeof(Word));
}

template <class Word>
[[gnu::always_inline]] inline void swap_run(const std::byte* from, std::byte* to, std::size_t count) {
  from == to ? swap_here<Word>(to, count) : swap_close<Word>(from, to, count);
}

template <class Word>
void plain_swap(const std::byte* from, std::byte* to, std::size_t count) {
  swap_run<Word>(from, to, count);
}

#ifdef __x86_64__
template <class Word>
[[gnu::target("avx2")]] void avx2_swap(const std::byte* from, std::byte* to, std::size_t count) {
  swap_run<Word>(from, to, count);
}
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
template <class Word>
void avx2_swap(const std::byte* from, std::byte* to, std::size_t count) {
  swap_run<Word>(from, to, count);
}
bool has_avx2() { return false; }
#endif

template <class Word>
void swap_words(const Tile& tile) {
  if (tile.from_stride == sizeof(Word) && tile.to_stride == sizeof(Word)) {
    (has_avx2() ? avx2_swap<Word> : plain_swap<Word>)(tile.from, tile.to, tile.count);
    return;
  }
  for (std::size_t i = 0; i < tile.count; ++i) {
    swap_one<Word>(tile.from + i * tile.from_stride, tile.to + i * tile.to_stride);
  }
}

}  // namespace

bool swaps_in_place(std::size_t bytes) { return bytes <= 8 && std::has_single_bit(bytes); }

void swap_bytes(const Tile& tile, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return swap_words<std::uint8_t>(tile);
    case 2:
      return swap_words<std::uint16_t>(tile);
    case 4:
      return swap_words<std::uint32_t>(tile);
    case 8:
      return swap_words<std::uint64_t>(tile);
    default:
      for (std::size_t i = 0; i < tile.count; ++i) {
        const std::byte* from = tile.from + i * tile.from_stride;
        std::reverse_copy(from, from + bytes, tile.to + i * tile.to_stride);
      }
  }
}

}  // namespace filigree::type
