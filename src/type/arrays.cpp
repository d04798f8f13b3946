// SPDX-License-Identifier: Apache-2.0
//
// Conversions of arrays, and of complex numbers, which are arrays of two.
#include <array>
#include <string_view>

#include "base/checked.hpp"
#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::CompoundMember;
using format::TypeClass;

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

bool is_complex_pair(const DatatypeMessage& type) {
  if (type.members.size() != 2) return false;
  for (const CompoundMember& member : type.members) {
    if (member.type.type_class != TypeClass::floating_point || !member.dims.empty()) return false;
  }
  static constexpr std::array<std::array<std::string_view, 2>, 2> names{{{"r", "i"}, {"real", "imag"}}};
  for (const auto& pair : names) {
    const bool in_order = type.members[0].name == pair[0] && type.members[1].name == pair[1];
    const bool swapped = type.members[0].name == pair[1] && type.members[1].name == pair[0];
    if (in_order || swapped) return true;
  }
  return false;
}

/// The complex type as a compound whose members have the names of the other compound.
DatatypeMessage as_pair(const DatatypeMessage& complex, const DatatypeMessage& named) {
  const bool short_names = named.members.at(0).name.size() == 1;
  DatatypeMessage pair;
  pair.type_class = TypeClass::compound;
  pair.size = complex.size;
  const DatatypeMessage& part = complex.base.at(0);
  pair.members.push_back({short_names ? "r" : "real", 0, {}, 0, part});
  pair.members.push_back({short_names ? "i" : "imag", part.size, {}, 0, part});
  return pair;
}

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

ConversionPointer prepare_complex(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  const bool from_complex = from.type_class == TypeClass::complex && from.base.size() == 1;
  const bool to_complex = to.type_class == TypeClass::complex && to.base.size() == 1;
  if (from_complex && to_complex) {
    return make_repeated(prepare(from.base.front(), to.base.front(), rules), 2);
  }
  if (rules == Rules::hdf5) return nullptr;
  if (from_complex && is_complex_pair(to)) return prepare_compound(as_pair(from, to), to, rules);
  if (to_complex && is_complex_pair(from)) return prepare_compound(from, as_pair(to, from), rules);
  return nullptr;
}

}  // namespace filigree::type
