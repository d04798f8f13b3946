// SPDX-License-Identifier: Apache-2.0
//
// Filter 32001, Blosc 1. Parameters in the file: 2, 2, bytes of an element, bytes of a chunk, level 0 to 9,
// shuffle (0 none, 1 bytes, 2 bits), codec. A request has the same layout; the first four values are ignored,
// and all are optional.
#include <blosc.h>

#include <array>
#include <string>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"

namespace filigree::filter {
namespace {

constexpr std::uint32_t filter_revision = 2;
constexpr std::size_t most_type_bytes = BLOSC_MAX_TYPESIZE;

/// The parameters after the first four. The defaults are those of the common Blosc plug-in for HDF5.
struct Settings {
  std::size_t element_bytes = 1;
  int level = 5;
  int shuffle = BLOSC_SHUFFLE;
  const char* codec = BLOSC_BLOSCLZ_COMPNAME;
};

class BoundBlosc : public BoundFilter {
 public:
  explicit BoundBlosc(const Settings& settings) : settings_(settings) {}

  bool skips_growth() const override { return true; }

  Buffer encode(Bytes unfiltered) const override {
    if (unfiltered.size() > BLOSC_MAX_BUFFERSIZE) {
      throw Error(ErrorKind::limit, fmt::format("Blosc accepts at most {} bytes, and the chunk has {}",
                                                BLOSC_MAX_BUFFERSIZE, unfiltered.size()));
    }
    Buffer stored(unfiltered.size() + BLOSC_MAX_OVERHEAD);
    const int bytes =
        blosc_compress_ctx(settings_.level, settings_.shuffle, settings_.element_bytes, unfiltered.size(),
                           unfiltered.data(), stored.data(), stored.size(), settings_.codec, 0, one_thread);
    if (bytes < 0) {
      throw Error(ErrorKind::unsupported, fmt::format("libblosc has no codec '{}'", settings_.codec));
    }
    if (bytes == 0) throw Error(ErrorKind::internal, "libblosc's own bound was too small");
    stored.resize(static_cast<std::size_t>(bytes));
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    check_holds(stored.size(), BLOSC_MIN_HEADER_LENGTH, "Blosc header");
    const std::size_t stream_bytes = load_word(stored.data() + 12, 4);
    check_holds(stored.size(), stream_bytes, "Blosc stream");
    std::size_t bytes = 0;
    if (blosc_cbuffer_validate(stored.data(), stream_bytes, &bytes) < 0) {
      throw Error(ErrorKind::corrupt, fmt::format("{} bytes are not a Blosc stream", stored.size()));
    }
    check_fits(bytes, max_bytes);
    Buffer unfiltered(bytes);
    const int result = blosc_decompress_ctx(stored.data(), unfiltered.data(), unfiltered.size(), one_thread);
    if (result < 0 || static_cast<std::size_t>(result) != bytes) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("Blosc stream of {} bytes is damaged, or its codec '{}' is not "
                              "in this libblosc ({})",
                              stream_bytes, codec_of(stored), blosc_list_compressors()));
    }
    return unfiltered;
  }

 private:
  static constexpr int one_thread = 1;

  static std::string codec_of(Bytes stored) {
    const char* name = blosc_cbuffer_complib(stored.data());
    return name == nullptr ? "?" : name;
  }

  const Settings settings_;
};

Settings settings_of(std::span<const std::uint32_t> params, const ElementLayout& layout) {
  Settings settings;
  const std::size_t element = params.size() > 2 ? params[2] : layout.element_bytes;
  settings.element_bytes = element == 0 || element > most_type_bytes ? 1 : element;
  if (params.size() > 4) {
    if (params[4] > 9) {
      throw Error(ErrorKind::corrupt, fmt::format("Blosc level is {}, allowed 0 to 9", params[4]));
    }
    settings.level = static_cast<int>(params[4]);
  }
  if (params.size() > 5) {
    if (params[5] > BLOSC_BITSHUFFLE) {
      throw Error(ErrorKind::corrupt, fmt::format("Blosc shuffle is {}, allowed 0 to 2", params[5]));
    }
    settings.shuffle = static_cast<int>(params[5]);
  }
  if (params.size() > 6) {
    static constexpr std::array codecs{BLOSC_BLOSCLZ_COMPNAME, BLOSC_LZ4_COMPNAME,  BLOSC_LZ4HC_COMPNAME,
                                       BLOSC_SNAPPY_COMPNAME,  BLOSC_ZLIB_COMPNAME, BLOSC_ZSTD_COMPNAME};
    if (params[6] >= codecs.size()) {
      throw Error(ErrorKind::corrupt, fmt::format("Blosc codec is {}, allowed 0 to 5", params[6]));
    }
    settings.codec = codecs[params[6]];
  }
  return settings;
}

class Blosc : public Filter {
 public:
  std::uint16_t id() const override { return 32001; }
  std::string_view name() const override { return "blosc"; }

  /// Only encode() uses the parameters: a stream describes itself.
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout& layout) const override {
    return std::make_unique<BoundBlosc>(settings_of(params, layout));
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> requested,
                                     const ChunkFacts& chunk) const override {
    std::vector<std::uint32_t> params(requested.begin(), requested.end());
    if (params.size() < 4) params.resize(4);
    // The elements of an array are shuffled one by one.
    const TypeFacts* type = &chunk.type;
    while (type->kind == TypeFacts::Kind::array) type = &type->parts.at(0);
    params[0] = filter_revision;
    params[1] = BLOSC_VERSION_FORMAT;
    params[2] = type->bytes > most_type_bytes ? 1 : type->bytes;
    params[3] = static_cast<std::uint32_t>(chunk.elements() * chunk.type.bytes);
    check_argument([&] { settings_of(params, {}); });
    return params;
  }
};

}  // namespace

const Filter& blosc_filter() {
  static const Immortal<Blosc> filter;
  return *filter;
}

}  // namespace filigree::filter
