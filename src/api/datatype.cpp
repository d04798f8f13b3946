// SPDX-License-Identifier: Apache-2.0
#include <filigree/datatype.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/type_access.hpp"
#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "type/datatypes.hpp"

namespace filigree {

using api::TypeAccess;
using format::DatatypeMessage;

namespace {

/// Public datatypes are held as a file with 8-byte offsets stores them.
constexpr std::uint8_t offset_bytes = 8;

Datatype checked(DatatypeMessage message) {
  type::check_type(message);
  return TypeAccess::make(std::move(message));
}

bool is_number(const DatatypeMessage& m) {
  return m.type_class == format::TypeClass::fixed_point ||
         m.type_class == format::TypeClass::floating_point || m.type_class == format::TypeClass::bitfield;
}

const DatatypeMessage& need(const DatatypeMessage& message, bool has, std::string_view what) {
  if (!has)
    throw Error(ErrorKind::wrong_type, fmt::format("a {} has no {}", format::describe_type(message), what));
  return message;
}

std::uint32_t whole_bytes(std::uint64_t bytes) {
  if (bytes > 0xffffffffu)
    throw Error(ErrorKind::limit, fmt::format("an element of {} bytes: the most is 4294967295", bytes));
  return static_cast<std::uint32_t>(bytes);
}

DatatypeMessage number(format::TypeClass type_class, std::uint32_t bytes, ByteOrder order) {
  DatatypeMessage message;
  message.type_class = type_class;
  message.size = bytes;
  message.order = static_cast<format::ByteOrder>(order);
  message.precision = static_cast<std::uint16_t>(std::min<std::uint64_t>(0xffff, bytes * std::uint64_t{8}));
  return message;
}

std::int64_t enumerator_value(const DatatypeMessage& type, std::size_t i) {
  const DatatypeMessage& base = type.base.at(0);
  const std::size_t bytes = std::min<std::size_t>(base.size, 8);
  const bool big = base.order == format::ByteOrder::big;
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < bytes; ++k) {
    const std::size_t at = big ? base.size - 1 - k : k;
    value |= std::to_integer<std::uint64_t>(type.enum_values.at(i * base.size + at)) << (8 * k);
  }
  if (base.is_signed && bytes < 8 && (value >> (8 * bytes - 1) & 1) != 0)
    value |= ~std::uint64_t{0} << (8 * bytes);
  return static_cast<std::int64_t>(value);
}

void append_enumerator(DatatypeMessage& type, const Enumerator& e) {
  const DatatypeMessage& base = type.base.at(0);
  const bool fits = base.size >= 8 || (base.is_signed ? e.value >> (8 * base.size - 1) == 0 ||
                                                            e.value >> (8 * base.size - 1) == -1
                                                      : e.value >> (8 * base.size) == 0);
  if (!fits) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' = {} does not fit in a {}", e.name, e.value, format::describe_type(base)));
  }
  type.enum_names.push_back(e.name);
  const bool big = base.order == format::ByteOrder::big;
  for (std::uint32_t k = 0; k < base.size; ++k) {
    const std::uint32_t from = big ? base.size - 1 - k : k;
    const std::int64_t byte = from < 8 ? e.value >> (8 * from) : e.value >> 63;
    type.enum_values.push_back(static_cast<std::byte>(byte & 0xff));
  }
}

}  // namespace

namespace api {

Address TypeAccess::committed_in(const Datatype& type, const model::File& file) {
  const bool here = is_valid(type.impl_->committed) && type.impl_->file.lock().get() == &file;
  return here ? type.impl_->committed : Address::undefined;
}

DatatypeMessage TypeAccess::message(const Datatype& type, std::uint8_t width) {
  return type::file_type(type.impl_->message, width);
}

}  // namespace api

Datatype Datatype::integer(std::uint32_t bytes, bool is_signed, ByteOrder order) {
  DatatypeMessage message = format::fixed_point(bytes, is_signed);
  message.order = static_cast<format::ByteOrder>(order);
  return checked(std::move(message));
}

Datatype Datatype::floating(std::uint32_t bytes, ByteOrder order) {
  return TypeAccess::make(format::ieee_float(bytes, order == ByteOrder::big));
}

Datatype Datatype::bfloat16(ByteOrder order) {
  return custom_float(2, order, {16, 0, false, false},
                      {15, 7, 8, 0, 7, 127, Normalisation::msb_implied, false});
}

Datatype Datatype::long_double() {
  return custom_float(16, ByteOrder::little, {80, 0, false, false},
                      {79, 64, 15, 0, 64, 16383, Normalisation::none, false});
}

Datatype Datatype::custom_float(std::uint32_t bytes, ByteOrder order, const BitLayout& bits,
                                const FloatLayout& fields) {
  DatatypeMessage message = number(format::TypeClass::floating_point, bytes, order);
  message.version = order == ByteOrder::vax ? 3 : 1;
  message.precision = bits.precision;
  message.bit_offset = bits.offset;
  message.low_padding = bits.low_padding;
  message.high_padding = bits.high_padding;
  message.internal_padding = fields.internal_padding;
  message.floating = {fields.sign_position,
                      fields.exponent_position,
                      fields.exponent_bits,
                      fields.mantissa_position,
                      fields.mantissa_bits,
                      fields.exponent_bias,
                      static_cast<format::Normalisation>(fields.normalisation)};
  return checked(std::move(message));
}

