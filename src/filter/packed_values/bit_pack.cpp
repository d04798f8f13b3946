// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_values/bit_pack.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {
namespace {

constexpr std::uint64_t low_bits(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

/// The widest numbers that are unpacked to T.
template <class T>
constexpr unsigned widest = std::min<unsigned>(8 * sizeof(T), most_packed_bits);

/// Unpacks `blocks` blocks of eight numbers. The width is a constant, so that all shifts are. *Requires* 8
/// readable bytes after the last block.
template <class T, unsigned bits>
void unpack_blocks(const std::byte* from, std::uint64_t blocks, T base, T* to) {
  for (; blocks > 0; --blocks, from += bits, to += 8) {
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t word = load_word(from + i * bits / 8, 8) >> (i * bits % 8);
      to[i] = static_cast<T>(base + static_cast<T>(word & low_bits(bits)));
    }
  }
}

template <class T>
using Kernel = void (*)(const std::byte*, std::uint64_t, T, T*);

template <class T, unsigned... bits>
constexpr std::array<Kernel<T>, sizeof...(bits)> kernels_of(std::integer_sequence<unsigned, bits...>) {
  return {&unpack_blocks<T, bits>...};
}

template <class T>
constexpr auto kernels = kernels_of<T>(std::make_integer_sequence<unsigned, widest<T> + 1>());

}  // namespace

void append_packed(Buffer& to, std::span<const std::uint64_t> numbers, unsigned bits) {
  RiceWriter writer(to, numbers.size() * bits);
  for (const std::uint64_t number : numbers) writer.bits(number & low_bits(bits), bits);
}

template <class T>
void unpack(Bytes from, std::uint64_t count, unsigned bits, T base, T* to) {
  if (bits == 0) {
    std::fill_n(to, count, base);
    return;
  }
  const std::uint64_t safe = from.size() < 8 + bits ? 0 : (from.size() - 8) / bits;
  const std::uint64_t blocks = std::min(count / 8, safe);
  kernels<T>[bits](from.data(), blocks, base, to);
  RiceReader rest(from.subspan(static_cast<std::size_t>(blocks * bits)));
  for (std::uint64_t i = 8 * blocks; i < count; ++i) to[i] = static_cast<T>(base + rest.bits(bits));
}

template void unpack(Bytes, std::uint64_t, unsigned, std::uint8_t, std::uint8_t*);
template void unpack(Bytes, std::uint64_t, unsigned, std::uint16_t, std::uint16_t*);
template void unpack(Bytes, std::uint64_t, unsigned, std::uint32_t, std::uint32_t*);
template void unpack(Bytes, std::uint64_t, unsigned, std::uint64_t, std::uint64_t*);

}  // namespace filigree::filter
