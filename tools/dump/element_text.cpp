// SPDX-License-Identifier: Apache-2.0
//
// A datatype becomes a tree of nodes once, so that each element costs no look at the datatype.
#include "element_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "../text.hpp"
#include "../values.hpp"

namespace filigree::tools {

namespace {

template <class T>
T load(const std::byte* element) {
  T value{};
  std::memcpy(&value, element, sizeof value);
  return value;
}

/// Starts a line within an element.
void append_line(std::string& out, std::size_t level) {
  out += '\n';
  out.append(3 * level, ' ');
}

void append_hex(std::string& out, const std::byte* bytes, std::size_t count) {
  if (count == 1) {
    fmt::format_to(std::back_inserter(out), "0x{:02x}", std::to_integer<unsigned>(bytes[0]));
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    fmt::format_to(std::back_inserter(out), "{}{:02x}", i > 0 ? ":" : "",
                   std::to_integer<unsigned>(bytes[i]));
}

/// Returns the letter of a line feed and so on in C; 0 for other characters.
char letter_of(char c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    default:
      return 0;
  }
}

void append_character(std::string& out, char c, bool escape) {
  // h5dump starts the next line of a string here, wherever the string itself starts.
  constexpr std::size_t string_columns = 11;
  const char letter = letter_of(c);
  if (escape && (letter != 0 || c == '"' || c == '\\')) {
    out += '\\';
    out += letter != 0 ? letter : c;
  } else if (letter != 0 || (c >= ' ' && c <= '~')) {
    out += c;
    if (c == '\n' || c == '\r') out.append(string_columns, ' ');
  } else {
    // As h5dump: characters from 128 on are negative numbers.
    fmt::format_to(std::back_inserter(out), "\\{:03o}",
                   static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<signed char>(c))));
  }
}

}  // namespace

void append_characters(std::string& out, std::string_view text, bool escape) {
  for (const char c : text) append_character(out, c, escape);
}

std::string object_reference_ddl(PathFinder& paths, std::uint64_t address) {
  if (address == 0) return "NULL";
  const char* kind = "UNKNOWN";
  try {
    switch (paths.file().open_object(ObjectReference{address}).kind()) {
      case ObjectKind::group:
        kind = "GROUP";
        break;
      case ObjectKind::dataset:
        kind = "DATASET";
        break;
      case ObjectKind::datatype:
        kind = "DATATYPE";
        break;
    }
  } catch (const Error&) {
    return fmt::format("{} {}", kind, address);
  }
  return fmt::format("{} {} \"{}\"", kind, address, printable(paths.find(address).value_or("")));
}

struct ElementText::Node {
  Node(const Datatype& native, const ElementStyle& chosen, PathFinder& finder);
  void append(std::string& out, const std::byte* element, std::size_t level) const;

  struct Part;

  Datatype type;
  TypeClass type_class;
  std::size_t bytes;
  bool is_signed = false;
  bool is_variable = false;
  StringPadding padding = StringPadding::nul_terminated;
  bool has_arrays = false;  ///< it is an array, or one is in it
  std::size_t row = 0;      ///< the last dimension of an array
  std::size_t count = 0;    ///< elements of an array
  std::vector<Part> parts;
  std::vector<Enumerator> enumerators;
  const ElementStyle& style;
  PathFinder& paths;

 private:
  void add_parts();
  void append_integer(std::string& out, const std::byte* element) const;
  void append_float(std::string& out, const std::byte* element) const;
  void append_string(std::string& out, const std::byte* element) const;
  void append_enumeration(std::string& out, const std::byte* element) const;
  void append_compound(std::string& out, const std::byte* element, std::size_t level) const;
  void append_array(std::string& out, const std::byte* element, std::size_t level) const;
  void append_sequence(std::string& out, const std::byte* element, std::size_t level) const;
  void append_reference(std::string& out, const std::byte* element) const;
};

struct ElementText::Node::Part {
  std::size_t offset;
  Node node;
};

ElementText::Node::Node(const Datatype& native, const ElementStyle& chosen, PathFinder& finder)
    : type(native), type_class(native.type_class()), bytes(native.size()), style(chosen), paths(finder) {
  if (type_class == TypeClass::integer) is_signed = native.is_signed();
  if (type_class == TypeClass::string) {
    is_variable = native.is_variable_string();
    padding = native.padding();
  }
  add_parts();
}

void ElementText::Node::add_parts() {
  switch (type_class) {
    case TypeClass::compound:
      for (const Member& member : type.members())
        parts.push_back({member.offset, Node(member.type, style, paths)});
      break;
    case TypeClass::array:
      count = 1;
      for (const std::uint32_t dim : type.dims()) count *= dim;
      row = type.dims().empty() ? 1 : type.dims().back();
      [[fallthrough]];
    case TypeClass::sequence:
    case TypeClass::complex:
      parts.push_back({0, Node(type.base(), style, paths)});
      break;
    case TypeClass::enumeration:
      enumerators = type.enumerators();
      break;
    default:
      break;
  }
  has_arrays = type_class == TypeClass::array ||
               std::ranges::any_of(parts, [](const Part& part) { return part.node.has_arrays; });
}

