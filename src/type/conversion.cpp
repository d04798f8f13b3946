// SPDX-License-Identifier: Apache-2.0
#include "type/conversion.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "type/conversion_parts.hpp"
#include "type/datatypes.hpp"
#include "type/numbers.hpp"

namespace filigree::type {

using format::TypeClass;
using format::VariableKind;

namespace {

template <std::size_t bytes>
void copy_fixed(const Tile& tile) {
  const std::byte* from = tile.from;
  std::byte* to = tile.to;
  for (std::size_t i = 0; i < tile.count; ++i, from += tile.from_stride, to += tile.to_stride) {
    std::memcpy(to, from, bytes);
  }
}

void copy_strided(const Tile& tile, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return copy_fixed<1>(tile);
    case 2:
      return copy_fixed<2>(tile);
    case 4:
      return copy_fixed<4>(tile);
    case 8:
      return copy_fixed<8>(tile);
    case 16:
      return copy_fixed<16>(tile);
  }
  const std::byte* from = tile.from;
  std::byte* to = tile.to;
  for (std::size_t i = 0; i < tile.count; ++i, from += tile.from_stride, to += tile.to_stride) {
    std::memcpy(to, from, bytes);
  }
}

class Copy final : public Conversion {
 public:
  explicit Copy(std::uint32_t bytes) : Conversion({.copies = true, .from_bytes = bytes, .to_bytes = bytes}) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override {
    const std::size_t bytes = traits().to_bytes;
    if (tile.from_stride == bytes && tile.to_stride == bytes) {
      std::memcpy(tile.to, tile.from, bytes * tile.count);
    } else {
      copy_strided(tile, bytes);
    }
  }
};

bool is_number(const DatatypeMessage& type) {
  return type.type_class == TypeClass::fixed_point || type.type_class == TypeClass::floating_point;
}

bool is_text(const DatatypeMessage& type) {
  return type.type_class == TypeClass::string ||
         (type.type_class == TypeClass::variable_length && type.variable == VariableKind::string);
}

bool is(const DatatypeMessage& type, TypeClass requested) { return type.type_class == requested; }

/// Returns null if there is no conversion.
ConversionPointer choose(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  if (is_number(from) && is_number(to)) return prepare_number(from, to);
  if (is_text(from) && is_text(to)) {
    return is(from, TypeClass::string) && is(to, TypeClass::string) ? prepare_string(from, to, rules)
                                                                    : prepare_text(from, to, rules);
  }
  const bool enumerations = is(from, TypeClass::enumeration) || is(to, TypeClass::enumeration);
  if (enumerations) return prepare_enumeration(from, to, rules);
  if (is(from, TypeClass::complex) || is(to, TypeClass::complex)) return prepare_complex(from, to, rules);
  if (from.type_class != to.type_class) return nullptr;
  switch (from.type_class) {
    case TypeClass::bitfield:
      return prepare_number(from, to);
    case TypeClass::compound:
      return prepare_compound(from, to, rules);
    case TypeClass::reference:
      return prepare_reference(from, to);
    case TypeClass::variable_length:
      return prepare_sequence(from, to, rules);
    case TypeClass::array:
      return prepare_array(from, to, rules);
    case TypeClass::fixed_point:
    case TypeClass::floating_point:
    case TypeClass::string:
    case TypeClass::enumeration:
    case TypeClass::complex:
    case TypeClass::time:
    case TypeClass::opaque:
      return nullptr;  // opaque and time types convert only if they are equal
  }
  return nullptr;
}

/// Whether all variable-length values in the type are C values in memory.
bool held_by_c(const DatatypeMessage& type) {
  if (type.type_class == TypeClass::variable_length && (type.container == nullptr || !type.container->is_c))
    return false;
  return std::ranges::all_of(type.base, held_by_c) &&
         std::ranges::all_of(type.members, held_by_c, &format::CompoundMember::type);
}

/// Whether elements of both types have the same bytes.
bool same_bytes(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  if (!format::same_type(from, to)) return false;
  if (!has_variable_parts(from)) return true;
  // From memory to memory, HDF5 copies only the C pointers if the type does not change.
  return rules == Rules::hdf5 && held_by_c(from) && held_by_c(to);
}

}  // namespace

ConversionPointer make_copy(std::uint32_t bytes) { return std::make_shared<Copy>(bytes); }

bool handled(const Context& context, const FaultyValue& faulty) {
  if (context.on_fault == nullptr || !*context.on_fault) return false;
  switch ((*context.on_fault)(faulty)) {
    case FaultHandling::handled:
      return true;
    case FaultHandling::unhandled:
      return false;
    case FaultHandling::abort:
      break;
  }
  throw Error(ErrorKind::conversion,
              fmt::format("a value of {} has no counterpart in {}", format::describe_type(faulty.from),
                          format::describe_type(faulty.to)));
}

ConversionPointer prepare(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  if (same_bytes(from, to, rules)) return make_copy(from.size);
  if (rules.custom() != nullptr) {
    if (ConversionPointer custom = rules.custom()->find(from, to)) return custom;
  }
  ConversionPointer conversion = choose(from, to, rules);
  if (conversion != nullptr) return conversion;
  throw Error(ErrorKind::wrong_type, fmt::format("no conversion from {} to {}", format::describe_type(from),
                                                 format::describe_type(to)));
}

}  // namespace filigree::type
