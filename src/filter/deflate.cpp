// SPDX-License-Identifier: Apache-2.0
//
// Filter 1, deflate: a zlib stream. Parameter: level 0 to 9.
//
// Streams are compatible with zlib. Encoding adds two shortcuts: leading bytes that are noise are stored
// uncompressed, and short noisy data at low levels get a block of literals without a search for repeats.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
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

// A compressor has much working memory and carries no state between chunks, so every thread keeps its own.
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

/// The most bytes that `stored_bytes` of DEFLATE can expand to: 2 bits yield at most 258 bytes.
std::size_t most_expanded(std::size_t stored_bytes) {
  constexpr std::size_t ratio = 1032;
  return stored_bytes > SIZE_MAX / ratio ? SIZE_MAX : stored_bytes * ratio;
}

Buffer copied(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// The frame of a zlib stream, and stored (uncompressed) blocks.
constexpr std::size_t head_bytes = 2, sum_bytes = 4, block_head_bytes = 5, most_block_bytes = 65535;
constexpr std::uint64_t head = 0x0178;  ///< DEFLATE, a window of 32 KiB, fastest compression

std::size_t stored_blocks_bytes(std::size_t unfiltered_bytes) {
  return unfiltered_bytes + (unfiltered_bytes / most_block_bytes + 1) * block_head_bytes;
}

/// Writes stored blocks. `last` marks the final block of a stream. Returns the rest of the output.
MutableBytes put_stored_blocks(Bytes unfiltered, MutableBytes output, bool last = false) {
  while (!unfiltered.empty()) {
    const std::size_t size = std::min(unfiltered.size(), most_block_bytes);
    output[0] = std::byte{last && size == unfiltered.size()};
    store_word(&output[1], size, 2);
    store_word(&output[3], ~size, 2);
    std::ranges::copy(unfiltered.first(size), output.begin() + block_head_bytes);
    output = output.subspan(block_head_bytes + size);
    unfiltered = unfiltered.subspan(size);
  }
  return output;
}

/// Up to this level, speed matters more than finding every repeat.
constexpr unsigned highest_fast_level = 3;
/// Longer data may profit from several blocks with different codes.
constexpr std::size_t most_literals = 32u << 10;

/// Writes the last block of a stream without a search for repeats, if no repeat is likely to take fewer bits
/// than its literals. Returns the size of the block, or 0 if the search is worthwhile.
std::size_t put_without_search(Bytes unfiltered, MutableBytes output) {
  if (unfiltered.empty() || unfiltered.size() > most_literals) return 0;
  const LiteralPlan plan = plan_literals(unfiltered);
  const std::uint64_t stored_bits = 8 * (unfiltered.size() + block_head_bytes);
  const std::uint64_t bits = std::min(plan.bits, stored_bits);
  // A repeat costs about 12 bits plus the bits of its distance.
  const std::uint64_t repeat_bits = 12 + static_cast<unsigned>(std::bit_width(unfiltered.size()));
  const std::uint64_t length = repeat_bits * unfiltered.size() / bits;
  if (length > 16 || !hardly_repeats(unfiltered, std::max<std::size_t>(4, length))) return 0;
  if (plan.bits < stored_bits) return put_literals(unfiltered, plan, output);
  return output.size() - put_stored_blocks(unfiltered, output, true).size();
}

class BoundDeflate : public BoundFilter {
 public:
  BoundDeflate(unsigned level, std::size_t element_bytes) : level_(level), element_bytes_(element_bytes) {}

  Buffer encode(Bytes unfiltered) const override {
    Workspace workspace;
    return copied(encode_in(workspace, unfiltered));
  }

  Bytes encode_in(Workspace& workspace, Bytes unfiltered) const override {
    libdeflate_compressor* compressor = thread_compressor(level_);
    // Shuffled numbers begin with their low bytes, which are often noise. Compressing those together with the
    // rest would make the codes worse and take most of the time.
    const std::size_t noise = level_ == 0 ? 0 : noise_in_front(unfiltered, element_bytes_);
    if (noise != 0 || is_fast()) {
      const Bytes stored = encode_behind(noise, workspace, unfiltered, compressor);
      if (!stored.empty()) return stored;
    }
    const MutableBytes stored =
        workspace.allocate(libdeflate_zlib_compress_bound(compressor, unfiltered.size()));
    const std::size_t bytes = libdeflate_zlib_compress(compressor, unfiltered.data(), unfiltered.size(),
                                                       stored.data(), stored.size());
    if (bytes == 0) throw Error(ErrorKind::internal, "libdeflate's own bound was too small");
    return stored.first(bytes);
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    Workspace workspace;
    return copied(decode_in(workspace, stored, max_bytes));
  }

  /// Bytes after the end of the stream are ignored, as HDF5 does.
  Bytes decode_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const override {
    // At least one byte: libdeflate needs a valid pointer even for an empty result.
    const MutableBytes unfiltered =
        workspace.allocate(std::max<std::size_t>(1, std::min(max_bytes, most_expanded(stored.size()))));
    std::size_t used = 0, bytes = 0;
    const libdeflate_result result =
        libdeflate_zlib_decompress_ex(thread_decompressor(), stored.data(), stored.size(), unfiltered.data(),
                                      std::min(unfiltered.size(), max_bytes), &used, &bytes);
    switch (result) {
      case LIBDEFLATE_SUCCESS:
        break;
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        throw Error(ErrorKind::corrupt,
                    fmt::format("{} bytes of zlib stream expand to more than the expected {} bytes",
                                stored.size(), max_bytes));
      case LIBDEFLATE_BAD_DATA:
      case LIBDEFLATE_SHORT_OUTPUT:
        throw Error(ErrorKind::corrupt, fmt::format("{} bytes are not a valid zlib stream", stored.size()));
    }
    return unfiltered.first(bytes);
  }

 private:
  bool is_fast() const { return level_ >= 1 && level_ <= highest_fast_level; }

  /// Encodes `noise` bytes as stored blocks and compresses the rest. Returns no bytes if there is no noise
  /// and the rest should be searched for repeats.
  Bytes encode_behind(std::size_t noise, Workspace& workspace, Bytes unfiltered,
                      libdeflate_compressor* compressor) const {
    const Bytes rest = unfiltered.subspan(noise);
    const MutableBytes stored =
        workspace.allocate(head_bytes + stored_blocks_bytes(noise) +
                           libdeflate_deflate_compress_bound(compressor, rest.size()) + sum_bytes + 8);
    store_word(stored.data(), head, head_bytes);
    MutableBytes left = put_stored_blocks(unfiltered.first(noise), stored.subspan(head_bytes));
    std::size_t bytes = is_fast() ? put_without_search(rest, left) : 0;
    if (bytes == 0 && noise == 0) return {};
    if (bytes == 0)
      bytes = libdeflate_deflate_compress(compressor, rest.data(), rest.size(), left.data(),
                                          left.size() - sum_bytes);
    if (bytes == 0) throw Error(ErrorKind::internal, "libdeflate's own bound was too small");
    left = left.subspan(bytes);
    store_word(left.data(), __builtin_bswap32(libdeflate_adler32(1, unfiltered.data(), unfiltered.size())),
               sum_bytes);
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
  static const Immortal<Deflate> filter;
  return *filter;
}

}  // namespace filigree::filter
