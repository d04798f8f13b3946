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
  // A double cannot represent all integers, so that different ones may have the difference 0 there.
  const auto exact = distance(native, a, b);
  const long double difference = exact ? static_cast<long double>(*exact) : std::abs(*x - *y);
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
      return references_equal(native, a, b);
    case TypeClass::string:
      return string_of(native, a) == string_of(native, b);
    case TypeClass::sequence:
      return sequences_equal(native.base(), a, b);
    case TypeClass::enumeration:
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::opaque:
      return std::memcmp(a, b, native.size()) == 0;
  }
  return false;
}

bool ElementComparison::sequences_equal(const Datatype& base, const std::byte* a, const std::byte* b) const {
  const NativeSequence in_a = sequence_of(a), in_b = sequence_of(b);
  if (in_a.length != in_b.length) return false;
  for (std::size_t i = 0; i < in_a.length; ++i)
    if (!equal(base, in_a.elements + i * base.size(), in_b.elements + i * base.size())) return false;
  return true;
}

bool ElementComparison::references_equal(const Datatype& native, const std::byte* a,
                                         const std::byte* b) const {
  if (is_null_reference(native, b) && may_become_null(native, a)) return true;
  if (native.reference_kind() == ReferenceKind::region) return regions_equal(native, a, b);
  if (is_in_heap(native, a) && is_in_heap(native, b)) return std::memcmp(a, b, heap_reference_head) == 0;
  const auto in_a = referenced_object(native, a), in_b = referenced_object(native, b);
  return in_a && in_b ? objects_equal(*in_a, *in_b) : std::memcmp(a, b, native.size()) == 0;
}

bool ElementComparison::objects_equal(std::uint64_t a, std::uint64_t b) const {
  if (a == 0 || b == 0) return a == b;
  const auto path_a = paths_a_.find(a), path_b = paths_b_.find(b);
  return path_a || path_b ? path_a == path_b : a == b;
}

bool ElementComparison::regions_equal(const Datatype& native, const std::byte* a, const std::byte* b) const {
  if (is_null_reference(native, a) || is_null_reference(native, b))
    return std::memcmp(a, b, native.size()) == 0;
  try {
    const Region in_a = referenced_region(paths_a_.file(), native, a);
    const Region in_b = referenced_region(paths_b_.file(), native, b);
    if (!objects_equal(in_a.dataset.address(), in_b.dataset.address())) return false;
    const std::vector<std::uint64_t> dims = in_a.dataset.space().dims();
    return dims == in_b.dataset.space().dims() && in_a.selection.within(dims) == in_b.selection.within(dims);
  } catch (const Error&) {
    return a_.text(native, a) == b_.text(native, b);  // the same failure
  }
}

/// Whether a copy of the file has null instead of this reference: no link leads to its target.
bool ElementComparison::may_become_null(const Datatype& native, const std::byte* a) const {
  if (unlinked_ == Unlinked::different) return false;
  if (const auto object = referenced_object(native, a)) return !paths_a_.find(*object);
  if (native.reference_kind() != ReferenceKind::region) return true;  // only the kind is compared
  try {
    return !paths_a_.find(referenced_region(paths_a_.file(), native, a).dataset.address());
  } catch (const Error&) {
    return true;
  }
}

}  // namespace filigree::tools
