// SPDX-License-Identifier: Apache-2.0
//
// Filter 4, szip (Rice codes of CCSDS 121), on top of libaec. Parameters in the file: options, pixels of a
// block, bits of a pixel, pixels of a line. A request has options (SzipOption) and pixels of a block.
//
// libaec codes lines of full blocks of samples of 1 to 24 bits. Pixels of 32 and 64 bits are first split into
// planes of bytes. Lines that are not a multiple of a block are padded.
#include <algorithm>
#include <cstring>
#include <new>
#include <tuple>

#include <fmt/format.h>
#include <libaec.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/planes.hpp"
#include "filter/szip_setup.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t header_bytes = 4;

/// The bytes of a chunk as libaec sees them.
struct Shape {
  unsigned flags = 0;
  unsigned sample_bits = 8;
  std::size_t sample_bytes = 1;
  unsigned block_samples = 0;
  unsigned line_blocks = 0;
  std::size_t line_bytes = 0;         ///< size without padding
  std::size_t padded_line_bytes = 0;  ///< a multiple of the block size
  std::size_t planes = 1;             ///< bytes of a pixel, if each is coded separately
};

const unsigned char* near(const std::byte* at) { return reinterpret_cast<const unsigned char*>(at); }
unsigned char* near(std::byte* at) { return reinterpret_cast<unsigned char*>(at); }

[[noreturn]] void fail(int status, const char* doing) {
  if (status == AEC_MEM_ERROR) throw std::bad_alloc();
  const ErrorKind kind = status == AEC_DATA_ERROR ? ErrorKind::corrupt : ErrorKind::internal;
  throw Error(kind, fmt::format("libaec failed while {} szip data (error {})", doing, status));
}

/// A stream of libaec; `Start`, `Run` and `End` are the functions of one direction.
template <auto Start, auto Run, auto End>
class Coder {
 public:
  Coder(const Shape& shape, const char* doing) : doing_(doing) {
    stream_.bits_per_sample = shape.sample_bits;
    stream_.block_size = shape.block_samples;
    stream_.rsi = shape.line_blocks;
    stream_.flags = shape.flags;
    if (const int status = Start(&stream_); status != AEC_OK) fail(status, doing_);
  }
  ~Coder() { End(&stream_); }
  Coder(const Coder&) = delete;
  Coder& operator=(const Coder&) = delete;

  void run(Bytes in, MutableBytes out, int flush) {
    stream_.next_in = near(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = near(out.data());
    stream_.avail_out = out.size();
    if (const int status = Run(&stream_, flush); status != AEC_OK) fail(status, doing_);
  }
  std::size_t unread() const { return stream_.avail_in; }
  std::size_t unwritten() const { return stream_.avail_out; }

 private:
  aec_stream stream_{};
  const char* doing_;
};
using Compressor = Coder<aec_encode_init, aec_encode, aec_encode_end>;
using Decompressor = Coder<aec_decode_init, aec_decode, aec_decode_end>;

class BoundSzip : public BoundFilter {
 public:
  explicit BoundSzip(const Shape& shape) : shape_(shape) {}

  bool skips_growth() const override { return true; }

