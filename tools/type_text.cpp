// SPDX-License-Identifier: Apache-2.0
#include "type_text.hpp"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/values.hpp>

#include "text.hpp"

namespace filigree::tools {

namespace {

constexpr std::size_t most_characters = 60;

const char* order_text(const Datatype& type) {
  if (type.size() == 1) return "";
  switch (type.order()) {
    case ByteOrder::little:
      return "";
    case ByteOrder::big:
      return "be";
    case ByteOrder::vax:
      return "vax";
  }
  return "";
}

std::string sized(std::string_view name, const Datatype& type) {
  const BitLayout bits = type.bits();
  std::string text = fmt::format("{}{}{}", name, 8 * type.size(), order_text(type));
  if (bits.precision != 8 * type.size()) text += fmt::format(":{}", bits.precision);
  return text;
}

std::string compound_text(const Datatype& type) {
  std::string text = "{";
  for (const Member& member : type.members()) {
    if (text.size() > 1) text += ", ";
    if (text.size() > most_characters) return text + "...}";
    text += fmt::format("{}: {}", printable(member.name), type_text(member.type));
  }
  return text + "}";
}

std::string reference_text(const Datatype& type) {
  switch (type.reference_kind()) {
    case ReferenceKind::object:
      return "object reference";
    case ReferenceKind::region:
      return "region reference";
    case ReferenceKind::any:
      return "reference";
  }
  return "reference";
}

std::string long_text(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::integer:
      return sized(type.is_signed() ? "int" : "uint", type);
    case TypeClass::floating_point:
      if (type == Datatype::bfloat16() || type == Datatype::bfloat16(ByteOrder::big))
        return fmt::format("bfloat16{}", order_text(type));
      return sized("float", type);
    case TypeClass::time:
      return fmt::format("time{}", 8 * type.size());
    case TypeClass::string:
      return type.is_variable_string() ? "string" : fmt::format("string[{}]", type.size());
    case TypeClass::bitfield:
      return sized("bits", type);
    case TypeClass::opaque:
      return fmt::format("opaque[{}]", type.size());
    case TypeClass::compound:
      return compound_text(type);
    case TypeClass::reference:
      return reference_text(type);
    case TypeClass::enumeration:
      return fmt::format("enum {}", type_text(type.base()));
    case TypeClass::sequence:
      return fmt::format("{}[]", type_text(type.base()));
    case TypeClass::array:
      return fmt::format("{}[{}]", type_text(type.base()), fmt::join(type.dims(), ", "));
    case TypeClass::complex:
      return fmt::format("complex {}", type_text(type.base()));
  }
  return type.text();
}

std::optional<Datatype> parse_numpy(char kind, std::uint32_t bytes, ByteOrder order) {
  const bool is_integer = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if ((kind == 'u' || kind == 'i') && is_integer) return Datatype::integer(bytes, kind == 'i', order);
  if (kind == 'f' && is_integer && bytes != 1) return Datatype::floating(bytes, order);
  if (kind == 'c' && (bytes == 8 || bytes == 16)) {
    const Datatype part = Datatype::floating(bytes / 2, order);
    return Datatype::compound(bytes, {{"r", part, 0}, {"i", part, bytes / 2}});
  }
  if (bytes == 0) return std::nullopt;
  if (kind == 'S') return Datatype::fixed_string(bytes, StringPadding::nul_padded, CharacterSet::ascii);
  if (kind == 'V') return Datatype::opaque(bytes, "");
  return std::nullopt;
}

std::optional<std::uint32_t> parse_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string type_text(const Datatype& type) {
  std::string text = long_text(type);
  return text.size() > most_characters + 20 ? text.substr(0, most_characters) + "..." : text;
}

std::optional<Datatype> parse_type(std::string_view name) {
  if (name == "?" || name == "bool") return Datatype::of<bool>();
  for (const auto& [word, kind] : {std::pair{"uint", 'u'}, {"int", 'i'}, {"float", 'f'}}) {
    if (!name.starts_with(word)) continue;
    name.remove_prefix(std::string_view(word).size());
    const ByteOrder order = name.ends_with("be") ? ByteOrder::big : ByteOrder::little;
    if (order == ByteOrder::big) name.remove_suffix(2);
    const auto bits = parse_number(name);
    return bits && *bits % 8 == 0 ? parse_numpy(kind, *bits / 8, order) : std::nullopt;
  }
  ByteOrder order = ByteOrder::little;
  if (name.starts_with('<') || name.starts_with('>') || name.starts_with('|') || name.starts_with('=')) {
    if (name[0] == '>') order = ByteOrder::big;
    name.remove_prefix(1);
  }
  if (name.size() < 2) return std::nullopt;
  const auto bytes = parse_number(name.substr(1));
  return bytes ? parse_numpy(name[0], *bytes, order) : std::nullopt;
}

}  // namespace filigree::tools
