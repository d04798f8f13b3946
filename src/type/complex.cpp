// SPDX-License-Identifier: Apache-2.0
//
// Conversions of complex numbers, whose elements are a real and an imaginary part.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::CompoundMember;
using format::TypeClass;

namespace {

bool is_complex(const DatatypeMessage& type) {
  return type.type_class == TypeClass::complex && type.base.size() == 1;
}

bool is_number(const DatatypeMessage& type) {
  return type.type_class == TypeClass::fixed_point || type.type_class == TypeClass::floating_point;
}

/// Passes whole elements to the fault handler where the conversion of their parts would pass a part.
class WholeElementFaults {
 public:
  struct Part {
    std::size_t from_offset = 0, to_offset = 0;
  };

  WholeElementFaults(const Context& context, const DatatypeMessage& from, const DatatypeMessage& to,
                     Part part)
      : context_(context) {
    if (context.on_fault == nullptr || !*context.on_fault) return;
    handler_ = [&context, &from, &to, part](const FaultyValue& faulty) {
      return (*context.on_fault)(
          {faulty.fault, from, to, faulty.value - part.from_offset, faulty.result - part.to_offset});
    };
    context_.on_fault = &handler_;
  }
  WholeElementFaults(const WholeElementFaults&) = delete;
  WholeElementFaults& operator=(const WholeElementFaults&) = delete;

  const Context& context() const { return context_; }

 private:
  Context context_;
  FaultHandler handler_;
};

/// Between complex numbers: both parts. From a number: the imaginary part becomes zero. To a number: the
/// imaginary part is dropped, as in HDF5.
class ComplexConversion final : public Conversion {
 public:
  ComplexConversion(const DatatypeMessage& from, const DatatypeMessage& to, ConversionPointer part)
      : Conversion({.uses_files = part->traits().uses_files, .from_bytes = from.size, .to_bytes = to.size}),
        from_(from),
        to_(to),
        part_(std::move(part)) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    const std::size_t from_bytes = part_->traits().from_bytes, to_bytes = part_->traits().to_bytes;
    if (is_complex(to_) && !is_complex(from_)) {
      for (std::size_t i = 0; i < tile.count; ++i)
        std::memset(tile.to + i * tile.to_stride + to_bytes, 0, to_bytes);
    }
    const std::size_t parts = is_complex(from_) && is_complex(to_) ? 2 : 1;
    for (std::size_t i = 0; i < parts; ++i) {
      const WholeElementFaults faults(context, from_, to_, {i * from_bytes, i * to_bytes});
      part_->apply(
          {tile.from + i * from_bytes, tile.from_stride, tile.to + i * to_bytes, tile.to_stride, tile.count},
          faults.context());
    }
  }

  const DatatypeMessage from_, to_;
  const ConversionPointer part_;
};

/// Whether HDF5 regards the compound as the complex number itself: its parts, in order and without gaps,
/// under names that "real" and "imaginary" begin with.
bool is_same_pair(const DatatypeMessage& pair, const DatatypeMessage& complex) {
  const DatatypeMessage& part = complex.base.front();
  if (pair.members.size() != 2 || pair.size != complex.size) return false;
  const bool in_order = pair.members[0].byte_offset == 0;
  const CompoundMember& real = pair.members[in_order ? 0 : 1];
  const CompoundMember& imaginary = pair.members[in_order ? 1 : 0];
  return real.byte_offset == 0 && imaginary.byte_offset == part.size && real.dims.empty() &&
         imaginary.dims.empty() && std::string_view("real").starts_with(real.name) &&
         std::string_view("imaginary").starts_with(imaginary.name) && format::same_type(real.type, part) &&
         format::same_type(imaginary.type, part);
}

bool is_same_array(const DatatypeMessage& array, const DatatypeMessage& complex) {
  return array.base.size() == 1 && array.size == complex.size &&
         format::same_type(array.base.front(), complex.base.front());
}

/// Whether the bytes of both types are the same. One of them is complex.
bool are_same(const DatatypeMessage& first, const DatatypeMessage& second) {
  const DatatypeMessage& complex = is_complex(first) ? first : second;
  const DatatypeMessage& other = is_complex(first) ? second : first;
  if (other.type_class == TypeClass::compound) return is_same_pair(other, complex);
  return other.type_class == TypeClass::array && is_same_array(other, complex);
}

bool is_named_pair(const DatatypeMessage& type) {
  if (type.members.size() != 2) return false;
  for (const CompoundMember& member : type.members) {
    if (member.type.type_class != TypeClass::floating_point || !member.dims.empty()) return false;
  }
  static constexpr std::array<std::array<std::string_view, 2>, 2> names{{{"r", "i"}, {"real", "imag"}}};
  return std::ranges::any_of(names, [&](const auto& pair) {
    const bool in_order = type.members[0].name == pair[0] && type.members[1].name == pair[1];
    const bool swapped = type.members[0].name == pair[1] && type.members[1].name == pair[0];
    return in_order || swapped;
  });
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

ConversionPointer prepare_complex(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  const auto by_parts = [&](const DatatypeMessage& from_part, const DatatypeMessage& to_part) {
    return std::make_shared<ComplexConversion>(from, to, prepare(from_part, to_part, rules));
  };
  if (is_complex(from) && is_complex(to)) return by_parts(from.base.front(), to.base.front());
  if (is_complex(to) && is_number(from)) return by_parts(from, to.base.front());
  if (is_complex(from) && is_number(to)) {
    return rules == Rules::hdf5 ? by_parts(from.base.front(), to) : nullptr;
  }
  if (!is_complex(from) && !is_complex(to)) return nullptr;
  if (are_same(from, to)) return make_copy(from.size);
  if (rules == Rules::hdf5) return nullptr;
  if (is_complex(from) && is_named_pair(to)) return prepare_compound(as_pair(from, to), to, rules);
  if (is_complex(to) && is_named_pair(from)) return prepare_compound(from, as_pair(to, from), rules);
  return nullptr;
}

}  // namespace filigree::type