Datatype Datatype::bitfield(std::uint32_t bytes, ByteOrder order) {
  return checked(number(format::TypeClass::bitfield, bytes, order));
}

Datatype Datatype::with_bits(const BitLayout& bits) const {
  DatatypeMessage message = need(impl_->message, is_number(impl_->message), "bits to choose from");
  message.precision = bits.precision;
  message.bit_offset = bits.offset;
  message.low_padding = bits.low_padding;
  message.high_padding = bits.high_padding;
  return checked(std::move(message));
}

Datatype Datatype::fixed_string(std::uint32_t bytes, StringPadding padding, CharacterSet charset) {
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "a string type has at least 1 byte");
  return TypeAccess::make(format::fixed_string(bytes, static_cast<format::StringPadding>(padding),
                                               static_cast<format::CharacterSet>(charset)));
}

Datatype Datatype::variable_string(CharacterSet charset, StringPadding padding) {
  return TypeAccess::make(format::variable_string(static_cast<format::CharacterSet>(charset), offset_bytes,
                                                  static_cast<format::StringPadding>(padding)));
}

Datatype Datatype::string_in(const Container& container) {
  DatatypeMessage message = format::variable_string(format::CharacterSet::utf8, offset_bytes);
  message.container = &container;
  message.size = container.bytes;
  return TypeAccess::make(std::move(message));
}

Datatype Datatype::opaque(std::uint32_t bytes, std::string_view tag) {
  if (tag.size() > 255 || tag.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::invalid_argument,
                "the tag of an opaque type has at most 255 characters, none of them NUL");
  DatatypeMessage message;
  message.type_class = format::TypeClass::opaque;
  message.size = bytes;
  message.tag = tag;
  return checked(std::move(message));
}

Datatype Datatype::compound(std::uint32_t bytes, std::vector<Member> members) {
  DatatypeMessage message;
  message.type_class = format::TypeClass::compound;
  message.size = bytes;
  for (Member& m : members)
    message.members.push_back({std::move(m.name), m.offset, {}, 0, TypeAccess::impl(m.type).message});
  return checked(std::move(message));
}

Datatype Datatype::packed_compound(std::vector<Member> members) {
  std::uint64_t at = 0;
  for (Member& m : members) {
    m.offset = whole_bytes(at);
    at += m.type.size();
  }
  return compound(whole_bytes(at), std::move(members));
}

Datatype Datatype::enumeration(const Datatype& base, std::vector<Enumerator> enumerators) {
  DatatypeMessage message;
  message.type_class = format::TypeClass::enumeration;
  message.size = base.size();
  message.base.push_back(TypeAccess::impl(base).message);
  if (message.base[0].type_class != format::TypeClass::fixed_point)
    throw Error(ErrorKind::invalid_argument, "the base of an enumeration is an integer");
  for (const Enumerator& e : enumerators) append_enumerator(message, e);
  return checked(std::move(message));
}

Datatype Datatype::array(const Datatype& base, std::vector<std::uint32_t> dims) {
  DatatypeMessage message;
  message.version = 2;
  message.type_class = format::TypeClass::array;
  std::uint64_t bytes = base.size();
  for (const std::uint32_t n : dims) bytes = checked_multiply(bytes, n, "the size of an array type");
  message.size = whole_bytes(bytes);
  message.dims = std::move(dims);
  message.base.push_back(TypeAccess::impl(base).message);
  return checked(std::move(message));
}

Datatype Datatype::sequence(const Datatype& base) {
  DatatypeMessage message;
  message.type_class = format::TypeClass::variable_length;
  message.size = 8 + offset_bytes;
  message.base.push_back(TypeAccess::impl(base).message);
  return checked(std::move(message));
}

Datatype Datatype::sequence_in(const Datatype& base, const Container& container) {
  DatatypeMessage message = TypeAccess::impl(sequence(base)).message;
  message.container = &container;
  message.size = container.bytes;
  return TypeAccess::make(std::move(message));
}

Datatype Datatype::reference(ReferenceKind kind) {
  DatatypeMessage message;
  message.type_class = format::TypeClass::reference;
  switch (kind) {
    case ReferenceKind::object:
      message.size = 8;
      break;
    case ReferenceKind::region:
      message.reference = format::ReferenceKind::region;
      message.size = 12;
      break;
    case ReferenceKind::any:
      message.version = 4;
      message.reference = format::ReferenceKind::revised_object;
      message.reference_encoding = 1;
      message.size = 18;
      break;
  }
  return checked(std::move(message));
}

Datatype Datatype::complex(const Datatype& base) {
  DatatypeMessage message;
  message.version = 5;
  message.type_class = format::TypeClass::complex;
  message.base.push_back(TypeAccess::impl(base).message);
  if (message.base[0].type_class != format::TypeClass::floating_point)
    throw Error(ErrorKind::invalid_argument, "the parts of a complex number are floating-point numbers");
  message.size = whole_bytes(std::uint64_t{2} * base.size());
  return checked(std::move(message));
}

