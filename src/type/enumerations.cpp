// SPDX-License-Identifier: Apache-2.0
//
// Conversions of enumerations: to each other by name, from and to numbers by value.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "type/conversion_parts.hpp"
#include "type/numbers.hpp"

namespace filigree::type {

using format::TypeClass;

namespace {

/// A value of the source and the value of the same name in the destination, or null if there is none.
struct NamedPair {
  const std::byte* from = nullptr;
  const std::byte* to = nullptr;
};

class EnumerationConversion final : public Conversion {
 public:
  EnumerationConversion(const DatatypeMessage& from, const DatatypeMessage& to)
      : Conversion({.from_bytes = from.size, .to_bytes = to.size}), from_(from), to_(to) {
    std::unordered_map<std::string_view, const std::byte*> values;
    for (std::size_t i = 0; i < to_.enum_names.size(); ++i) {
      values.emplace(to_.enum_names[i], to_.enum_values.data() + i * to_.size);
    }
    for (std::size_t i = 0; i < from_.enum_names.size(); ++i) {
      const auto found = values.find(from_.enum_names[i]);
      if (found == values.end()) continue;
      pairs_.push_back({from_.enum_values.data() + i * from_.size, found->second});
    }
    // The first of several names for one value counts.
    std::ranges::sort(pairs_, [this](const NamedPair& a, const NamedPair& b) {
      const int order = std::memcmp(a.from, b.from, from_.size);
      return order != 0 ? order < 0 : a.from < b.from;
    });
  }

 private:
  const std::byte* find(const std::byte* value) const {
    const auto found = std::ranges::lower_bound(
        pairs_, value,
        [this](const std::byte* a, const std::byte* b) { return std::memcmp(a, b, from_.size) < 0; },
        &NamedPair::from);
    if (found == pairs_.end() || std::memcmp(found->from, value, from_.size) != 0) return nullptr;
    return found->to;
  }

  void do_apply(const Tile& tile, const Context& context) const override {
    NamedPair last;  // adjacent values are often equal
    for (std::size_t i = 0; i < tile.count; ++i) {
      const std::byte* from = tile.from + i * tile.from_stride;
      std::byte* to = tile.to + i * tile.to_stride;
      if (last.from == nullptr || std::memcmp(last.from, from, from_.size) != 0) last = {from, find(from)};
      if (last.to != nullptr) {
        std::memcpy(to, last.to, to_.size);
      } else if (!handled(context, {ConversionFault::range_high, from_, to_, from, to})) {
        std::memset(to, 0xff, to_.size);
      }
    }
  }

  // These are copies, because the pairs point into them and fault handlers use them.
  const DatatypeMessage from_;
  const DatatypeMessage to_;
  std::vector<NamedPair> pairs_;
};

bool is_whole(const DatatypeMessage& type) {
  return type.base.size() == 1 && type.base.front().size == type.size &&
         type.enum_values.size() == type.enum_names.size() * std::size_t{type.size};
}

}  // namespace

ConversionPointer prepare_enumeration(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  const bool from_named = from.type_class == TypeClass::enumeration;
  const bool to_named = to.type_class == TypeClass::enumeration;
  if ((from_named && !is_whole(from)) || (to_named && !is_whole(to))) return nullptr;
  if (from_named && to_named) return std::make_shared<EnumerationConversion>(from, to);
  if (from_named) {
    const bool to_number =
        to.type_class == TypeClass::fixed_point || to.type_class == TypeClass::floating_point;
    return to_number ? prepare_number(from.base.front(), to) : nullptr;
  }
  if (rules == Rules::hdf5 || from.type_class != TypeClass::fixed_point) return nullptr;
  return prepare_number(from, to.base.front());
}

}  // namespace filigree::type
