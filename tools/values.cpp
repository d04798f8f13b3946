// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "text.hpp"

namespace filigree::tools {

namespace {

template <class T>
T load(const std::byte* element) {
  T value{};
  std::memcpy(&value, element, sizeof value);
  return value;
}

std::int64_t load_signed(const std::byte* element, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return load<std::int8_t>(element);
    case 2:
      return load<std::int16_t>(element);
    case 4:
      return load<std::int32_t>(element);
    default:
      return load<std::int64_t>(element);
  }
}

std::uint64_t load_unsigned(const std::byte* element, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, element, std::min<std::size_t>(bytes, sizeof value));
  return value;
}

std::string hex_text(const std::byte* element, std::size_t bytes) {
  std::string text = "0x";
  for (std::size_t i = 0; i < bytes; ++i)
    text += fmt::format("{:02x}", std::to_integer<unsigned>(element[i]));
  return text;
}

std::string number_text(const Datatype& type, const std::byte* element) {
  if (type.type_class() == TypeClass::floating_point) {
    if (type.size() == 4) return fmt::format("{}", load<float>(element));
    if (type.size() == 8) return fmt::format("{}", load<double>(element));
    return fmt::format("{}", load<long double>(element));
  }
  return type.is_signed() ? fmt::format("{}", load_signed(element, type.size()))
                          : fmt::format("{}", load_unsigned(element, type.size()));
}

/// Whether number_text() can write elements of the type.
bool is_number(const Datatype& type) {
  const std::size_t bytes = type.size();
  if (type.type_class() == TypeClass::integer) return bytes <= 8;
  return type.type_class() == TypeClass::floating_point &&
         (bytes == 4 || bytes == 8 || bytes == sizeof(long double));
}

std::size_t elements_of(const Datatype& array) {
  std::size_t count = 1;
  for (const std::uint32_t dim : array.dims()) count *= dim;
  return count;
}

}  // namespace

NativeSequence sequence_of(const std::byte* element) { return load<NativeSequence>(element); }

std::optional<std::string_view> string_of(const Datatype& type, const std::byte* element) {
  if (type.is_variable_string()) {
    const char* const text = load<const char*>(element);
    if (text == nullptr) return std::nullopt;
    return std::string_view(text);
  }
  std::string_view text(reinterpret_cast<const char*>(element), type.size());
  if (type.padding() == StringPadding::space_padded) {
    const std::size_t last = text.find_last_not_of(' ');
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }
  if (type.padding() == StringPadding::nul_terminated) return text.substr(0, text.find('\0'));
  const std::size_t last = text.find_last_not_of('\0');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::optional<std::string> enumerator_of(const Datatype& type, const std::byte* element) {
  const std::int64_t value = load_signed(element, type.size());
  const auto all = type.enumerators();
  const std::uint64_t mask = type.size() >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * type.size()) - 1;
  const auto same = [&](const Enumerator& e) {
    return (static_cast<std::uint64_t>(e.value) & mask) == (static_cast<std::uint64_t>(value) & mask);
  };
  const auto found = std::ranges::find_if(all, same);
  if (found == all.end()) return std::nullopt;
  return found->name;
}

Datatype memory_type(const Datatype& stored) {
  try {
    return stored.native();
  } catch (const Error& error) {
    // There is no native type for times; their bytes are kept.
    switch (stored.type_class()) {
      case TypeClass::time:
        return stored;
      case TypeClass::array:
        return Datatype::array(memory_type(stored.base()), stored.dims());
      case TypeClass::compound: {
        std::vector<Member> members = stored.members();
        for (Member& member : members) member.type = memory_type(member.type);
        return Datatype::packed_compound(std::move(members));
      }
      default:
        throw;
    }
  }
}

Elements::Elements(const Datatype& stored) : type_(memory_type(stored)) {}

Elements::Elements(const Dataset& data, const Selection& selection) : type_(memory_type(data.datatype())) {
  data.read_allocated(type_, selection, {}, [&](std::size_t count) {
    return Dataset::ElementBuffer{resize(count), count};
  });
}

Elements::Elements(const Attribute& attribute) : type_(memory_type(attribute.datatype())) {
  const std::uint64_t count = attribute.elements();
  attribute.read_elements(type_, resize(count), count);
}

Elements::~Elements() {
  if (!bytes_.empty() && type_.has_variable_parts()) type_.release(bytes_.data(), count_);
}

std::byte* Elements::resize(std::size_t count) {
  bytes_.resize(count * type_.size());
  count_ = count;
  return bytes_.data();
}

std::string ValueWriter::list(const Datatype& base, const std::byte* elements, std::size_t count) const {
  std::string out = "[";
  for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ", " : "") + text(base, elements + i * base.size());
  return out + "]";
}

std::string ValueWriter::compound(const Datatype& native, const std::byte* element) const {
  std::string out = "{";
  for (const Member& member : native.members()) {
    if (out.size() > 1) out += ", ";
    out += style_.safe(member.name) + ": " + text(member.type, element + member.offset);
  }
  return out + "}";
}

