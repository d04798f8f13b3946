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

std::size_t most_plain_bytes() { return LZ4_MAX_INPUT_SIZE; }

std::size_t most_stored_bytes(std::size_t plain_bytes) {
  return static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain_bytes)));
}

std::size_t compress(Bytes plain, MutableBytes to) {
  const int bytes = LZ4_compress_default(text(plain.data()), text(to.data()), static_cast<int>(plain.size()),
                                         static_cast<int>(to.size()));
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
    throw Error(ErrorKind::corrupt,
                fmt::format("{} bytes are no LZ4 block that stands for {} bytes", stored.size(), to.size()));
  }
}

void check_ratio(std::size_t stored_bytes, std::uint64_t plain_bytes) {
  constexpr std::uint64_t ratio = 255;
  if (plain_bytes / ratio > stored_bytes) {
    throw Error(ErrorKind::corrupt, fmt::format("{} bytes claim to stand for {}, more than LZ4 can do",
                                                stored_bytes, plain_bytes));
  }
}

}  // namespace filigree::filter::lz4
