// SPDX-License-Identifier: Apache-2.0
#include "capi/H5T/type_tools.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace filigree::capi {

using format::TypeClass;

bool is_variable_string(const DatatypeMessage& type) {
  return type.type_class == TypeClass::variable_length && type.variable == format::VariableKind::string;
}

H5T_class_t class_of(const DatatypeMessage& type) {
  return is_variable_string(type) ? H5T_STRING : static_cast<H5T_class_t>(type.type_class);
}

bool is_atomic(const DatatypeMessage& type) {
  switch (type.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::floating_point:
    case TypeClass::time:
    case TypeClass::string:
    case TypeClass::bitfield:
    case TypeClass::reference:
      return true;
    case TypeClass::opaque:
    case TypeClass::compound:
    case TypeClass::enumeration:
    case TypeClass::variable_length:
    case TypeClass::array:
    case TypeClass::complex:
      break;
  }
  return false;
}

DatatypeMessage& innermost(DatatypeMessage& type) {
  DatatypeMessage* at = &type;
  while (!at->base.empty()) at = &at->base.front();
  return *at;
}

const DatatypeMessage& innermost(const DatatypeMessage& type) {
  return innermost(const_cast<DatatypeMessage&>(type));
}

DatatypeMessage* find_string(DatatypeMessage& type) {
  DatatypeMessage* at = &type;
  while (class_of(*at) != H5T_STRING) {
    if (at->base.empty()) return nullptr;
    at = &at->base.front();
  }
  return at;
}

void settle_sizes(DatatypeMessage& type) {
  if (type.base.empty()) return;
  DatatypeMessage& base = type.base.front();
  settle_sizes(base);
  if (type.type_class == TypeClass::enumeration) type.size = base.size;
  if (type.type_class == TypeClass::complex) type.size = 2 * base.size;
  if (type.type_class != TypeClass::array) return;
  std::uint64_t bytes = base.size;
  for (const std::uint32_t dim : type.dims) bytes = checked_multiply(bytes, dim, "the bytes of an array");
  type.size = element_size(bytes);
}

void require_changeable(const TypeHandle& type, Code code) {
  if (type.state != TypeState::transient) throw Failure(code, "the datatype is read-only");
}

void require_no_enumerators(const DatatypeMessage& type, Code code) {
  if (!type.enum_names.empty())
    throw Failure(code, "the enumeration has members already, and their values would no longer fit");
}

std::uint32_t element_size(std::size_t bytes) {
  if (bytes > 0xffffffffu) bad_value(fmt::format("a datatype of {} bytes: the most is 4294967295", bytes));
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace filigree::capi
