// SPDX-License-Identifier: Apache-2.0
//
// Conversions of arrays.
#include "base/checked.hpp"
#include "type/conversion_parts.hpp"

namespace filigree::type {

namespace {

/// Up to this number of parts, it is faster to convert the first parts of all elements, then the second ones,
/// and so on.
constexpr std::uint32_t few_parts = 8;

class Repeated final : public Conversion {
 public:
  Repeated(ConversionPointer part, std::uint32_t count, const Traits& traits)
      : Conversion(traits), part_(std::move(part)), count_(count) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    const std::size_t from_bytes = part_->traits().from_bytes;
    const std::size_t to_bytes = part_->traits().to_bytes;
    if (tile.from_stride == traits().from_bytes && tile.to_stride == traits().to_bytes) {
      return part_->apply({tile.from, from_bytes, tile.to, to_bytes, tile.count * count_}, context);
    }
    if (count_ <= few_parts && tile.count > few_parts) {
      for (std::size_t i = 0; i < count_; ++i) {
        part_->apply({tile.from + i * from_bytes, tile.from_stride, tile.to + i * to_bytes, tile.to_stride,
                      tile.count},
                     context);
      }
      return;
    }
    for (std::size_t i = 0; i < tile.count; ++i) {
      part_->apply(
          {tile.from + i * tile.from_stride, from_bytes, tile.to + i * tile.to_stride, to_bytes, count_},
          context);
    }
  }

  ConversionPointer part_;
  std::uint32_t count_;
};

}  // namespace

ConversionPointer make_repeated(ConversionPointer part, std::uint32_t count) {
  Conversion::Traits traits = part->traits();
  const auto bytes = [&](std::uint64_t part_bytes) {
    const std::uint64_t all = part_bytes * count;
    if (all > 0xffffffffu) throw_overflow("the bytes of an array");
    return static_cast<std::uint32_t>(all);
  };
  traits.from_bytes = bytes(traits.from_bytes);
  traits.to_bytes = bytes(traits.to_bytes);
  if (traits.copies) return make_copy(traits.to_bytes);
  return std::make_shared<Repeated>(std::move(part), count, traits);
}

ConversionPointer prepare_array(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  if (from.dims != to.dims || from.base.size() != 1 || to.base.size() != 1) return nullptr;
  std::uint64_t count = 1;
  for (const std::uint32_t dim : to.dims) {
    count = checked_multiply(count, dim, "the elements of an array");
    if (count > 0xffffffffu) throw_overflow("the elements of an array");
  }
  return make_repeated(prepare(from.base.front(), to.base.front(), rules), static_cast<std::uint32_t>(count));
}

}  // namespace filigree::type
