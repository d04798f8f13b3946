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
    case TypeClass::string:
    case TypeClass::sequence:
    case TypeClass::reference:
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
