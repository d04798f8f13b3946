// SPDX-License-Identifier: Apache-2.0
//
// Construction, comparison and description of datatypes.
#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/messages/datatype.hpp"

namespace filigree::format {

DatatypeMessage fixed_point(std::uint32_t bytes, bool is_signed, bool big_endian) {
  if (bytes == 0 || bytes > 8191) {
    throw Error(ErrorKind::invalid_argument, fmt::format("an integer cannot have {} bytes", bytes));
  }
  DatatypeMessage type;
  type.type_class = TypeClass::fixed_point;
  type.size = bytes;
  type.order = big_endian ? ByteOrder::big : ByteOrder::little;
  type.is_signed = is_signed;
  type.precision = static_cast<std::uint16_t>(bytes * 8);
  return type;
}

DatatypeMessage ieee_float(std::uint32_t bytes, bool big_endian) {
  DatatypeMessage type;
  switch (bytes) {
    case 2:
      type.floating = {15, 10, 5, 0, 10, 15, Normalisation::msb_implied};
      break;
    case 4:
      type.floating = {31, 23, 8, 0, 23, 127, Normalisation::msb_implied};
      break;
    case 8:
      type.floating = {63, 52, 11, 0, 52, 1023, Normalisation::msb_implied};
      break;
    default:
      throw Error(ErrorKind::invalid_argument, fmt::format("no IEEE float has {} bytes", bytes));
  }
  type.type_class = TypeClass::floating_point;
  type.size = bytes;
  type.order = big_endian ? ByteOrder::big : ByteOrder::little;
  type.precision = static_cast<std::uint16_t>(bytes * 8);
  return type;
}

DatatypeMessage fixed_string(std::uint32_t bytes, StringPadding padding, CharacterSet character_set) {
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "a string type cannot have 0 bytes");
  DatatypeMessage type;
  type.type_class = TypeClass::string;
  type.size = bytes;
  type.padding = padding;
  type.character_set = character_set;
  return type;
}

DatatypeMessage variable_string(CharacterSet character_set, std::uint8_t offset_bytes,
                                StringPadding padding) {
  DatatypeMessage type;
  type.type_class = TypeClass::variable_length;
  type.size = 8u + offset_bytes;
  type.variable = VariableKind::string;
  type.padding = padding;
  type.character_set = character_set;
  type.base.push_back(fixed_point(1, false));
  return type;
}

DatatypeMessage member_type(const CompoundMember& member) {
  if (member.dims.empty()) return member.type;
  DatatypeMessage array;
  array.version = 2;
  array.type_class = TypeClass::array;
  const std::uint64_t bytes = member_bytes(member);
  if (bytes > 0xffffffffu)
    throw Error(ErrorKind::limit, fmt::format("member '{}' takes {} bytes", member.name, bytes));
  array.size = static_cast<std::uint32_t>(bytes);
  array.dims = member.dims;
  array.base.push_back(member.type);
  return array;
}

namespace {

bool same_number(const DatatypeMessage& a, const DatatypeMessage& b) {
  return a.order == b.order && a.low_padding == b.low_padding && a.high_padding == b.high_padding &&
         a.internal_padding == b.internal_padding && a.is_signed == b.is_signed &&
         a.bit_offset == b.bit_offset && a.precision == b.precision && a.floating == b.floating;
}

bool same_member(const CompoundMember& a, const CompoundMember& b) {
  if (a.name != b.name || a.byte_offset != b.byte_offset) return false;
  if (a.dims == b.dims) return same_type(a.type, b.type);
  return same_type(member_type(a), member_type(b));
}

/// The indexes of the names in sorted order, so that lists that differ only in order can be compared.
template <class List, class Name>
std::vector<std::size_t> order_by_name(const List& list, Name name) {
  std::vector<std::size_t> order(list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) -> std::string_view { return std::invoke(name, list[i]); });
  return order;
}

bool same_members(const std::vector<CompoundMember>& a, const std::vector<CompoundMember>& b) {
  if (a.size() != b.size()) return false;
  const auto order_a = order_by_name(a, &CompoundMember::name);
  const auto order_b = order_by_name(b, &CompoundMember::name);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_member(a[order_a[i]], b[order_b[i]])) return false;
  }
  return true;
}

/// Compares names and values in any order.
bool same_enumerators(const DatatypeMessage& a, const DatatypeMessage& b) {
  if (a.enum_names == b.enum_names) return a.enum_values == b.enum_values;
  const std::size_t bytes = a.size;
  if (a.enum_names.size() != b.enum_names.size() || a.enum_values.size() != a.enum_names.size() * bytes ||
      b.enum_values.size() != a.enum_values.size()) {
    return false;
  }
  const auto order_a = order_by_name(a.enum_names, std::identity{});
  const auto order_b = order_by_name(b.enum_names, std::identity{});
  for (std::size_t i = 0; i < order_a.size(); ++i) {
    if (a.enum_names[order_a[i]] != b.enum_names[order_b[i]]) return false;
    const Bytes value_a = Bytes(a.enum_values).subspan(order_a[i] * bytes, bytes);
    const Bytes value_b = Bytes(b.enum_values).subspan(order_b[i] * bytes, bytes);
    if (!std::ranges::equal(value_a, value_b)) return false;
  }
  return true;
}

