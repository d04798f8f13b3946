// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <libdeflate.h>

#include <filigree/error.hpp>

#include "filter/builtin.hpp"

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
  thread_local std::array<Compressor, highest_level + 1> compressors;
  Compressor& compressor = compressors[level];
  if (!compressor) compressor.reset(libdeflate_alloc_compressor(static_cast<int>(level)));
  if (!compressor) throw std::bad_alloc();
  return compressor.get();
}

libdeflate_decompressor* thread_decompressor() {
  thread_local Decompressor decompressor;
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

class BoundDeflate : public BoundFilter {
 public:
  explicit BoundDeflate(unsigned level) : level_(level) {}

  Buffer encode(Bytes plain) const override {
    Workspace room;
    return copied(encode_in(room, plain));
  }

  Bytes encode_in(Workspace& room, Bytes plain) const override {
    libdeflate_compressor* compressor = thread_compressor(level_);
    const MutableBytes stored = room.take(libdeflate_zlib_compress_bound(compressor, plain.size()));
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
        room.take(std::max<std::size_t>(1, std::min(max_bytes, most_expanded(stored.size()))));
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
  const unsigned level_;
};

class Deflate : public Filter {
 public:
  std::uint16_t id() const override { return 1; }
  std::string_view name() const override { return "deflate"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    if (params.size() != 1) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("deflate has {} parameters, needs 1 (the level)", params.size()));
    }
    if (params[0] > highest_level) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("deflate level is {}, allowed 0 to {}", params[0], highest_level));
    }
    return std::make_unique<BoundDeflate>(params[0]);
  }
};

}  // namespace

const Filter& deflate_filter() {
  static const Deflate filter;
  return filter;
}

}  // namespace filigree::filter
