// SPDX-License-Identifier: Apache-2.0
//
// Native datatypes for little-endian 64-bit machines with x87 long double.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "type/datatypes.hpp"
#include "type/numbers.hpp"

namespace filigree::type {

using format::CompoundMember;
using format::ReferenceKind;
using format::TypeClass;
using format::VariableKind;

namespace {

struct Native {
  DatatypeMessage type;
  std::uint32_t alignment = 1;
};

// On this machine both directions of the search find the same types, since no two types of one size differ.
std::uint32_t word_bytes(unsigned precision) {
  if (precision <= 8) return 1;
  if (precision <= 16) return 2;
  return precision <= 32 ? 4 : 8;
}

DatatypeMessage long_double() {
  DatatypeMessage type;
  type.type_class = TypeClass::floating_point;
  type.size = 16;
  type.precision = 80;
  type.floating = {79, 64, 15, 0, 64, 16383, format::Normalisation::none};
  return type;
}

DatatypeMessage native_float(std::uint32_t bytes) {
  if (bytes <= 4) return format::ieee_float(4);
  return bytes <= 8 ? format::ieee_float(8) : long_double();
}

DatatypeMessage native_bitfield(unsigned precision) {
  DatatypeMessage type = format::fixed_point(word_bytes(precision), false);
  type.type_class = TypeClass::bitfield;
  return type;
}

std::uint32_t fitting(std::uint64_t bytes, const DatatypeMessage& type) {
  if (bytes <= 0xffffffffu) return static_cast<std::uint32_t>(bytes);
  throw Error(ErrorKind::limit,
              fmt::format("{} takes {} bytes in memory", format::describe_type(type), bytes));
}

Native find_native(const DatatypeMessage& type);

Native native_reference(const DatatypeMessage& type) {
  const bool bytes_only = type.reference == ReferenceKind::region;
  return {c_type(type), bytes_only ? 1u : 8u};
}

Native native_enumeration(const DatatypeMessage& type) {
  const DatatypeMessage& stored_base = type.base.at(0);
  Native base = find_native(stored_base);
  DatatypeMessage result = type;
  result.size = base.type.size;
  result.enum_values.assign(type.enum_names.size() * std::size_t{result.size}, std::byte{0});
  if (!type.enum_names.empty()) {
    const Tile tile{type.enum_values.data(), type.size, result.enum_values.data(), result.size,
                    type.enum_names.size()};
    prepare(stored_base, base.type)->apply(tile, {});
  }
  result.base.front() = std::move(base.type);
  return {std::move(result), base.alignment};
}

Native native_compound(const DatatypeMessage& type) {
  Native result{type, 1};
  std::uint64_t at = 0;
  const auto align = [&](std::uint32_t alignment) { at = (at + alignment - 1) / alignment * alignment; };
  for (CompoundMember& member : result.type.members) {
    Native native = find_native(format::member_type(member));
    align(native.alignment);
    member.byte_offset = fitting(at, type);
    at += native.type.size;
    member.type = std::move(native.type);
    member.dims.clear();
    member.permutation = 0;
    result.alignment = std::max(result.alignment, native.alignment);
  }
  align(result.alignment);
  result.type.size = fitting(at, type);
  return result;
}

Native native_repeated(const DatatypeMessage& type, std::uint64_t count) {
  Native base = find_native(type.base.at(0));
  Native result{type, base.alignment};
  result.type.size = fitting(checked_multiply(count, base.type.size, "the bytes of an array"), type);
  result.type.base.front() = std::move(base.type);
  return result;
}

Native native_array(const DatatypeMessage& type) {
  std::uint64_t count = 1;
  for (const std::uint32_t dim : type.dims) count = checked_multiply(count, dim, "the elements of an array");
  return native_repeated(type, count);
}

Native native_variable(const DatatypeMessage& type) {
  Native result{c_type(type), 1};
  if (type.variable == VariableKind::sequence) {
    result.type.base.front() = find_native(type.base.at(0)).type;
  }
  result.alignment = result.type.container->alignment;
  return result;
}

Native find_native(const DatatypeMessage& type) {
  switch (type.type_class) {
    case TypeClass::fixed_point: {
      const std::uint32_t bytes = word_bytes(type.precision);
      return {format::fixed_point(bytes, type.is_signed), bytes};
    }
    case TypeClass::floating_point: {
      DatatypeMessage native = native_float(type.size);
      const std::uint32_t alignment = native.size;
      return {std::move(native), alignment};
    }
    case TypeClass::bitfield: {
      DatatypeMessage native = native_bitfield(type.precision);
      const std::uint32_t alignment = native.size;
      return {std::move(native), alignment};
    }
    case TypeClass::string:
    case TypeClass::opaque:
      return {type, 1};
    case TypeClass::reference:
      return native_reference(type);
    case TypeClass::enumeration:
      return native_enumeration(type);
    case TypeClass::compound:
      return native_compound(type);
    case TypeClass::array:
      return native_array(type);
    case TypeClass::complex:
      return native_repeated(type, 2);
    case TypeClass::variable_length:
      return native_variable(type);
    case TypeClass::time:
      break;
  }
  throw Error(ErrorKind::unsupported, "no native type holds a " + format::describe_type(type));
}

}  // namespace

DatatypeMessage native_type(const DatatypeMessage& type, NativeSearch) { return find_native(type).type; }

}  // namespace filigree::type
