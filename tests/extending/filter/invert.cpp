// SPDX-License-Identifier: Apache-2.0
//
// Filter 40000, invert: flips every bit. It has no parameters. A test adds it to a scratch copy of the tree.
#include <algorithm>

#include <filigree/error.hpp>

#include "filter/builtin.hpp"

namespace filigree::filter {
namespace {

class BoundInvert : public BoundFilter {
 public:
  Buffer encode(Bytes unfiltered) const override {
    Buffer stored(unfiltered.size());
    std::ranges::transform(unfiltered, stored.begin(), [](std::byte b) { return ~b; });
    return stored;
  }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    if (stored.size() > max_bytes) throw Error(ErrorKind::corrupt, "more bytes than the chunk has");
    return encode(stored);
  }
};

class Invert : public Filter {
 public:
  std::uint16_t id() const override { return 40000; }
  std::string_view name() const override { return "invert"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t>,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundInvert>();
  }
};

}  // namespace

const Filter& invert_filter() {
  static const Invert filter;
  return filter;
}

}  // namespace filigree::filter
