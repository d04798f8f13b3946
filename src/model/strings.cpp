// SPDX-License-Identifier: Apache-2.0
#include "model/strings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "model/file.hpp"
#include "model/file_values.hpp"
#include "model/heap_values.hpp"

namespace filigree::model {

using format::DatatypeMessage;
using format::StringPadding;
using format::TypeClass;

namespace {

bool is_variable_string(const DatatypeMessage& type) {
  return type.type_class == TypeClass::variable_length && type.variable == format::VariableKind::string;
}

void require_string(const DatatypeMessage& type) {
  if (type.type_class != TypeClass::string && !is_variable_string(type)) {
    throw Error(ErrorKind::wrong_type, "not a string: " + format::describe_type(type));
  }
}

std::string_view without_padding(std::string_view text, StringPadding padding) {
  if (padding == StringPadding::space_padded) {
    const auto last = text.find_last_not_of(' ');
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }
  return text.substr(0, text.find('\0'));
}

std::string read_variable(HeapFileValues& values, Bytes element) {
  const HeapValue value = load_heap_value(element.data(), values.offset_bytes());
  if (value.empty()) return {};
  const auto [bytes, owner] = values.fetch({value.collection, value.index});
  if (bytes.size() < value.length)
    throw Error(ErrorKind::corrupt, "a variable-length string is longer than its heap object");
  // Some writers store the NUL, others do not.
  return std::string(without_padding(as_text(bytes.first(value.length)), StringPadding::nul_terminated));
}

void write_fixed(const DatatypeMessage& type, MutableBytes element, std::string_view text) {
  const std::size_t room = element.size() - (type.padding == StringPadding::nul_terminated ? 1 : 0);
  if (text.size() > room)
    throw Error(ErrorKind::limit,
                fmt::format("a string of {} bytes does not fit {} bytes", text.size(), room));
  std::ranges::fill(
      element, std::byte{type.padding == StringPadding::space_padded ? std::uint8_t{' '} : std::uint8_t{0}});
  std::ranges::copy(as_bytes(text), element.begin());
}

}  // namespace

std::vector<std::string> read_strings(File& file, const DatatypeMessage& type, Bytes elements) {
  require_string(type);
  std::vector<std::string> values;
  HeapFileValues heap(file, elements.size() / std::max<std::uint32_t>(type.size, 1));
  for (std::size_t at = 0; at + type.size <= elements.size(); at += type.size) {
    const Bytes element = elements.subspan(at, type.size);
    values.push_back(is_variable_string(type) ? read_variable(heap, element)
                                              : std::string(without_padding(as_text(element), type.padding)));
  }
  return values;
}

void write_strings(File& file, const DatatypeMessage& type, MutableBytes elements,
                   std::span<const std::string_view> values) {
  require_string(type);
  HeapFileValues heap(file);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const MutableBytes element = elements.subspan(i * type.size, type.size);
    if (!is_variable_string(type)) {
      write_fixed(type, element, values[i]);
      continue;
    }
    const auto stored = heap.store(as_bytes(values[i]));
    store_heap_value(element.data(),
                     {static_cast<std::uint32_t>(values[i].size()), stored.collection, stored.index},
                     heap.offset_bytes());
  }
}

}  // namespace filigree::model