std::string ValueWriter::reference(const Datatype& native, const std::byte* element) const {
  if (is_null_reference(native, element)) return "null";
  if (const auto object = referenced_object(native, element)) return style_.safe(paths_.path(*object));
  if (native.reference_kind() != ReferenceKind::region) return hex_text(element, native.size());
  try {
    const Region found = referenced_region(paths_.file(), native, element);
    return fmt::format("{} ({} elements)", style_.safe(paths_.path(found.dataset.address())),
                       found.selection.elements(found.dataset.space().dims()));
  } catch (const Error& error) {
    return fmt::format("[error: {}]", style_.safe(error.message()));
  }
}

std::string ValueWriter::text(const Datatype& native, const std::byte* element) const {
  switch (native.type_class()) {
    case TypeClass::integer:
    case TypeClass::floating_point:
      return is_number(native) ? number_text(native, element) : hex_text(element, native.size());
    case TypeClass::string: {
      const auto found = string_of(native, element);
      return found ? fmt::format("\"{}\"", style_.safe(*found)) : "null";
    }
    case TypeClass::enumeration: {
      const auto name = enumerator_of(native, element);
      return name ? style_.safe(*name) : number_text(native.base(), element);
    }
    case TypeClass::compound:
      return compound(native, element);
    case TypeClass::array:
      return list(native.base(), element, elements_of(native));
    case TypeClass::sequence: {
      const auto found = sequence_of(element);
      return list(native.base(), found.elements, found.length);
    }
    case TypeClass::complex: {
      const Datatype part = native.base();
      return fmt::format("({}, {})", text(part, element), text(part, element + part.size()));
    }
    case TypeClass::reference:
      return reference(native, element);
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      return hex_text(element, native.size());
  }
  return "?";
}

void ValueWriter::json_compound(JsonWriter& json, const Datatype& native, const std::byte* element) const {
  json.begin_object();
  for (const Member& member : native.members()) {
    json.key(member.name);
    this->json(json, member.type, element + member.offset);
  }
  json.end_object();
}

void ValueWriter::json_list(JsonWriter& json, const Datatype& base, const std::byte* elements,
                            std::size_t count) const {
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) this->json(json, base, elements + i * base.size());
  json.end_array();
}

void ValueWriter::json(JsonWriter& json, const Datatype& native, const std::byte* element) const {
  switch (native.type_class()) {
    case TypeClass::integer:
      if (!is_number(native)) break;
      native.is_signed() ? json.number(load_signed(element, native.size()))
                         : json.number(load_unsigned(element, native.size()));
      return;
    case TypeClass::floating_point:
      if (native.size() == 4) return void(json.number(load<float>(element)));
      if (native.size() == 8) return void(json.number(load<double>(element)));
      break;
    case TypeClass::string: {
      const auto found = string_of(native, element);
      return void(found ? json.bytes_or_text(*found) : json.null());
    }
    case TypeClass::enumeration: {
      const auto name = enumerator_of(native, element);
      return name ? void(json.bytes_or_text(*name)) : this->json(json, native.base(), element);
    }
    case TypeClass::compound:
      return json_compound(json, native, element);
    case TypeClass::array:
      return json_list(json, native.base(), element, elements_of(native));
    case TypeClass::sequence: {
      const auto found = sequence_of(element);
      return json_list(json, native.base(), found.elements, found.length);
    }
    case TypeClass::complex:
      return json_list(json, native.base(), element, 2);
    case TypeClass::reference:
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      break;
  }
  json.bytes_or_text(text(native, element));
}

std::optional<double> as_double(const Datatype& native, const std::byte* element) {
  if (!is_number(native)) return std::nullopt;
  if (native.type_class() == TypeClass::integer) {
    return native.is_signed() ? static_cast<double>(load_signed(element, native.size()))
                              : static_cast<double>(load_unsigned(element, native.size()));
  }
  if (native.size() == 4) return load<float>(element);
  if (native.size() == 8) return load<double>(element);
  return static_cast<double>(load<long double>(element));
}

std::optional<std::uint64_t> distance(const Datatype& native, const std::byte* a, const std::byte* b) {
  if (native.type_class() != TypeClass::integer || !is_number(native)) return std::nullopt;
  // The difference of the bits, modulo 2^64, is that of the numbers, whatever their signs.
  const auto bits = [&](const std::byte* element) {
    return native.is_signed() ? static_cast<std::uint64_t>(load_signed(element, native.size()))
                              : load_unsigned(element, native.size());
  };
  return is_less(native, a, b) ? bits(b) - bits(a) : bits(a) - bits(b);
}

bool is_less(const Datatype& native, const std::byte* a, const std::byte* b) {
  const std::size_t bytes = native.size();
  if (native.type_class() == TypeClass::integer) {
    return native.is_signed() ? load_signed(a, bytes) < load_signed(b, bytes)
                              : load_unsigned(a, bytes) < load_unsigned(b, bytes);
  }
  if (bytes == 4) return load<float>(a) < load<float>(b);
  if (bytes == 8) return load<double>(a) < load<double>(b);
  return load<long double>(a) < load<long double>(b);
}

}  // namespace filigree::tools
