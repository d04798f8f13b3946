// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <filigree/error.hpp>

#include "filter/builtin.hpp"

namespace filigree::filter {
namespace {

enum class Direction { encode, decode };

/// `count` elements of `width` bytes, from `first` on, one byte at a time.
void move_bytes(Direction direction, Bytes in, MutableBytes out, std::size_t width, std::size_t first) {
  constexpr std::size_t block = 64;  // elements whose bytes stay in the nearest cache while planes pass
  const std::size_t count = in.size() / width;
  for (std::size_t begin = first; begin < count; begin += block) {
    const std::size_t end = std::min(count, begin + block);
    for (std::size_t plane = 0; plane < width; ++plane) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t element_at = i * width + plane, plane_at = plane * count + i;
        if (direction == Direction::encode) {
          out[plane_at] = in[element_at];
        } else {
          out[element_at] = in[plane_at];
        }
      }
    }
  }
}

#if defined(__SSE2__)

/// Interleaves the bytes of the lower and the upper half. On byte positions as binary numbers this is
/// a rotation by one bit to the left, which is all that shuffling 16 elements of 2^m bytes takes:
/// position = element (4 bits), byte (m bits) becomes byte, element after 4 rotations, and back after m.
template <std::size_t Width>
void interleave_halves(__m128i (&block)[Width]) {
  __m128i next[Width];
  for (std::size_t i = 0; i < Width / 2; ++i) {
    next[2 * i] = _mm_unpacklo_epi8(block[i], block[i + Width / 2]);
    next[2 * i + 1] = _mm_unpackhi_epi8(block[i], block[i + Width / 2]);
  }
  std::copy(next, next + Width, block);
}

constexpr unsigned log2_of(std::size_t width) {
  unsigned bits = 0;
  while (width >>= 1) ++bits;
  return bits;
}

/// Moves whole groups of 16 elements; returns the elements moved.
template <std::size_t Width, Direction direction>
std::size_t move_groups(Bytes in, MutableBytes out) {
  constexpr bool encodes = direction == Direction::encode;
  const std::size_t count = in.size() / Width;
  const std::size_t groups = count / 16;
  for (std::size_t group = 0; group < groups; ++group) {
    __m128i block[Width];
    const auto element_at = [&](std::size_t i) { return (group * Width + i) * 16; };
    const auto plane_at = [&](std::size_t i) { return i * count + group * 16; };
    for (std::size_t i = 0; i < Width; ++i) {
      block[i] = _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(in.data() + (encodes ? element_at(i) : plane_at(i))));
    }
    for (unsigned round = 0; round < (encodes ? 4 : log2_of(Width)); ++round) interleave_halves(block);
    for (std::size_t i = 0; i < Width; ++i) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out.data() + (encodes ? plane_at(i) : element_at(i))),
                       block[i]);
    }
  }
  return groups * 16;
}

template <std::size_t Width>
std::size_t move_groups(Direction direction, Bytes in, MutableBytes out) {
  return direction == Direction::encode ? move_groups<Width, Direction::encode>(in, out)
                                        : move_groups<Width, Direction::decode>(in, out);
}

std::size_t move_groups(Direction direction, Bytes in, MutableBytes out, std::size_t width) {
  switch (width) {
    case 2:
      return move_groups<2>(direction, in, out);
    case 4:
      return move_groups<4>(direction, in, out);
    case 8:
      return move_groups<8>(direction, in, out);
    case 16:
      return move_groups<16>(direction, in, out);
    default:
      return 0;
  }
}

#else

std::size_t move_groups(Direction, Bytes, MutableBytes, std::size_t) { return 0; }

#endif

class BoundShuffle : public BoundFilter {
 public:
  explicit BoundShuffle(std::size_t width) : width_(width) {}

  Buffer encode(Bytes plain) const override { return move(Direction::encode, plain); }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    if (stored.size() > max_bytes) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} bytes stand where {} belong", stored.size(), max_bytes));
    }
    return move(Direction::decode, stored);
  }

 private:
  Buffer move(Direction direction, Bytes in) const {
    if (width_ <= 1 || in.size() / width_ <= 1) return {in.begin(), in.end()};
    Buffer out(in.size());
    const std::size_t moved = move_groups(direction, in, out, width_);
    move_bytes(direction, in, out, width_, moved);
    const std::size_t tail = in.size() % width_;  // less than an element: stays in place
    std::copy(in.end() - static_cast<std::ptrdiff_t>(tail), in.end(),
              out.end() - static_cast<std::ptrdiff_t>(tail));
    return out;
  }

  const std::size_t width_;
};

class Shuffle : public Filter {
 public:
  std::uint16_t id() const override { return 2; }
  std::string_view name() const override { return "shuffle"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    if (params.size() != 1 || params[0] == 0) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("shuffle has {} parameters, needs 1 above 0 (bytes of an element)", params.size()));
    }
    return std::make_unique<BoundShuffle>(params[0]);
  }
};

}  // namespace

const Filter& shuffle_filter() {
  static const Shuffle filter;
  return filter;
}

}  // namespace filigree::filter