  Buffer encode(Bytes unfiltered) const override {
    if (unfiltered.empty() || unfiltered.size() > UINT32_MAX ||
        unfiltered.size() % shape_.sample_bytes != 0) {
      throw Error(ErrorKind::invalid_argument, fmt::format("szip cannot store {} bytes", unfiltered.size()));
    }
    Buffer planes;
    if (shape_.planes > 1) {
      planes.resize(unfiltered.size());
      split_planes(unfiltered, shape_.planes, planes.data());
    }
    const Buffer padded = pad(shape_.planes > 1 ? Bytes(planes) : unfiltered);
    // A block grows at most by the bits of its id: up to 5 for every 2 samples.
    Buffer stored(header_bytes + padded.size() * 2 + 64);
    store_word(stored.data(), unfiltered.size(), header_bytes);
    Compressor coder(shape_, "encoding");
    coder.run(padded, MutableBytes(stored).subspan(header_bytes), AEC_FLUSH);
    if (coder.unread() != 0) throw Error(ErrorKind::internal, "szip data exceed their size bound");
    stored.resize(stored.size() - coder.unwritten());
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    check_holds(stored.size(), header_bytes, "szip header");
    const std::size_t bytes = load_word(stored.data(), header_bytes);
    check_fits(bytes, max_bytes);
    if (bytes % shape_.sample_bytes != 0) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} bytes of szip data are not a multiple of the {} bytes of a sample", bytes,
                              shape_.sample_bytes));
    }
    Buffer unfiltered(bytes);
    take(stored.subspan(header_bytes), unfiltered);
    if (shape_.planes <= 1) return unfiltered;
    Buffer joined(bytes);
    join_planes(unfiltered, shape_.planes, joined.data());
    return joined;
  }

 private:
  /// Pads all lines to full blocks. The padding is cheap to code: it repeats the last sample if differences
  /// are coded, and is zero otherwise.
  Buffer pad(Bytes samples) const {
    const std::size_t lines = (samples.size() + shape_.line_bytes - 1) / shape_.line_bytes;
    Buffer padded(lines * shape_.padded_line_bytes);
    for (std::size_t line = 0; line < lines; ++line) {
      const Bytes from = samples.subspan(
          line * shape_.line_bytes, std::min(shape_.line_bytes, samples.size() - line * shape_.line_bytes));
      std::byte* to = padded.data() + line * shape_.padded_line_bytes;
      std::memcpy(to, from.data(), from.size());
      if ((shape_.flags & AEC_DATA_PREPROCESS) == 0) continue;
      const std::byte* last = from.data() + from.size() - shape_.sample_bytes;
      for (std::size_t at = from.size(); at < shape_.padded_line_bytes; at += shape_.sample_bytes) {
        std::memcpy(to + at, last, shape_.sample_bytes);
      }
    }
    return padded;
  }

  /// Decodes line by line, because hostile parameters can make the padding many times larger than the data.
  void take(Bytes stored, MutableBytes unfiltered) const {
    Decompressor coder(shape_, "decoding");
    const bool pads = shape_.padded_line_bytes != shape_.line_bytes;
    Buffer line(pads ? shape_.padded_line_bytes : 0);
    for (std::size_t at = 0; at < unfiltered.size();) {
      const MutableBytes rest = unfiltered.subspan(at);
      coder.run(stored, pads ? MutableBytes(line) : rest, AEC_NO_FLUSH);
      const std::size_t written = (pads ? line.size() : rest.size()) - coder.unwritten();
      stored = stored.last(coder.unread());
      const std::size_t useful = pads ? std::min({written, shape_.line_bytes, rest.size()}) : written;
      if (pads) std::memcpy(rest.data(), line.data(), useful);
      at += useful;
      if (useful < std::min(pads ? shape_.line_bytes : rest.size(), rest.size())) {
        throw Error(ErrorKind::truncated,
                    fmt::format("szip data end after {} of {} bytes", at, unfiltered.size()));
      }
    }
  }

  const Shape shape_;
};

Shape shape_of(std::span<const std::uint32_t> params) {
  const auto [options, block, pixel_bits, line] = std::tuple(params[0], params[1], params[2], params[3]);
  Shape shape;
  if ((options & szip_nearest) != 0) shape.flags |= AEC_DATA_PREPROCESS;
  if ((options & szip_most_first) != 0) shape.flags |= AEC_DATA_MSB;
  shape.flags |= AEC_NOT_ENFORCE;  // permits blocks of any even length
  if (pixel_bits == 32 || pixel_bits == 64) {
    shape.planes = pixel_bits / 8;
  } else {
    shape.sample_bits = pixel_bits;
    shape.sample_bytes = pixel_bits <= 8 ? 1 : pixel_bits <= 16 ? 2 : 4;
  }
  shape.block_samples = block;
  shape.line_blocks = (line + block - 1) / block;
  shape.line_bytes = line * shape.sample_bytes;
  shape.padded_line_bytes = std::size_t{shape.line_blocks} * block * shape.sample_bytes;
  return shape;
}

class Szip : public Filter {
 public:
  std::uint16_t id() const override { return 4; }
  std::string_view name() const override { return "szip"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    check_szip_params(params);
    return std::make_unique<BoundSzip>(shape_of(params));
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> requested,
                                     const ChunkFacts& chunk) const override {
    return szip_params(requested, chunk);
  }
};

}  // namespace

const Filter& szip_filter() {
  static const Immortal<Szip> filter;
  return *filter;
}

}  // namespace filigree::filter
