// SPDX-License-Identifier: Apache-2.0
//
// The check of a datatype before it is stored.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "type/datatypes.hpp"

namespace filigree::type {

using format::ByteOrder;
using format::CompoundMember;
using format::FloatFields;
using format::ReferenceKind;
using format::TypeClass;

namespace {

constexpr std::size_t most_members = 65535;
constexpr std::size_t most_dims = 32;

void require(bool holds, const DatatypeMessage& type, std::string_view fault) {
  if (holds) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("not a type for files: {}: {}", format::describe_type(type), fault));
}

void check_names(std::vector<std::string_view> names, const DatatypeMessage& type) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  require(twice == names.end(), type, twice == names.end() ? "" : fmt::format("two names '{}'", *twice));
  for (const std::string_view name : names) {
    require(!name.empty(), type, "a name is empty");
    require(name.find('\0') == std::string_view::npos, type, "a name contains a NUL");
  }
}

void check_bits(const DatatypeMessage& type) {
  require(type.precision > 0, type, "no significant bits");
  require(std::uint64_t{type.bit_offset} + type.precision <= std::uint64_t{type.size} * 8, type,
          "bits beyond the size");
  require(type.order != ByteOrder::vax || type.type_class == TypeClass::floating_point, type,
          "only floats have the byte order of a VAX");
}

void check_float(const DatatypeMessage& type) {
  check_bits(type);
  const FloatFields& f = type.floating;
  require(f.exponent_bits > 0 && f.mantissa_bits > 0, type, "no exponent or no mantissa");
  struct Range {
    unsigned first;
    unsigned end;
  };
  Range parts[] = {{f.sign_position, f.sign_position + 1u},
                   {f.exponent_position, unsigned{f.exponent_position} + f.exponent_bits},
                   {f.mantissa_position, unsigned{f.mantissa_position} + f.mantissa_bits}};
  std::ranges::sort(parts, {}, &Range::first);
  require(parts[0].end <= parts[1].first && parts[1].end <= parts[2].first, type, "parts that overlap");
  require(parts[2].end <= std::uint64_t{type.size} * 8, type, "bits beyond the size");
}

void check_node(const DatatypeMessage& type, unsigned depth);

const DatatypeMessage& checked_base(const DatatypeMessage& type, unsigned depth) {
  require(type.base.size() == 1, type, "not one base type");
  check_node(type.base.front(), depth + 1);
  return type.base.front();
}

void check_compound(const DatatypeMessage& type, unsigned depth) {
  require(!type.members.empty(), type, "no members");
  require(type.members.size() <= most_members, type, "more than 65535 members");
  std::vector<std::string_view> names;
  std::vector<const CompoundMember*> members;
  for (const CompoundMember& member : type.members) {
    check_node(member.type, depth + 1);
    require(std::ranges::find(member.dims, 0u) == member.dims.end(), type, "a dimension of a member is 0");
    names.push_back(member.name);
    members.push_back(&member);
  }
  check_names(std::move(names), type);
  std::ranges::sort(members, {}, &CompoundMember::byte_offset);
  std::uint64_t end = 0;
  for (const CompoundMember* member : members) {
    if (member->byte_offset < end)
      require(false, type, fmt::format("member '{}' overlaps another", member->name));
    end = try_add(member->byte_offset, format::member_bytes(*member)).value_or(~std::uint64_t{0});
    if (end > type.size)
      require(false, type, fmt::format("member '{}' reaches beyond the end", member->name));
  }
}

void check_enumeration(const DatatypeMessage& type, unsigned depth) {
  const DatatypeMessage& base = checked_base(type, depth);
  require(base.type_class == TypeClass::fixed_point, type, "its base is not an integer");
  require(base.size == type.size, type, "its base has another size");
  require(type.enum_names.size() <= most_members, type, "more than 65535 names");
  require(type.enum_values.size() == type.enum_names.size() * std::size_t{type.size}, type,
          "not one value for each name");
  check_names({type.enum_names.begin(), type.enum_names.end()}, type);
}

void check_array(const DatatypeMessage& type, unsigned depth) {
  require(!type.dims.empty() && type.dims.size() <= most_dims, type, "not 1 to 32 dimensions");
  std::uint64_t bytes = checked_base(type, depth).size;
  for (const std::uint32_t dim : type.dims) {
    require(dim > 0, type, "a dimension is 0");
    bytes = try_multiply(bytes, dim).value_or(~std::uint64_t{0});
  }
  require(bytes == type.size, type, "its size is not that of its elements");
}

void check_variable(const DatatypeMessage& type, unsigned depth) {
  checked_base(type, depth);
  const bool known = type.container != nullptr ? type.size == type.container->bytes
                                               : type.size == 10 || type.size == 12 || type.size == 16;
  require(known, type, "not the size of a variable-length value");
}

void check_node(const DatatypeMessage& type, unsigned depth) {
  if (depth >= format::max_type_depth) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a type that nests deeper than {} levels", format::max_type_depth));
  }
  require(type.size > 0, type, "0 bytes");
  switch (type.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::bitfield:
    case TypeClass::time:
      return check_bits(type);
    case TypeClass::floating_point:
      return check_float(type);
    case TypeClass::string:
      return;
    case TypeClass::opaque:
      return require(type.tag.size() <= 248, type, "a tag of more than 248 bytes");
    case TypeClass::reference:
      return require(type.reference <= ReferenceKind::revised_attribute, type, "an unknown kind");
    case TypeClass::compound:
      return check_compound(type, depth);
    case TypeClass::enumeration:
      return check_enumeration(type, depth);
    case TypeClass::variable_length:
      return check_variable(type, depth);
    case TypeClass::array:
      return check_array(type, depth);
    case TypeClass::complex: {
      const DatatypeMessage& base = checked_base(type, depth);
      require(base.type_class == TypeClass::floating_point, type, "its parts are not floats");
      return require(std::uint64_t{base.size} * 2 == type.size, type, "its size is not that of its parts");
    }
  }
  require(false, type, "an unknown class");
}

}  // namespace

void check_type(const DatatypeMessage& type) { check_node(type, 0); }

}  // namespace filigree::type
