// SPDX-License-Identifier: Apache-2.0
#include "type_ddl.hpp"

#include <fmt/format.h>

#include <filigree/values.hpp>

#include "../text.hpp"

namespace filigree::tools {

namespace {

std::string spaces(std::size_t level) { return std::string(3 * level, ' '); }

std::string order_text(const Datatype& type) {
  if (type.size() == 1) return "";
  switch (type.order()) {
    case ByteOrder::little:
      return "little-endian ";
    case ByteOrder::big:
      return "big-endian ";
    case ByteOrder::vax:
      return "mixed-endian ";
  }
  return "";
}

const char* order_suffix(const Datatype& type) { return type.order() == ByteOrder::big ? "BE" : "LE"; }

/// Whether all bits of the type are significant, and HDF5 has a name for such a type.
bool is_standard(const Datatype& type) {
  const std::uint32_t bytes = type.size();
  const bool common = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  return common && type.order() != ByteOrder::vax && type.bits().precision == 8 * bytes &&
         type.bits().offset == 0;
}

std::string integer_ddl(const Datatype& type) {
  if (is_standard(type))
    return fmt::format("H5T_STD_{}{}{}", type.is_signed() ? 'I' : 'U', 8 * type.size(),
                       type.size() == 1 && type.order() != ByteOrder::big ? "LE" : order_suffix(type));
  return fmt::format("{}-bit {}{}integer {}-bit precision", 8 * type.size(), order_text(type),
                     type.is_signed() ? "" : "unsigned ", type.bits().precision);
}

std::string float_ddl(const Datatype& type) {
  const std::uint32_t bytes = type.size();
  if ((bytes == 4 || bytes == 8) && type.order() != ByteOrder::vax &&
      type == Datatype::floating(bytes, type.order()))
    return fmt::format("H5T_IEEE_F{}{}", 8 * bytes, order_suffix(type));
  return fmt::format("{}-bit {}floating-point {}-bit precision", 8 * bytes, order_text(type),
                     type.bits().precision);
}

std::string bitfield_ddl(const Datatype& type) {
  if (is_standard(type)) return fmt::format("H5T_STD_B{}{}", 8 * type.size(), order_suffix(type));
  return "undefined bitfield";
}

const char* padding_ddl(StringPadding padding) {
  switch (padding) {
    case StringPadding::nul_terminated:
      return "H5T_STR_NULLTERM";
    case StringPadding::nul_padded:
      return "H5T_STR_NULLPAD";
    case StringPadding::space_padded:
      return "H5T_STR_SPACEPAD";
  }
  return "H5T_STR_ERROR";
}

std::string string_ddl(const Datatype& type, std::size_t level) {
  const std::string in = spaces(level + 1);
  const std::string size = type.is_variable_string() ? "H5T_VARIABLE" : fmt::format("{}", type.size());
  return fmt::format(
      "H5T_STRING {{\n{0}STRSIZE {1};\n{0}STRPAD {2};\n{0}CSET H5T_CSET_{3};\n{0}CTYPE H5T_C_S1;\n{4}}}", in,
      size, padding_ddl(type.padding()), type.charset() == CharacterSet::utf8 ? "UTF8" : "ASCII",
      spaces(level));
}

std::string compound_ddl(const Datatype& type, std::size_t level) {
  std::string text = "H5T_COMPOUND {\n";
  for (const Member& member : type.members())
    text += fmt::format("{}{} \"{}\";\n", spaces(level + 1), type_ddl(member.type, level + 1),
                        printable(member.name));
  return text + spaces(level) + "}";
}

std::string reference_ddl(const Datatype& type) {
  switch (type.reference_kind()) {
    case ReferenceKind::object:
      return "H5T_REFERENCE { H5T_STD_REF_OBJECT }";
    case ReferenceKind::region:
      return "H5T_REFERENCE { H5T_STD_REF_DSETREG }";
    case ReferenceKind::any:
      return "H5T_REFERENCE { H5T_STD_REF }";
  }
  return "H5T_REFERENCE { UNDEFINED }";
}

std::string enumeration_ddl(const Datatype& type, std::size_t level) {
  constexpr std::size_t name_columns = 18;
  const Datatype base = type.base();
  std::string text = fmt::format("H5T_ENUM {{\n{}{};\n", spaces(level + 1), type_ddl(base, level + 1));
  for (const Enumerator& e : type.enumerators()) {
    const std::string value = base.is_signed() ? fmt::format("{}", e.value)
                                               : fmt::format("{}", static_cast<std::uint64_t>(e.value));
    std::string name = fmt::format("\"{}\"", printable(e.name));
    if (name.size() < name_columns) name.append(name_columns - name.size(), ' ');
    text += fmt::format("{}{} {};\n", spaces(level + 1), name, value);
  }
  return text + spaces(level) + "}";
}

std::string array_ddl(const Datatype& type, std::size_t level) {
  std::string dims;
  for (const std::uint32_t dim : type.dims()) dims += fmt::format("[{}]", dim);
  return fmt::format("H5T_ARRAY {{ {} {} }}", dims, type_ddl(type.base(), level));
}

}  // namespace

std::string type_ddl(const Datatype& type, std::size_t level) {
  switch (type.type_class()) {
    case TypeClass::integer:
      return integer_ddl(type);
    case TypeClass::floating_point:
      return float_ddl(type);
    case TypeClass::time:
      return "H5T_TIME: not yet implemented";
    case TypeClass::string:
      return string_ddl(type, level);
    case TypeClass::bitfield:
      return bitfield_ddl(type);
    case TypeClass::opaque:
      return fmt::format("H5T_OPAQUE {{\n{}OPAQUE_TAG \"{}\";\n{}}}", spaces(level + 1),
                         printable(type.tag()), spaces(level));
    case TypeClass::compound:
      return compound_ddl(type, level);
    case TypeClass::reference:
      return reference_ddl(type);
    case TypeClass::enumeration:
      return enumeration_ddl(type, level);
    case TypeClass::sequence:
      return fmt::format("H5T_VLEN {{ {}}}", type_ddl(type.base(), level));
    case TypeClass::array:
      return array_ddl(type, level);
    case TypeClass::complex:
      return fmt::format("H5T_COMPLEX {{ {} }}", type_ddl(type.base(), level));
  }
  return "unknown datatype";
}

}  // namespace filigree::tools
