// SPDX-License-Identifier: Apache-2.0
#include "model/heap_values.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "model/file.hpp"
#include "model/heap_budget.hpp"
#include "store/file_store.hpp"
#include "store/global_heap.hpp"

namespace filigree::model {

using format::DatatypeMessage;
using format::TypeClass;

HeapValue load_heap_value(const std::byte* from, std::uint8_t offset_bytes) {
  HeapValue value;
  value.length = static_cast<std::uint32_t>(load_word(from, 4));
  const std::uint64_t at = load_word(from + 4, offset_bytes);
  value.collection = at == widest_word(offset_bytes) ? Address::undefined : to_address(at);
  value.index = static_cast<std::uint32_t>(load_word(from + 4 + offset_bytes, 4));
  return value;
}

void store_heap_value(std::byte* to, const HeapValue& value, std::uint8_t offset_bytes) {
  store_word(to, value.length, 4);
  store_word(to + 4, value.empty() ? 0 : to_number(value.collection), offset_bytes);
  store_word(to + 4 + offset_bytes, value.empty() ? 0 : value.index, 4);
}

namespace {

bool is_reference(const DatatypeMessage& type) { return type.type_class == TypeClass::reference; }

/// Whether the type contains anything for which `wanted` holds.
bool contains(const DatatypeMessage& type, bool (*wanted)(const DatatypeMessage&)) {
  if (wanted(type)) return true;
  if (type.type_class == TypeClass::enumeration) return false;
  if (std::ranges::any_of(type.base, [&](const DatatypeMessage& base) { return contains(base, wanted); }))
    return true;
  return std::ranges::any_of(type.members,
                             [&](const format::CompoundMember& m) { return contains(m.type, wanted); });
}

/// Shows each variable-length value and each reference among `elements`, with its type.
void for_each_indirect(const DatatypeMessage& type, MutableBytes elements,
                       FunctionRef<void(const DatatypeMessage&, MutableBytes)> see) {
  if (type.size == 0) return;
  for (std::size_t at = 0; at + type.size <= elements.size(); at += type.size) {
    const MutableBytes element = elements.subspan(at, type.size);
    switch (type.type_class) {
      case TypeClass::variable_length:
      case TypeClass::reference:
        see(type, element);
        break;
      case TypeClass::array:
        for_each_indirect(type.base.at(0), element, see);
        break;
      case TypeClass::compound:
        for (const format::CompoundMember& member : type.members) {
          const std::uint64_t bytes = format::member_bytes(member);
          if (member.byte_offset + bytes <= element.size())
            for_each_indirect(member.type, element.subspan(member.byte_offset, bytes), see);
        }
        break;
      case TypeClass::fixed_point:
      case TypeClass::floating_point:
      case TypeClass::time:
      case TypeClass::string:
      case TypeClass::bitfield:
      case TypeClass::opaque:
      case TypeClass::enumeration:
      case TypeClass::complex:
        return;
    }
  }
}

bool is_variable(const DatatypeMessage& type) { return type.type_class == TypeClass::variable_length; }

}  // namespace

bool has_heap_values(const DatatypeMessage& type) { return contains(type, is_variable); }

void release_heap_values(File& file, const DatatypeMessage& type, Bytes elements) {
  const std::uint8_t offset_bytes = file.store().widths().offset_bytes;
  Buffer copy(elements.begin(), elements.end());
  for_each_indirect(type, copy, [&](const DatatypeMessage& inner, MutableBytes element) {
    if (!is_variable(inner)) return;
    const HeapValue value = load_heap_value(element.data(), offset_bytes);
    if (!value.stored()) return;
    const DatatypeMessage& base = inner.base.at(0);
    if (has_heap_values(base))
      release_heap_values(file, base, file.global_heap().get(value.collection, value.index));
    file.global_heap().remove({value.collection, value.index});
  });
}

namespace {

void copy_values(File& from, File& to, const DatatypeMessage& type, MutableBytes elements,
                 HeapBudget& budget) {
  if (!contains(type, is_variable) && !contains(type, is_reference)) return;
  const bool same_file = &from == &to;
  for_each_indirect(type, elements, [&](const DatatypeMessage& inner, MutableBytes element) {
    if (is_reference(inner)) {
      if (!same_file) std::ranges::fill(element, std::byte{0});
      return;
    }
    HeapValue value = load_heap_value(element.data(), from.store().widths().offset_bytes);
    const bool empty_string =
        value.length == 0 && value.stored() && inner.variable == format::VariableKind::string;
    if (empty_string) {
      // Kept apart from a missing string by a heap object, as write_strings() does.
      const auto id = to.global_heap().insert(Buffer(1));
      value = {1, id.collection, id.index};
    } else if (!value.empty()) {
      Buffer bytes = from.global_heap().get(value.collection, value.index);
      budget.spend(bytes.size());
      copy_values(from, to, inner.base.at(0), bytes, budget);
      const auto id = to.global_heap().insert(bytes);
      value.collection = id.collection;
      value.index = id.index;
    }
    store_heap_value(element.data(), value, to.store().widths().offset_bytes);
  });
}

}  // namespace

void copy_heap_values(File& from, File& to, const DatatypeMessage& type, MutableBytes elements) {
  HeapBudget budget(from.store());
  copy_values(from, to, type, elements, budget);
}

}  // namespace filigree::model
