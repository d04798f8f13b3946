// SPDX-License-Identifier: Apache-2.0
//
// Filter 32008, bitshuffle: transposes the bits of all elements of a block, then compresses with LZ4 or
// Zstandard.
//
// A block holds all lowest bits of the first bytes, then all second bits, and so on. Up to 7 elements at the
// end are stored unchanged. Compressed data begin with the number of data bytes (8) and of block bytes (4);
// each block has its stored bytes (4) and content. These numbers are big-endian. The remaining elements
// follow uncompressed.
//
// Parameters in the file: version (two), bytes of an element, elements of a block (0: chosen), compression (0
// none, 2 LZ4, 3 Zstandard), level. A request gives those after the first three; all are optional.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/big_endian.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/lz4_codec.hpp"
#include "filter/planes.hpp"
#include "filter/zstd_codec.hpp"

namespace filigree::filter {
namespace {

enum class Packing : std::uint32_t { none = 0, lz4 = 2, zstd = 3 };

constexpr std::size_t header_bytes = 12;
constexpr std::size_t block_header_bytes = 4;
constexpr std::size_t group = 8;  ///< number of elements whose bits share a byte
constexpr std::uint32_t format_major = 0, format_minor = 4;

/// *Requires* a multiple of 8 elements in `block` and as many bytes in `spare`.
void shuffle_bits(Bytes block, std::size_t width, MutableBytes to, MutableBytes spare) {
  split_planes(block, width, spare.data());
  transpose_bits(spare);
  const std::size_t plane = block.size() / width;
  for (std::size_t at = 0; at < block.size(); at += plane) {
    split_planes(spare.subspan(at, plane), group, to.data() + at);
  }
}

void unshuffle_bits(Bytes block, std::size_t width, MutableBytes to, MutableBytes spare) {
  const std::size_t plane = block.size() / width;
  for (std::size_t at = 0; at < block.size(); at += plane) {
    join_planes(block.subspan(at, plane), group, spare.data() + at);
  }
  transpose_bits(spare);
  join_planes(spare, width, to.data());
}

struct Settings {
  std::size_t width = 1;
  std::size_t block_bytes = 0;  ///< size of a multiple of 8 elements
  Packing packing = Packing::none;
  int level = 0;
};

class BoundBitshuffle : public BoundFilter {
 public:
  explicit BoundBitshuffle(const Settings& settings) : settings_(settings) {}

  Buffer encode(Bytes unfiltered) const override {
    Buffer stored;
    stored.reserve(unfiltered.size() + header_bytes);
    if (packed()) {
      stored.resize(header_bytes);
      store_big(stored.data(), unfiltered.size(), 8);
      store_big(stored.data() + 8, settings_.block_bytes, 4);
    }
    Buffer shuffled(std::min(settings_.block_bytes, unfiltered.size())), spare(shuffled.size());
    const std::size_t end =
        each_block(unfiltered.size(), settings_.block_bytes, [&](std::size_t at, std::size_t bytes) {
          const MutableBytes to = MutableBytes(shuffled).first(bytes);
          shuffle_bits(unfiltered.subspan(at, bytes), settings_.width, to, MutableBytes(spare).first(bytes));
          append_block(stored, to);
        });
    const Bytes tail = unfiltered.subspan(end);
    stored.insert(stored.end(), tail.begin(), tail.end());
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    std::size_t total = stored.size(), block_bytes = settings_.block_bytes;
    if (packed()) {
      check_holds(stored.size(), header_bytes, "header of bitshuffle blocks");
      total = check_total(load_big(stored.data(), 8), stored.size(), max_bytes);
      block_bytes = check_block(load_big(stored.data() + 8, 4));
      stored = stored.subspan(header_bytes);
    }
    check_fits(total, max_bytes);
    Buffer unfiltered(total), unpacked(packed() ? std::min(block_bytes, total) : 0),
        spare(std::min(block_bytes, total));
    const std::size_t end = each_block(total, block_bytes, [&](std::size_t at, std::size_t bytes) {
      const Bytes block = decode_block(stored, MutableBytes(unpacked), bytes);
      unshuffle_bits(block, settings_.width, MutableBytes(unfiltered).subspan(at, bytes),
                     MutableBytes(spare).first(bytes));
    });
    check_holds(stored.size(), total - end, "end of bitshuffle data");
    std::copy_n(stored.begin(), total - end, unfiltered.begin() + static_cast<std::ptrdiff_t>(end));
    return unfiltered;
  }

 private:
  bool packed() const { return settings_.packing != Packing::none; }

  /// Calls `work(start, bytes)` for full blocks, then for one block of the remaining groups of 8 elements.
  /// Returns the end of the last block.
  template <class Work>
  std::size_t each_block(std::size_t total, std::size_t block_bytes, const Work& work) const {
    std::size_t at = 0;
    for (; block_bytes <= total - at; at += block_bytes) work(at, block_bytes);
    const std::size_t group_bytes = group * settings_.width;
    const std::size_t last = (total - at) / group_bytes * group_bytes;
    if (last != 0) work(at, last);
    return at + last;
  }

