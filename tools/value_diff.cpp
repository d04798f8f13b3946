// SPDX-License-Identifier: Apache-2.0
#include "value_diff.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace filigree::tools {

std::optional<Datatype> common_type(const Datatype& a, const Datatype& b) {
  const Datatype native_a = memory_type(a), native_b = memory_type(b);
  if (native_a == native_b) return native_a;
  const TypeClass kind = a.type_class();
  if (kind != b.type_class()) return std::nullopt;
  const bool is_number = kind == TypeClass::integer || kind == TypeClass::floating_point;
  if (!is_number || (kind == TypeClass::integer && a.is_signed() != b.is_signed())) return std::nullopt;
  return native_a.size() >= native_b.size() ? native_a : native_b;
}

bool ElementComparison::numbers_equal(const Datatype& native, const std::byte* a, const std::byte* b) const {
  if (std::memcmp(a, b, native.size()) == 0) return true;
  const auto x = as_double(native, a), y = as_double(native, b);
  if (!x || !y) return false;
  if (std::isnan(*x) && std::isnan(*y)) return true;
  const double difference = std::abs(*x - *y);
  if (tolerance_.absolute && difference <= *tolerance_.absolute) return true;
  return tolerance_.relative && *x != 0 && difference / std::abs(*x) <= *tolerance_.relative;
}

namespace {

/// Kind, flags and size, in front of the position in a heap.
constexpr std::size_t heap_reference_head = 6;

/// Whether a reference of HDF5 1.12 has its target in a heap, whose positions say nothing about the target.
bool is_in_heap(const Datatype& native, const std::byte* element) {
  constexpr std::byte object{2};
  return native.reference_kind() == ReferenceKind::any && element[0] != std::byte{0} &&
         (element[0] != object || element[1] != std::byte{0});
}

}  // namespace

bool ElementComparison::same_bytes_are_equal(const Datatype& native) {
  if (native.has_variable_parts() || native.type_class() == TypeClass::reference) return false;
  if (native.type_class() == TypeClass::array) return same_bytes_are_equal(native.base());
  if (native.type_class() != TypeClass::compound) return true;
  return std::ranges::all_of(native.members(),
                             [](const Member& member) { return same_bytes_are_equal(member.type); });
}

bool ElementComparison::equal(const Datatype& native, const std::byte* a, const std::byte* b) const {
  switch (native.type_class()) {
    case TypeClass::integer:
    case TypeClass::floating_point:
      return numbers_equal(native, a, b);
    case TypeClass::compound:
      return std::ranges::all_of(native.members(), [&](const Member& member) {
        return equal(member.type, a + member.offset, b + member.offset);
      });
    case TypeClass::array:
    case TypeClass::complex: {
      const Datatype base = native.base();
      for (std::size_t at = 0; at + base.size() <= native.size(); at += base.size())
        if (!equal(base, a + at, b + at)) return false;
      return true;
    }
    case TypeClass::reference:
      if (is_in_heap(native, a) && is_in_heap(native, b)) return std::memcmp(a, b, heap_reference_head) == 0;
      return a_.text(native, a) == b_.text(native, b);
    case TypeClass::string:
    case TypeClass::sequence:
    case TypeClass::enumeration:
      return a_.text(native, a) == b_.text(native, b);
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      return std::memcmp(a, b, native.size()) == 0;
  }
  return false;
}

}  // namespace filigree::tools
