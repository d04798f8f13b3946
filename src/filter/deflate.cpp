// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>

#include <filigree/error.hpp>

#include "base/thread_value.hpp"
#include "filter/builtin.hpp"
#include "filter/literal_block.hpp"
#include "filter/noise.hpp"

namespace filigree::filter {
namespace {

constexpr unsigned highest_level = 9;

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, FreeCompressor>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

// Working memory is large and takes no state from one chunk to the next, so every thread keeps its own.
libdeflate_compressor* thread_compressor(unsigned level) {
  Compressor& compressor = thread_value<std::array<Compressor, highest_level + 1>, FreeCompressor>()[level];
  if (!compressor) compressor.reset(libdeflate_alloc_compressor(static_cast<int>(level)));
  if (!compressor) throw std::bad_alloc();
  return compressor.get();
}

libdeflate_decompressor* thread_decompressor() {
  Decompressor& decompressor = thread_value<Decompressor, FreeDecompressor>();
  if (!decompressor) decompressor.reset(libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  return decompressor.get();
}

/// The most that `stored_bytes` of DEFLATE can expand to: no code yields more than 258 bytes from 2 bits.
std::size_t most_expanded(std::size_t stored_bytes) {
  constexpr std::size_t ratio = 1032;
  return stored_bytes > SIZE_MAX / ratio ? SIZE_MAX : stored_bytes * ratio;
}

Buffer copied(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// The frame of a zlib stream, and blocks of bytes as they are.
constexpr std::size_t head_bytes = 2, sum_bytes = 4, block_head_bytes = 5, most_block_bytes = 65535;
constexpr std::uint64_t head = 0x0178;  ///< DEFLATE, a window of 32 KiB, packed in haste

std::size_t as_blocks_bytes(std::size_t plain_bytes) {
  return plain_bytes + (plain_bytes / most_block_bytes + 1) * block_head_bytes;
}

/// Blocks, by default other than the last of a stream; returns what is left of the room.
MutableBytes put_as_blocks(Bytes plain, MutableBytes room, bool last = false) {
  while (!plain.empty()) {
    const std::size_t size = std::min(plain.size(), most_block_bytes);
    room[0] = std::byte{last && size == plain.size()};
    store_word(&room[1], size, 2);
    store_word(&room[3], ~size, 2);
    std::ranges::copy(plain.first(size), room.begin() + block_head_bytes);
    room = room.subspan(block_head_bytes + size);
    plain = plain.subspan(size);
  }
  return room;
}

/// At these levels nobody expects every repeat to be found.
constexpr unsigned highest_hasty_level = 3;
/// More may be worth codes that change on the way.
constexpr std::size_t most_literals = 32u << 10;

/// The last block of a stream, without a search for repeats: where none are to be expected that would take
/// fewer bits than the bytes by themselves. Returns its bytes, or 0.
std::size_t put_without_search(Bytes plain, MutableBytes room) {
  if (plain.empty() || plain.size() > most_literals) return 0;
  const LiteralPlan plan = plan_literals(plain);
  const std::uint64_t as_they_are = 8 * (plain.size() + block_head_bytes);
  const std::uint64_t bits = std::min(plan.bits, as_they_are);
  // What a repeat costs: about 12 bits and the bits of its distance.
  const std::uint64_t repeat_bits = 12 + static_cast<unsigned>(std::bit_width(plain.size()));
  const std::uint64_t length = repeat_bits * plain.size() / bits;
  if (length > 16 || !hardly_repeats(plain, std::max<std::size_t>(4, length))) return 0;
  if (plan.bits < as_they_are) return put_literals(plain, plan, room);
  return room.size() - put_as_blocks(plain, room, true).size();
}

class BoundDeflate : public BoundFilter {
 public:
  BoundDeflate(unsigned level, std::size_t element_bytes) : level_(level), element_bytes_(element_bytes) {}

  Buffer encode(Bytes plain) const override {
    Workspace room;
    return copied(encode_in(room, plain));
  }

  Bytes encode_in(Workspace& room, Bytes plain) const override {
    libdeflate_compressor* compressor = thread_compressor(level_);
    // Shuffled numbers begin with their low bytes, which often are noise. Packed together with the rest they
    // would spoil its codes, and cost most of the time.
    const std::size_t noise = level_ == 0 ? 0 : noise_in_front(plain, element_bytes_);
    if (noise != 0 || is_hasty()) {
      const Bytes stored = encode_behind(noise, room, plain, compressor);
      if (!stored.empty()) return stored;
    }
    const MutableBytes stored = room.allocate(libdeflate_zlib_compress_bound(compressor, plain.size()));
    const std::size_t bytes =
        libdeflate_zlib_compress(compressor, plain.data(), plain.size(), stored.data(), stored.size());
    if (bytes == 0) throw Error(ErrorKind::internal, "libdeflate's own bound was too small");
    return stored.first(bytes);
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    Workspace room;
    return copied(decode_in(room, stored, max_bytes));
  }

  /// Bytes behind the end of the stream are ignored, as stock does.
  Bytes decode_in(Workspace& room, Bytes stored, std::size_t max_bytes) const override {
    // One byte at least: the library wants a pointer even for nothing.
    const MutableBytes plain =
        room.allocate(std::max<std::size_t>(1, std::min(max_bytes, most_expanded(stored.size()))));
    std::size_t used = 0, bytes = 0;
    const libdeflate_result result =
        libdeflate_zlib_decompress_ex(thread_decompressor(), stored.data(), stored.size(), plain.data(),
                                      std::min(plain.size(), max_bytes), &used, &bytes);
    switch (result) {
      case LIBDEFLATE_SUCCESS:
        break;
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw Error(ErrorKind::corrupt,
                    fmt::format("{} bytes of zlib stream expand to more than the {} bytes that belong here",
                                stored.size(), max_bytes));
      case LIBDEFLATE_BAD_DATA:
      case LIBDEFLATE_SHORT_OUTPUT:
        throw Error(ErrorKind::corrupt, fmt::format("{} bytes are not a valid zlib stream", stored.size()));
    }
    return plain.first(bytes);
  }

 private:
  bool is_hasty() const { return level_ >= 1 && level_ <= highest_hasty_level; }

  /// Nothing where there is no noise and the rest should better be searched.
  Bytes encode_behind(std::size_t noise, Workspace& room, Bytes plain,
                      libdeflate_compressor* compressor) const {
    const Bytes rest = plain.subspan(noise);
    const MutableBytes stored =
        room.allocate(head_bytes + as_blocks_bytes(noise) +
                      libdeflate_deflate_compress_bound(compressor, rest.size()) + sum_bytes + 8);
    store_word(stored.data(), head, head_bytes);
    MutableBytes left = put_as_blocks(plain.first(noise), stored.subspan(head_bytes));
    std::size_t bytes = is_hasty() ? put_without_search(rest, left) : 0;
    if (bytes == 0 && noise == 0) return {};
    if (bytes == 0)
      bytes = libdeflate_deflate_compress(compressor, rest.data(), rest.size(), left.data(),
                                          left.size() - sum_bytes);
    if (bytes == 0) throw Error(ErrorKind::internal, "libdeflate's own bound was too small");
    left = left.subspan(bytes);
    store_word(left.data(), __builtin_bswap32(libdeflate_adler32(1, plain.data(), plain.size())), sum_bytes);
    return stored.first(stored.size() - left.size() + sum_bytes);
  }

  const unsigned level_;
  const std::size_t element_bytes_;
};

class Deflate : public Filter {
 public:
  std::uint16_t id() const override { return 1; }
  std::string_view name() const override { return "deflate"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout& layout) const override {
    if (params.size() != 1) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("deflate has {} parameters, needs 1 (the level)", params.size()));
    }
    if (params[0] > highest_level) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("deflate level is {}, allowed 0 to {}", params[0], highest_level));
    }
    return std::make_unique<BoundDeflate>(params[0], layout.element_bytes);
  }
};

}  // namespace

const Filter& deflate_filter() {
  static const Deflate filter;
  return filter;
}

}  // namespace filigree::filter