void ElementText::Node::append_integer(std::string& out, const std::byte* element) const {
  const auto put = [&](auto value) {
    const fmt::format_int text(value);
    out.append(text.data(), text.size());
  };
  switch (bytes) {
    case 1:
      return is_signed ? put(load<std::int8_t>(element)) : put(load<std::uint8_t>(element));
    case 2:
      return is_signed ? put(load<std::int16_t>(element)) : put(load<std::uint16_t>(element));
    case 4:
      return is_signed ? put(load<std::int32_t>(element)) : put(load<std::uint32_t>(element));
    case 8:
      return is_signed ? put(load<std::int64_t>(element)) : put(load<std::uint64_t>(element));
    default:
      return append_hex(out, element, bytes);
  }
}

void ElementText::Node::append_float(std::string& out, const std::byte* element) const {
  const bool is_long = bytes == sizeof(long double);
  const char* const format = style.number_format.empty() ? "%g" : style.number_format.c_str();
  const auto print = [&](char* buffer, std::size_t size) {
    // As h5dump, whose format is for float and double.
    if (is_long) return std::snprintf(buffer, size, "%Lg", load<long double>(element));
    const double value = bytes == 4 ? static_cast<double>(load<float>(element)) : load<double>(element);
    return std::snprintf(buffer, size, format, value);
  };
  if (bytes != 4 && bytes != 8 && !is_long) return append_hex(out, element, bytes);
  std::array<char, 64> buffer{};
  const auto length = static_cast<std::size_t>(std::max(0, print(buffer.data(), buffer.size())));
  if (length < buffer.size()) {
    out.append(buffer.data(), length);
    return;
  }
  std::string text(length + 1, '\0');
  print(text.data(), text.size());
  text.pop_back();
  out += text;
}

void ElementText::Node::append_string(std::string& out, const std::byte* element) const {
  std::string_view text(reinterpret_cast<const char*>(element), bytes);
  if (is_variable) {
    const char* const found = load<const char*>(element);
    if (found == nullptr) {
      out += "NULL";
      return;
    }
    text = found;
  } else if (padding == StringPadding::nul_terminated) {
    text = text.substr(0, text.find('\0'));
  }
  out += '"';
  append_characters(out, text, style.escape);
  out += '"';
}

void ElementText::Node::append_enumeration(std::string& out, const std::byte* element) const {
  const std::uint64_t mask = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  std::uint64_t value = 0;
  std::memcpy(&value, element, std::min(bytes, sizeof value));
  for (const Enumerator& e : enumerators) {
    if ((static_cast<std::uint64_t>(e.value) & mask) != value) continue;
    out += printable(e.name);
    return;
  }
  append_hex(out, element, bytes);
}

void ElementText::Node::append_compound(std::string& out, const std::byte* element, std::size_t level) const {
  out += '{';
  for (const Part& part : parts) {
    if (&part != parts.data()) out += ',';
    append_line(out, level + 1);
    part.node.append(out, element + part.offset, level + 1);
  }
  append_line(out, level);
  out += '}';
}

void ElementText::Node::append_array(std::string& out, const std::byte* element, std::size_t level) const {
  const Node& base = parts[0].node;
  out += "[ ";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    // h5dump starts a line before each element that holds arrays itself.
    if (i > 0 && (i % row == 0 || base.has_arrays)) append_line(out, level + 1);
    if (i > 0 && i % row != 0) out += ' ';
    base.append(out, element + i * base.bytes, level + 1);
  }
  out += " ]";
}

void ElementText::Node::append_sequence(std::string& out, const std::byte* element, std::size_t level) const {
  const Node& base = parts[0].node;
  const NativeSequence found = sequence_of(element);
  out += '(';
  for (std::size_t i = 0; i < found.length; ++i) {
    if (i > 0) out += ", ";
    base.append(out, found.elements + i * base.bytes, level + 1);
  }
  out += ')';
}

void ElementText::Node::append_reference(std::string& out, const std::byte* element) const {
  if (const auto object = referenced_object(type, element)) {
    out += object_reference_ddl(paths, *object);
    return;
  }
  if (type.reference_kind() != ReferenceKind::region) return append_hex(out, element, bytes);
  const Region found = referenced_region(paths.file(), type, element);
  fmt::format_to(std::back_inserter(out), "DATASET \"{}\"",
                 printable(paths.find(found.dataset.address()).value_or("")));
}

void ElementText::Node::append(std::string& out, const std::byte* element, std::size_t level) const {
  switch (type_class) {
    case TypeClass::integer:
      return append_integer(out, element);
    case TypeClass::floating_point:
      return append_float(out, element);
    case TypeClass::string:
      return append_string(out, element);
    case TypeClass::enumeration:
      return append_enumeration(out, element);
    case TypeClass::compound:
      return append_compound(out, element, level);
    case TypeClass::array:
      return append_array(out, element, level);
    case TypeClass::sequence:
      return append_sequence(out, element, level);
    case TypeClass::reference:
      return append_reference(out, element);
    case TypeClass::complex:
      parts[0].node.append(out, element, level);
      out += '+';
      parts[0].node.append(out, element + parts[0].node.bytes, level);
      out += 'i';
      return;
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      return append_hex(out, element, bytes);
  }
}

ElementText::ElementText(const Datatype& native, const ElementStyle& style, PathFinder& paths)
    : root_(std::make_unique<Node>(native, style, paths)) {}
ElementText::~ElementText() = default;
ElementText::ElementText(ElementText&&) noexcept = default;

void ElementText::append(std::string& out, const std::byte* element, std::size_t level) const {
  root_->append(out, element, level);
}

}  // namespace filigree::tools
