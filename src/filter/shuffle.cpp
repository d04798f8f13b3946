// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/planes.hpp"

namespace filigree::filter {
namespace {

class BoundShuffle : public BoundFilter {
 public:
  explicit BoundShuffle(std::size_t width) : width_(width) {}

  Buffer encode(Bytes plain) const override {
    Buffer stored(plain.size());
    split_planes(plain, width_, stored.data());
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    check_fits(stored.size(), max_bytes);
    Buffer plain(stored.size());
    join_planes(stored, width_, plain.data());
    return plain;
  }

  Bytes encode_in(Workspace& room, Bytes plain) const override {
    const MutableBytes stored = room.allocate(plain.size());
    split_planes(plain, width_, stored.data());
    return stored;
  }

  Bytes decode_in(Workspace& room, Bytes stored, std::size_t max_bytes) const override {
    check_fits(stored.size(), max_bytes);
    const MutableBytes plain = room.allocate(stored.size());
    join_planes(stored, width_, plain.data());
    return plain;
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
  static const Shuffle filter;
  return filter;
}

}  // namespace filigree::filter