bool same_base(const DatatypeMessage& a, const DatatypeMessage& b) {
  return std::equal(a.base.begin(), a.base.end(), b.base.begin(), b.base.end(), same_type);
}

}  // namespace

bool same_type(const DatatypeMessage& a, const DatatypeMessage& b) {
  if (a.type_class != b.type_class || a.size != b.size) return false;
  switch (a.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::floating_point:
    case TypeClass::time:
    case TypeClass::bitfield:
      return same_number(a, b);
    case TypeClass::string:
      return a.padding == b.padding && a.character_set == b.character_set;
    case TypeClass::opaque:
      return a.tag == b.tag;
    case TypeClass::compound:
      return same_members(a.members, b.members);
    case TypeClass::reference:
      return a.reference == b.reference && a.reference_encoding == b.reference_encoding;
    case TypeClass::enumeration:
      return same_base(a, b) && same_enumerators(a, b);
    case TypeClass::variable_length:
      return a.variable == b.variable && a.padding == b.padding && a.character_set == b.character_set &&
             same_base(a, b);
    case TypeClass::array:
      return a.dims == b.dims && same_base(a, b);
    case TypeClass::complex:
      return same_base(a, b);
  }
  return false;
}

namespace {

std::string_view order_text(const DatatypeMessage& type) {
  if (type.size == 1) return "";
  switch (type.order) {
    case ByteOrder::little:
      return " little-endian";
    case ByteOrder::big:
      return " big-endian";
    case ByteOrder::vax:
      return " VAX-order";
  }
  return "";
}

std::string number_text(const DatatypeMessage& type, std::string_view noun) {
  // Mention the bit offset only if the bits do not fill the element.
  const bool whole = type.precision == std::uint64_t{type.size} * 8;
  const std::string location = whole ? "" : fmt::format(" at bit {} of {} bytes", type.bit_offset, type.size);
  return fmt::format("{}-bit{} {}{}", type.precision, order_text(type), noun, location);
}

std::string_view padding_text(StringPadding padding) {
  switch (padding) {
    case StringPadding::nul_terminated:
      return "NUL-terminated";
    case StringPadding::nul_padded:
      return "NUL-padded";
    case StringPadding::space_padded:
      return "space-padded";
  }
  return "of unknown padding";
}

std::string_view charset_text(CharacterSet set) { return set == CharacterSet::ascii ? "ASCII" : "UTF-8"; }

std::string_view reference_text(ReferenceKind kind) {
  switch (kind) {
    case ReferenceKind::object:
      return "object reference";
    case ReferenceKind::region:
      return "region reference";
    case ReferenceKind::revised_object:
    case ReferenceKind::revised_region:
    case ReferenceKind::revised_attribute:
      return "reference of any kind";
  }
  return "reference";
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string base_text(const DatatypeMessage& type, unsigned depth);

std::string text_of(const DatatypeMessage& type, unsigned depth) {
  switch (type.type_class) {
    case TypeClass::fixed_point:
      return number_text(type, type.is_signed ? "integer" : "unsigned integer");
    case TypeClass::floating_point:
      return number_text(type, "float");
    case TypeClass::time:
      return number_text(type, "time");
    case TypeClass::bitfield:
      return number_text(type, "bitfield");
    case TypeClass::string:
      return fmt::format("string of {}, {}, {}", plural(type.size, "byte"), padding_text(type.padding),
                         charset_text(type.character_set));
    case TypeClass::opaque:
      return fmt::format("opaque of {}{}", plural(type.size, "byte"),
                         type.tag.empty() ? "" : fmt::format(", tag \"{}\"", type.tag));
    case TypeClass::compound:
      return fmt::format("compound of {}", plural(type.members.size(), "member"));
    case TypeClass::reference:
      return std::string(reference_text(type.reference));
    case TypeClass::enumeration:
      return fmt::format("enumeration of {} over {}", plural(type.enum_names.size(), "name"),
                         base_text(type, depth));
    case TypeClass::variable_length:
      if (type.variable == VariableKind::string) {
        return fmt::format("variable-length string, {}", charset_text(type.character_set));
      }
      return fmt::format("variable-length sequence of {}", base_text(type, depth));
    case TypeClass::array:
      return fmt::format("array [{}] of {}", fmt::join(type.dims, ", "), base_text(type, depth));
    case TypeClass::complex:
      return fmt::format("complex of {}", base_text(type, depth));
  }
  return "unknown type";
}

std::string base_text(const DatatypeMessage& type, unsigned depth) {
  if (type.base.empty() || depth == max_type_depth) return "...";
  return text_of(type.base.front(), depth + 1);
}

}  // namespace

std::string describe_type(const DatatypeMessage& type) { return text_of(type, 0); }

}  // namespace filigree::format
