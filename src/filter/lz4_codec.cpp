// SPDX-License-Identifier: Apache-2.0
#include "filter/lz4_codec.hpp"

#include <fmt/format.h>
#include <lz4.h>

#include <filigree/error.hpp>

namespace filigree::filter::lz4 {
namespace {

const char* text(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }
char* text(std::byte* bytes) { return reinterpret_cast<char*>(bytes); }

}  // namespace

std::size_t most_unfiltered_bytes() { return LZ4_MAX_INPUT_SIZE; }

std::size_t most_stored_bytes(std::size_t unfiltered_bytes) {
  return static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(unfiltered_bytes)));
}

std::size_t compress(Bytes unfiltered, MutableBytes to) {
  const int bytes = LZ4_compress_default(text(unfiltered.data()), text(to.data()),
                                         static_cast<int>(unfiltered.size()), static_cast<int>(to.size()));
  if (bytes <= 0) throw Error(ErrorKind::internal, "liblz4's own bound was too small");
  return static_cast<std::size_t>(bytes);
}

void decompress(Bytes stored, MutableBytes to) {
  const bool possible = stored.size() <= INT32_MAX && to.size() <= INT32_MAX;
  const int bytes = possible
                        ? LZ4_decompress_safe(text(stored.data()), text(to.data()),
                                              static_cast<int>(stored.size()), static_cast<int>(to.size()))
                        : -1;
  if (bytes < 0 || static_cast<std::size_t>(bytes) != to.size()) {
    throw Error(ErrorKind::corrupt, fmt::format("{} bytes are not an LZ4 block of {} uncompressed bytes",
                                                stored.size(), to.size()));
  }
}

void check_ratio(std::size_t stored_bytes, std::uint64_t unfiltered_bytes) {
  constexpr std::uint64_t ratio = 255;
  if (unfiltered_bytes / ratio > stored_bytes) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} bytes declare {} uncompressed bytes, more than LZ4 can reach", stored_bytes,
                            unfiltered_bytes));
  }
}

}  // namespace filigree::filter::lz4
