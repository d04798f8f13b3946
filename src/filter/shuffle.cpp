// SPDX-License-Identifier: Apache-2.0
//
// Filter 2, shuffle: all first bytes of the elements, then all second bytes, and so on. Parameter in the
// file: bytes of an element. A request has none.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/planes.hpp"

namespace filigree::filter {
namespace {

class BoundShuffle : public BoundFilter {
 public:
  explicit BoundShuffle(std::size_t width) : width_(width) {}

  Buffer encode(Bytes unfiltered) const override {
    Buffer stored(unfiltered.size());
    split_planes(unfiltered, width_, stored.data());
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    check_fits(stored.size(), max_bytes);
    Buffer unfiltered(stored.size());
    join_planes(stored, width_, unfiltered.data());
    return unfiltered;
  }

  Bytes encode_in(Workspace& workspace, Bytes unfiltered) const override {
    const MutableBytes stored = workspace.allocate(unfiltered.size());
    split_planes(unfiltered, width_, stored.data());
    return stored;
  }

  Bytes decode_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const override {
    check_fits(stored.size(), max_bytes);
    const MutableBytes unfiltered = workspace.allocate(stored.size());
    join_planes(stored, width_, unfiltered.data());
    return unfiltered;
  }

 private:
  const std::size_t width_;
};

class Shuffle : public Filter {
 public:
  std::uint16_t id() const override { return 2; }
  std::string_view name() const override { return "shuffle"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    if (params.size() != 1 || params[0] == 0) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("shuffle has {} parameters, needs 1 above 0 (bytes of an element)", params.size()));
    }
    return std::make_unique<BoundShuffle>(params[0]);
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t>, const ChunkFacts& chunk) const override {
    return {chunk.type.bytes};
  }
};

}  // namespace

const Filter& shuffle_filter() {
  static const Immortal<Shuffle> filter;
  return *filter;
}

}  // namespace filigree::filter
