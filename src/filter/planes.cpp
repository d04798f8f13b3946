// SPDX-License-Identifier: Apache-2.0
#include "filter/planes.hpp"

#include <algorithm>
#include <cstring>

#include "filter/planes_kernels.hpp"

namespace filigree::filter {
namespace {

/// Moves the elements from `first` on, one byte at a time.
void move_bytes(Direction direction, Bytes in, std::byte* out, std::size_t width, std::size_t first) {
  constexpr std::size_t block = 64;  // elements whose bytes stay in the L1 cache while all planes are visited
  const std::size_t count = in.size() / width;
  for (std::size_t begin = first; begin < count; begin += block) {
    const std::size_t end = std::min(count, begin + block);
    for (std::size_t plane = 0; plane < width; ++plane) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t element_at = i * width + plane, plane_at = plane * count + i;
        if (direction == Direction::split) {
          out[plane_at] = in[element_at];
        } else {
          out[element_at] = in[plane_at];
        }
      }
    }
  }
}

void move(Direction direction, Bytes in, std::size_t width, std::byte* out, Kernel kernel) {
  if (in.empty()) return;
  if (width <= 1 || in.size() / width <= 1) {
    std::memcpy(out, in.data(), in.size());
    return;
  }
  std::size_t moved = 0;
  switch (kernel) {
    case Kernel::scalar:
      break;
    case Kernel::sse2:
      moved = move_groups_sse2(direction, in, out, width);
      break;
    case Kernel::avx2:
      moved = move_groups_avx2(direction, in, out, width);
      break;
  }
  move_bytes(direction, in, out, width, moved);
  const std::size_t tail = in.size() % width;
  std::memcpy(out + in.size() - tail, in.data() + in.size() - tail, tail);
}

/// Swaps the off-diagonal bits of every 2 x 2 block, then the 2 x 2 blocks in every 4 x 4 block, then the 4 x
/// 4 ones.
[[gnu::always_inline]] inline void transpose_words(std::byte* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t x, t;
    std::memcpy(&x, at + i, 8);
    t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0;
    x ^= t ^ (t << 28);
    std::memcpy(at + i, &x, 8);
  }
}

void transpose_scalar(std::byte* at, std::size_t bytes) { transpose_words(at, bytes); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] void transpose_avx2(std::byte* at, std::size_t bytes) { transpose_words(at, bytes); }
#else
void transpose_avx2(std::byte* at, std::size_t bytes) { transpose_words(at, bytes); }
#endif

}  // namespace

std::vector<Kernel> usable_kernels() {
  std::vector<Kernel> kernels{Kernel::scalar};
  if (machine_has_sse2()) kernels.push_back(Kernel::sse2);
  if (machine_has_avx2()) kernels.push_back(Kernel::avx2);
  return kernels;
}

Kernel best_kernel() {
  static const Kernel best = usable_kernels().back();
  return best;
}

void split_planes(Bytes elements, std::size_t width, std::byte* to, Kernel kernel) {
  move(Direction::split, elements, width, to, kernel);
}

void join_planes(Bytes planes, std::size_t width, std::byte* to, Kernel kernel) {
  move(Direction::join, planes, width, to, kernel);
}

void transpose_bits(MutableBytes bytes, Kernel kernel) {
  // The words are little-endian, as on every supported machine.
  (kernel == Kernel::avx2 ? transpose_avx2 : transpose_scalar)(bytes.data(), bytes.size());
}

}  // namespace filigree::filter