TypeClass Datatype::type_class() const {
  return is_variable_string() ? TypeClass::string : static_cast<TypeClass>(impl_->message.type_class);
}

std::uint32_t Datatype::size() const { return impl_->message.size; }

std::string Datatype::text() const { return format::describe_type(impl_->message); }

ByteOrder Datatype::order() const {
  const DatatypeMessage& m = impl_->message;
  const bool has = is_number(m) || m.type_class == format::TypeClass::time;
  return static_cast<ByteOrder>(need(m, has, "byte order").order);
}

bool Datatype::is_signed() const {
  const DatatypeMessage& m = impl_->message;
  return need(m, m.type_class == format::TypeClass::fixed_point, "sign").is_signed;
}

BitLayout Datatype::bits() const {
  const DatatypeMessage& m = need(impl_->message, is_number(impl_->message), "bit layout");
  return {m.precision, m.bit_offset, m.low_padding, m.high_padding};
}

FloatLayout Datatype::float_layout() const {
  const DatatypeMessage& m = impl_->message;
  const format::FloatFields& f =
      need(m, m.type_class == format::TypeClass::floating_point, "exponent and mantissa").floating;
  return {f.sign_position,
          f.exponent_position,
          f.exponent_bits,
          f.mantissa_position,
          f.mantissa_bits,
          f.exponent_bias,
          static_cast<Normalisation>(f.normalisation),
          m.internal_padding};
}

bool Datatype::is_variable_string() const {
  return impl_->message.type_class == format::TypeClass::variable_length &&
         impl_->message.variable == format::VariableKind::string;
}

CharacterSet Datatype::charset() const {
  return static_cast<CharacterSet>(
      need(impl_->message, type_class() == TypeClass::string, "character set").character_set);
}

StringPadding Datatype::padding() const {
  return static_cast<StringPadding>(
      need(impl_->message, type_class() == TypeClass::string, "padding").padding);
}

std::string Datatype::tag() const {
  return need(impl_->message, type_class() == TypeClass::opaque, "tag").tag;
}

std::vector<Member> Datatype::members() const {
  std::vector<Member> all;
  for (const auto& m : need(impl_->message, type_class() == TypeClass::compound, "members").members)
    all.push_back({m.name, TypeAccess::make(format::member_type(m)), m.byte_offset});
  return all;
}

std::vector<Enumerator> Datatype::enumerators() const {
  const DatatypeMessage& m = need(impl_->message, type_class() == TypeClass::enumeration, "enumerators");
  std::vector<Enumerator> all;
  for (std::size_t i = 0; i < m.enum_names.size(); ++i)
    all.push_back({m.enum_names[i], enumerator_value(m, i)});
  return all;
}

Datatype Datatype::base() const {
  const DatatypeMessage& m = impl_->message;
  const bool has = type_class() == TypeClass::enumeration || type_class() == TypeClass::sequence ||
                   type_class() == TypeClass::array || type_class() == TypeClass::complex;
  return TypeAccess::make(need(m, has, "base").base.at(0));
}

std::vector<std::uint32_t> Datatype::dims() const {
  return need(impl_->message, type_class() == TypeClass::array, "dimensions").dims;
}

ReferenceKind Datatype::reference_kind() const {
  const DatatypeMessage& m = need(impl_->message, type_class() == TypeClass::reference, "kind of reference");
  if (m.reference == format::ReferenceKind::object) return ReferenceKind::object;
  return m.reference == format::ReferenceKind::region ? ReferenceKind::region : ReferenceKind::any;
}

Datatype Datatype::stored() const {
  return TypeAccess::make(type::packed(type::file_type(impl_->message, offset_bytes)));
}

Datatype Datatype::packed() const { return TypeAccess::make(type::packed(impl_->message)); }

Datatype Datatype::native() const { return TypeAccess::make(type::native_type(impl_->message)); }

std::optional<std::uint64_t> Datatype::committed_address() const {
  if (!is_valid(impl_->committed)) return std::nullopt;
  return to_number(impl_->committed);
}

std::uint64_t Datatype::encoded_bytes() const {
  constexpr std::uint64_t prefix_bytes = 2;  // the message type and a version
  constexpr format::Widths widths{offset_bytes, offset_bytes};
  DatatypeMessage message = TypeAccess::message(*this, offset_bytes);
  type::set_versions(message, 1);
  return prefix_bytes + format::encode(message, widths).size();
}

bool Datatype::has_variable_parts() const { return type::has_variable_parts(impl_->message); }

void Datatype::release(void* data, std::size_t count) const {
  type::reclaim(impl_->message, static_cast<std::byte*>(data), count, nullptr);
}

bool operator==(const Datatype& a, const Datatype& b) {
  // The size of a variable-length element depends on the file.
  return format::same_type(TypeAccess::message(a, offset_bytes), TypeAccess::message(b, offset_bytes));
}

}  // namespace filigree
