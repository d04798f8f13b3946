// SPDX-License-Identifier: Apache-2.0
#include "filter/zstd_codec.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <zstd.h>

#include <filigree/error.hpp>

#include "base/thread_value.hpp"

namespace filigree::filter::zstd {
namespace {

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// A context has much working memory and carries no state between frames, so every thread keeps its own.
ZSTD_CCtx* thread_compressor() {
  auto& context = thread_value<std::unique_ptr<ZSTD_CCtx, FreeContext>, FreeContext>();
  if (!context) context.reset(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}

ZSTD_DCtx* thread_decompressor() {
  auto& context = thread_value<std::unique_ptr<ZSTD_DCtx, FreeContext>, FreeContext>();
  if (!context) context.reset(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}

/// The most bytes that frames of `stored_bytes` can decode to: a block takes four bytes and holds up to 128
/// KiB.
std::size_t most_expanded(std::size_t stored_bytes) {
  constexpr std::size_t block_bytes = std::size_t{128} << 10;
  const std::size_t blocks = stored_bytes / 4;
  return blocks > SIZE_MAX / block_bytes ? SIZE_MAX : blocks * block_bytes;
}

std::size_t decompress_into(Bytes stored, std::byte* to, std::size_t bytes) {
  const std::size_t result =
      ZSTD_decompressDCtx(thread_decompressor(), to, bytes, stored.data(), stored.size());
  if (ZSTD_isError(result) != 0) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} bytes of Zstandard that should decode to at most {} bytes: {}", stored.size(),
                            bytes, ZSTD_getErrorName(result)));
  }
  return result;
}

}  // namespace

int default_level() { return ZSTD_CLEVEL_DEFAULT; }

int usable_level(std::int32_t level) {
  return level == 0 ? ZSTD_CLEVEL_DEFAULT : std::clamp<int>(level, ZSTD_minCLevel(), ZSTD_maxCLevel());
}

Buffer compress(Bytes unfiltered, int level) {
  Buffer stored(ZSTD_compressBound(unfiltered.size()));
  const std::size_t result = ZSTD_compressCCtx(thread_compressor(), stored.data(), stored.size(),
                                               unfiltered.data(), unfiltered.size(), level);
  if (ZSTD_isError(result) != 0) {
    throw Error(ErrorKind::internal, fmt::format("Zstandard failed to compress {} bytes: {}",
                                                 unfiltered.size(), ZSTD_getErrorName(result)));
  }
  stored.resize(result);
  return stored;
}

Buffer decompress(Bytes stored, std::size_t max_bytes) {
  Buffer unfiltered(std::min(max_bytes, most_expanded(stored.size())));
  unfiltered.resize(decompress_into(stored, unfiltered.data(), unfiltered.size()));
  return unfiltered;
}

void decompress(Bytes stored, MutableBytes to) {
  if (decompress_into(stored, to.data(), to.size()) != to.size()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} bytes of Zstandard do not decode to {} bytes", stored.size(), to.size()));
  }
}

}  // namespace filigree::filter::zstd
