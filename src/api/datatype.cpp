// SPDX-License-Identifier: Apache-2.0
#include <filigree/datatype.hpp>
#include <filigree/error.hpp>

#include "api/type_access.hpp"

namespace filigree {

using api::TypeAccess;

namespace api {

format::DatatypeMessage TypeAccess::message(const Datatype& type, std::uint8_t offset_bytes) {
  format::DatatypeMessage message = type.impl_->message;
  if (message.type_class == format::TypeClass::variable_length) message.size = 8u + offset_bytes;
  return message;
}

}  // namespace api

Datatype Datatype::of(NumberKind kind) {
  switch (kind) {
    case NumberKind::i8:
      return integer(1, true);
    case NumberKind::u8:
      return integer(1, false);
    case NumberKind::i16:
      return integer(2, true);
    case NumberKind::u16:
      return integer(2, false);
    case NumberKind::i32:
      return integer(4, true);
    case NumberKind::u32:
      return integer(4, false);
    case NumberKind::i64:
      return integer(8, true);
    case NumberKind::u64:
      return integer(8, false);
    case NumberKind::f32:
      return floating(4);
    case NumberKind::f64:
      return floating(8);
  }
  throw Error(ErrorKind::invalid_argument, "unknown kind of number");
}

Datatype Datatype::integer(std::uint32_t bytes, bool is_signed, ByteOrder order) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    throw Error(ErrorKind::invalid_argument, "an integer has 1, 2, 4 or 8 bytes");
  return TypeAccess::make(format::fixed_point(bytes, is_signed, order == ByteOrder::big));
}

Datatype Datatype::floating(std::uint32_t bytes, ByteOrder order) {
  return TypeAccess::make(format::ieee_float(bytes, order == ByteOrder::big));
}

Datatype Datatype::fixed_string(std::uint32_t bytes, StringPadding padding, CharacterSet charset) {
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "a string type has at least 1 byte");
  return TypeAccess::make(format::fixed_string(bytes, static_cast<format::StringPadding>(padding),
                                               static_cast<format::CharacterSet>(charset)));
}

Datatype Datatype::variable_string(CharacterSet charset) {
  return TypeAccess::make(format::variable_string(static_cast<format::CharacterSet>(charset), 8));
}

TypeClass Datatype::type_class() const {
  return is_variable_string() ? TypeClass::string : static_cast<TypeClass>(impl_->message.type_class);
}

std::uint32_t Datatype::size() const { return impl_->message.size; }

bool Datatype::is_variable_string() const {
  return impl_->message.type_class == format::TypeClass::variable_length &&
         impl_->message.variable == format::VariableKind::string;
}

CharacterSet Datatype::charset() const { return static_cast<CharacterSet>(impl_->message.character_set); }

std::string Datatype::text() const { return format::describe_type(impl_->message); }

bool operator==(const Datatype& a, const Datatype& b) {
  // The size of a variable-length element depends on the file it is in.
  return format::same_type(TypeAccess::message(a, 8), TypeAccess::message(b, 8));
}

}  // namespace filigree
