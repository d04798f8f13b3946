// SPDX-License-Identifier: Apache-2.0
#include "model/heap/heap_values.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"

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
  store_word(to + 4, value.stored() ? to_number(value.collection) : 0, offset_bytes);
  store_word(to + 4 + offset_bytes, value.stored() ? value.index : 0, 4);
}

namespace {

bool is_reference(const DatatypeMessage& type) { return type.type_class == TypeClass::reference; }

/// Returns whether the type or a part of it satisfies `wanted`.
bool contains(const DatatypeMessage& type, bool (*wanted)(const DatatypeMessage&)) {
  if (wanted(type)) return true;
  if (type.type_class == TypeClass::enumeration) return false;
  if (std::ranges::any_of(type.base, [&](const DatatypeMessage& base) { return contains(base, wanted); }))
    return true;
  return std::ranges::any_of(type.members,
                             [&](const format::CompoundMember& m) { return contains(m.type, wanted); });
}

/// Visits each variable-length value and each reference in `elements` with its type. `Span` is Bytes or
/// MutableBytes.
template <class Span>
void for_each_indirect(const DatatypeMessage& type, Span elements,
                       FunctionRef<void(const DatatypeMessage&, Span)> see) {
  if (type.size == 0) return;
  for (std::size_t at = 0; at + type.size <= elements.size(); at += type.size) {
    const Span element = elements.subspan(at, type.size);
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

bool has_references(const DatatypeMessage& type) { return contains(type, is_reference); }

void visit_indirect_values(const DatatypeMessage& type, Bytes elements,
                           FunctionRef<void(const DatatypeMessage&, Bytes)> see) {
  for_each_indirect<Bytes>(type, elements, see);
}

namespace {

/// The heap objects of `elements`, and those that they refer to.
void collect(HeapFileValues& values, const DatatypeMessage& type, Bytes elements,
             std::vector<store::GlobalHeapId>& found) {
  for_each_indirect<Bytes>(type, elements, [&](const DatatypeMessage& inner, Bytes element) {
    if (!is_variable(inner)) return;
    const HeapValue value = load_heap_value(element.data(), values.offset_bytes());
    if (!value.stored()) return;
    found.push_back({value.collection, value.index});
    const DatatypeMessage& base = inner.base.at(0);
    if (!has_heap_values(base)) return;
    const auto content = values.fetch({value.collection, value.index});
    collect(values, base, content.bytes, found);
  });
}

}  // namespace

void release_heap_values(File& file, const DatatypeMessage& type, Bytes elements) {
  if (!has_heap_values(type) || type.size == 0) return;
  std::vector<store::GlobalHeapId> found;
  HeapFileValues values(file, elements.size() / type.size);
  collect(values, type, elements, found);
  file.global_heap().remove(found);
}

void release_replaced_values(File& file, const DatatypeMessage& type, Bytes old, Bytes now) {
  if (!has_heap_values(type)) return;
  Buffer gone(old.begin(), old.end());
  for_each_indirect<MutableBytes>(type, gone, [&](const DatatypeMessage&, MutableBytes element) {
    const Bytes successor =
        now.subspan(static_cast<std::size_t>(element.data() - gone.data()), element.size());
    if (std::ranges::equal(element, successor)) std::ranges::fill(element, std::byte{0});
  });
  release_heap_values(file, type, gone);
}

namespace {

struct Copying {
  type::FileValues& from;
  type::FileValues& to;
  bool same_file;
  const TranslateReference* translate = nullptr;  ///< null: references to another file are cleared
};

void copy_values(const Copying& copying, const DatatypeMessage& type, MutableBytes elements) {
  const auto is_indirect = [](const DatatypeMessage& t) { return is_variable(t) || is_reference(t); };
  if (!contains(type, is_indirect)) return;
  for_each_indirect<MutableBytes>(type, elements, [&](const DatatypeMessage& inner, MutableBytes element) {
    if (is_reference(inner)) {
      if (copying.translate != nullptr)
        (*copying.translate)(inner, element);
      else if (!copying.same_file)
        std::ranges::fill(element, std::byte{0});
      return;
    }
    HeapValue value = load_heap_value(element.data(), copying.from.offset_bytes());
    const bool is_string = inner.variable == format::VariableKind::string;
    type::HeapObject made{Address::undefined, 0};
    if (value.length == 0) {
      // An empty object distinguishes an empty string from a missing one.
      if (is_string && value.stored()) made = copying.to.store({});
    } else if (value.stored()) {
      const auto content = copying.from.fetch({value.collection, value.index});
      if (contains(inner.base.at(0), is_indirect)) {
        Buffer copy(content.bytes.begin(), content.bytes.end());
        copy_values(copying, inner.base.at(0), copy);
        made = copying.to.store(copy);
      } else {
        made = copying.to.store(content.bytes);
      }
    }
    value.collection = made.collection;
    value.index = made.index;
    if (!value.stored()) value.length = 0;
    store_heap_value(element.data(), value, copying.to.offset_bytes());
  });
}

}  // namespace

namespace {

/// Visits the variable-length values of `elements` that share a heap object with `element`.
void for_each_shared(const DatatypeMessage& type, MutableBytes elements, Bytes element,
                     FunctionRef<void(const DatatypeMessage&, MutableBytes)> see) {
  for_each_indirect<MutableBytes>(type, elements, [&](const DatatypeMessage& inner, MutableBytes value) {
    if (!is_variable(inner)) return;
    const auto at = static_cast<std::size_t>(value.data() - elements.data()) % type.size;
    if (std::ranges::equal(value, element.subspan(at, value.size()))) see(inner, value);
  });
}

}  // namespace

void clear_references(const DatatypeMessage& type, MutableBytes elements) {
  for_each_indirect<MutableBytes>(type, elements, [&](const DatatypeMessage& inner, MutableBytes element) {
    if (is_reference(inner)) return void(std::ranges::fill(element, std::byte{0}));
    if (has_references(inner)) {
      throw Error(ErrorKind::unsupported,
                  "references within elements of variable length cannot be copied to another file");
    }
  });
}

void spare_heap_values(const DatatypeMessage& type, MutableBytes elements, Bytes element) {
  for_each_shared(type, elements, element,
                  [](const DatatypeMessage&, MutableBytes value) { std::ranges::fill(value, std::byte{0}); });
}

void separate_heap_values(File& file, const DatatypeMessage& type, MutableBytes elements, Bytes element) {
  HeapFileValues source(file, elements.size() / std::max(1u, type.size));
  HeapFileValues target(file);
  for_each_shared(type, elements, element, [&](const DatatypeMessage& inner, MutableBytes value) {
    copy_values({source, target, true}, inner, value);
  });
}

void copy_heap_values(File& from, File& to, const DatatypeMessage& type, MutableBytes elements) {
  const std::uint64_t count = type.size == 0 ? 0 : elements.size() / type.size;
  HeapFileValues source(from, count);
  HeapFileValues target(to);
  copy_values({source, target, &from == &to}, type, elements);
}

void copy_heap_values(File& from, File& to, const DatatypeMessage& type, MutableBytes elements,
                      TranslateReference translate) {
  HeapFileValues source(from, type.size == 0 ? 0 : elements.size() / type.size);
  HeapFileValues target(to);
  copy_values({source, target, false, &translate}, type, elements);
}

void fetch_heap_values(File& from, type::FileValues& to, const DatatypeMessage& type, MutableBytes elements) {
  HeapFileValues source(from, type.size == 0 ? 0 : elements.size() / type.size);
  copy_values({source, to, true}, type, elements);
}

}  // namespace filigree::model
