// SPDX-License-Identifier: Apache-2.0
#include "filter/szip_setup.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

constexpr std::uint32_t most_block_pixels = 32;
constexpr std::uint32_t most_line_blocks = 128;
constexpr std::uint32_t most_line_pixels = most_block_pixels * most_line_blocks;

bool good_block(std::uint32_t pixels) {
  return pixels >= 2 && pixels <= most_block_pixels && pixels % 2 == 0;
}

[[noreturn]] void refuse(std::string why) {
  throw Error(ErrorKind::invalid_argument, "szip: " + std::move(why));
}

std::uint32_t pixel_bits(const TypeFacts& type) {
  const std::uint32_t bits = type.offset_bits == 0 ? type.precision_bits : 8 * type.bytes;
  if (bits <= 24) return bits;
  return bits <= 32 ? 32 : 64;
}

std::uint32_t line_pixels(std::uint32_t block, const ChunkFacts& chunk) {
  const std::uint64_t longest = std::uint64_t{block} * most_line_blocks;
  std::uint64_t line = chunk.dims.back();
  if (line < block) {
    line = chunk.elements();
    if (line < block) {
      refuse(fmt::format("a chunk of {} elements is smaller than a block of {} pixels", line, block));
    }
  }
  return static_cast<std::uint32_t>(std::min(line, longest));
}

}  // namespace

void check_szip_params(std::span<const std::uint32_t> params) {
  if (params.size() != 4) {
    throw Error(ErrorKind::corrupt, fmt::format("szip has {} parameters, needs 4", params.size()));
  }
  const std::uint32_t block = params[1], bits = params[2], line = params[3];
  if (!good_block(block)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("szip has blocks of {} pixels, allowed even numbers from 2 to {}", block,
                            most_block_pixels));
  }
  if (bits == 0 || (bits > 24 && bits != 32 && bits != 64)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("szip has pixels of {} bits, allowed 1 to 24, 32 and 64", bits));
  }
  if (line == 0 || line > most_line_pixels) {
    throw Error(ErrorKind::corrupt,
                fmt::format("szip has lines of {} pixels, allowed 1 to {}", line, most_line_pixels));
  }
}

std::vector<std::uint32_t> szip_params(std::span<const std::uint32_t> requested, const ChunkFacts& chunk) {
  if (requested.size() < 2) refuse("needs options and pixels of a block");
  const std::uint32_t block = requested[1];
  if (!good_block(block))
    refuse(fmt::format("blocks of {} pixels, allowed even numbers from 2 to 32", block));
  const std::uint32_t coding = requested[0] & (szip_entropy | szip_nearest);
  if (coding != szip_entropy && coding != szip_nearest)
    refuse("needs one of entropy coding and nearest neighbour");
  const TypeFacts& type = chunk.type;
  if (type.bytes > 4 && type.bytes != 8) {
    refuse(fmt::format("elements of {} bytes, allowed 1 to 4 and 8", type.bytes));
  }
  if (type.order == TypeFacts::Order::none || type.precision_bits == 0 || chunk.dims.empty()) {
    refuse("only chunked data whose elements have a byte order");
  }
  const std::uint32_t order = type.order == TypeFacts::Order::big ? szip_most_first : szip_least_first;
  const std::uint32_t options =
      (requested[0] & ~std::uint32_t{szip_chip | szip_least_first | szip_most_first}) | szip_k13 | szip_raw |
      order;
  return {options, block, pixel_bits(type), line_pixels(block, chunk)};
}

}  // namespace filigree::filter