  std::size_t check_total(std::uint64_t total, std::size_t stored_bytes, std::size_t max_bytes) const {
    check_fits(total, max_bytes);
    if (settings_.packing == Packing::lz4) lz4::check_ratio(stored_bytes, total);
    return total;
  }

  std::size_t check_block(std::size_t block_bytes) const {
    if (block_bytes == 0 || block_bytes % (group * settings_.width) != 0) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("bitshuffle blocks of {} bytes are not groups of 8 elements of {}", block_bytes,
                              settings_.width));
    }
    return block_bytes;
  }

  void append_block(Buffer& stored, Bytes block) const {
    if (!packed()) {
      stored.insert(stored.end(), block.begin(), block.end());
      return;
    }
    const std::size_t start = stored.size();
    stored.resize(start + block_header_bytes);
    if (settings_.packing == Packing::lz4) {
      stored.resize(stored.size() + lz4::most_stored_bytes(block.size()));
      stored.resize(start + block_header_bytes +
                    lz4::compress(block, MutableBytes(stored).subspan(start + block_header_bytes)));
    } else {
      const Buffer frame = zstd::compress(block, settings_.level);
      stored.insert(stored.end(), frame.begin(), frame.end());
    }
    store_big(stored.data() + start, stored.size() - start - block_header_bytes, block_header_bytes);
  }

  /// Decodes the block of `bytes` at the front of `stored` and advances `stored` past it.
  Bytes decode_block(Bytes& stored, MutableBytes output, std::size_t bytes) const {
    if (!packed()) {
      const Bytes block = stored.first(bytes);
      stored = stored.subspan(bytes);
      return block;
    }
    check_holds(stored.size(), block_header_bytes, "header of a bitshuffle block");
    const std::size_t stored_bytes = load_big(stored.data(), block_header_bytes);
    check_holds(stored.size() - block_header_bytes, stored_bytes, "bitshuffle block");
    const Bytes content = stored.subspan(block_header_bytes, stored_bytes);
    const MutableBytes to = output.first(bytes);
    settings_.packing == Packing::lz4 ? lz4::decompress(content, to) : zstd::decompress(content, to);
    stored = stored.subspan(block_header_bytes + stored_bytes);
    return to;
  }

  const Settings settings_;
};

/// The block size that the bitshuffle library chooses: about 8 KiB, but not too few elements.
std::size_t chosen_block(std::size_t width) {
  constexpr std::size_t target_bytes = 8192, fewest = 128;
  return std::max(fewest, target_bytes / width / group * group);
}

Settings settings_of(std::span<const std::uint32_t> params) {
  if (params.size() < 3 || params[2] == 0) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format("bitshuffle has {} parameters, needs 3, the last of them above 0", params.size()));
  }
  Settings settings;
  settings.width = params[2];
  const std::size_t elements =
      params.size() > 3 && params[3] != 0 ? std::size_t{params[3]} : chosen_block(settings.width);
  settings.block_bytes = elements * settings.width;
  const std::uint32_t packing = params.size() > 4 ? params[4] : 0;
  if (elements % group != 0 || (packing != 0 && settings.block_bytes > lz4::most_unfiltered_bytes())) {
    throw Error(ErrorKind::corrupt,
                fmt::format("bitshuffle blocks of {} elements of {} bytes, allowed multiples "
                            "of 8, of up to {} bytes when compressed",
                            elements, settings.width, lz4::most_unfiltered_bytes()));
  }
  if (packing != 0 && packing != 2 && packing != 3) {
    throw Error(ErrorKind::corrupt,
                fmt::format("bitshuffle compression is {}, allowed 0, 2 (LZ4) and 3 (Zstandard)", packing));
  }
  settings.packing = static_cast<Packing>(packing);
  settings.level =
      params.size() > 5 ? zstd::usable_level(static_cast<std::int32_t>(params[5])) : zstd::default_level();
  return settings;
}

class Bitshuffle : public Filter {
 public:
  std::uint16_t id() const override { return 32008; }
  std::string_view name() const override {
    return "bitshuffle; see https://github.com/kiyo-masui/bitshuffle";
  }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundBitshuffle>(settings_of(params));
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> requested,
                                     const ChunkFacts& chunk) const override {
    std::vector<std::uint32_t> params{format_major, format_minor, chunk.type.bytes};
    params.insert(params.end(), requested.begin(), requested.end());
    check_argument([&] { settings_of(params); });
    return params;
  }
};

}  // namespace

const Filter& bitshuffle_filter() {
  static const Immortal<Bitshuffle> filter;
  return *filter;
}

}  // namespace filigree::filter
