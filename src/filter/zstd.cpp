// SPDX-License-Identifier: Apache-2.0
//
// Filter 32015, Zstandard: one frame. Parameter: level (optional).
#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/zstd_codec.hpp"

namespace filigree::filter {
namespace {

class BoundZstd : public BoundFilter {
 public:
  explicit BoundZstd(int level) : level_(level) {}
  Buffer encode(Bytes unfiltered) const override { return zstd::compress(unfiltered, level_); }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    return zstd::decompress(stored, max_bytes);
  }

 private:
  const int level_;
};

class Zstd : public Filter {
 public:
  std::uint16_t id() const override { return 32015; }
  std::string_view name() const override { return "Zstandard compression: http://www.zstd.net"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    const int level =
        params.empty() ? zstd::default_level() : zstd::usable_level(static_cast<std::int32_t>(params[0]));
    return std::make_unique<BoundZstd>(level);
  }
};

}  // namespace

const Filter& zstd_filter() {
  static const Immortal<Zstd> filter;
  return *filter;
}

}  // namespace filigree::filter
