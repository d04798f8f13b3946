// SPDX-License-Identifier: Apache-2.0
//
// The properties of HDF5's own classes. One row of a table describes a property completely: its name and
// size, how its value is read and set by name, compared, copied, and encoded.
//
// H5Pget, H5Pset, H5Pexist, H5Pget_size, H5Piterate, H5Pequal, H5Pcopy, H5Pencode and H5Pdecode derive from
// these rows. The type and the default of a value are those of the member of the Settings class that it is
// kept in (settings.hpp). Adding a property is a member there, a row here, and its H5Pset and H5Pget
// functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "capi/H5P/plist_coder.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/H5P/settings.hpp"

namespace filigree::capi {

/// How H5Pencode writes a value that is one member.
enum class Encoding : std::uint8_t { none, byte, word, number, real, string, string_with_nul };

/// A row of a table.
struct LibraryProperty {
  using Get = void (*)(const Settings& from, void* value);
  using Set = void (*)(Settings& to, const void* value);
  using Equal = bool (*)(const Settings& a, const Settings& b);
  using Encode = void (*)(PlistCoder& coder, Settings& settings);
  using Copy = void (*)(Settings& settings);

  /// HDF5's name. Null where HDF5 1.10 has no such property: the value is compared, but not visible by name.
  const char* name = nullptr;
  std::size_t bytes = 0;     ///< of the value in HDF5
  Get get = nullptr;         ///< null: HDF5 keeps a structure of its own, which only its functions return
  Set set = nullptr;         ///< null exactly where `get` is
  Equal equal = nullptr;     ///< null: H5Pequal ignores the value
  Encode encode = nullptr;   ///< writes the value from the settings, or reads it into them; null: not encoded
  Copy copy = nullptr;       ///< makes what a copy shares with its original a copy of its own
  bool on_creation = false;  ///< HDF5 has a create callback: new lists keep the property themselves
  bool on_copy = false;      ///< HDF5 has a copy callback: copied lists keep the property themselves
  /// HDF5 2.x's name of a property without `name`. Encoded lists have it if its value is not the default, so
  /// that earlier releases decode all others.
  const char* later_name = nullptr;

  /// Compares these members with ==.
  template <auto... Fields>
  constexpr LibraryProperty compared() const;
  constexpr LibraryProperty compared(Equal with) const {
    LibraryProperty row = *this;
    row.equal = with;
    return row;
  }
  constexpr LibraryProperty uncompared() const { return compared(nullptr); }
  constexpr LibraryProperty encoded(Encode with) const {
    LibraryProperty row = *this;
    row.encode = with;
    return row;
  }
  constexpr LibraryProperty encoded_as(const char* later, Encode with) const {
    LibraryProperty row = encoded(with);
    row.later_name = later;
    return row;
  }
  constexpr LibraryProperty kept_on_creation() const {
    LibraryProperty row = *this;
    row.on_creation = true;
    return row;
  }
  constexpr LibraryProperty kept_on_copy(Copy with = nullptr) const {
    LibraryProperty row = *this;
    row.on_copy = true;
    row.copy = with;
    return row;
  }
  constexpr LibraryProperty copied_by(Copy with) const {
    LibraryProperty row = *this;
    row.copy = with;
    return row;
  }
};

/// The rows that a class adds to those of its parent. Empty for classes without properties of their own.
std::span<const LibraryProperty> library_properties(PlistType type);
/// Returns the property of that name of the class or of one of its parents, or null.
const LibraryProperty* find_library_property(const PropertyClass& in, const char* name);
/// Returns the names of the properties of a list in the order in which HDF5 iterates over them and encodes
/// them: first the properties that the list keeps itself, then class by class, the nearest first. Within each
/// of these, HDF5 sorts by a hash of the name.
std::vector<std::string> property_order(const PropertyListHandle& plist);
std::vector<std::string> property_order(const PropertyClass& of);

// --- How rows are written ---

/// Leads from the settings of a list to a member.
#define FILIGREE_FIELD(owner, member) \
  [](owner & s) -> auto& { return s.member; }

template <class Function>
struct FieldOwner;
template <class Lambda, class Result, class Owner>
struct FieldOwner<Result (Lambda::*)(Owner&) const> {
  using type = Owner;
};

/// The member that a FILIGREE_FIELD leads to.
template <auto Field>
auto& field(Settings& settings) {
  using Owner = typename FieldOwner<decltype(&decltype(Field)::operator())>::type;
  return Field(dynamic_cast<Owner&>(settings));
}
template <auto Field>
const auto& field(const Settings& settings) {
  return field<Field>(const_cast<Settings&>(settings));
}

template <auto... Fields>
constexpr LibraryProperty LibraryProperty::compared() const {
  return compared([](const Settings& a, const Settings& b) {
    return (std::equal_to<>{}(field<Fields>(a), field<Fields>(b)) && ...);
  });
}

template <Encoding Form, class Value>
void encode_value(PlistCoder& coder, Value& value) {
  if constexpr (Form == Encoding::byte) coder.byte(value);
  if constexpr (Form == Encoding::word) coder.word(value);
  if constexpr (Form == Encoding::number) coder.number(value);
  if constexpr (Form == Encoding::real) coder.real(value);
  if constexpr (Form == Encoding::string) coder.text(value);
  if constexpr (Form == Encoding::string_with_nul) coder.text(value, true);
}

/// An `encode` for one member.
template <auto Field, Encoding Form>
void encode_field(PlistCoder& coder, Settings& settings) {
  encode_value<Form>(coder, field<Field>(settings));
}

/// An `encode` for one of the values from 0 to `Last`.
template <auto Field, unsigned Last>
void encode_choice(PlistCoder& coder, Settings& settings) {
  coder.choice(field<Field>(settings), Last);
}

/// A property that is one member, and that H5Pget and H5Pset exchange as a `Value`.
template <class Value, auto Field, Encoding Form = Encoding::none>
constexpr LibraryProperty scalar(const char* name) {
  LibraryProperty row{name, sizeof(Value),
                      [](const Settings& from, void* value) {
                        const auto held = static_cast<Value>(field<Field>(from));
                        std::memcpy(value, &held, sizeof held);
                      },
                      [](Settings& to, const void* value) {
                        Value given;
                        std::memcpy(&given, value, sizeof given);
                        auto& held = field<Field>(to);
                        held = static_cast<std::remove_reference_t<decltype(held)>>(given);
                      }};
  if constexpr (Form != Encoding::none) row.encode = encode_field<Field, Form>;
  return row.compared<Field>();
}

/// The same for one of the values from 0 to `Last`.
template <class Value, auto Field, unsigned Last>
constexpr LibraryProperty choice(const char* name) {
  return scalar<Value, Field>(name).encoded(encode_choice<Field, Last>);
}

/// A property whose value is a structure of HDF5's, or that Filigree does not have.
constexpr LibraryProperty opaque(const char* name, std::size_t bytes) { return {name, bytes}; }

/// A member that HDF5 1.10 has no property for.
template <auto... Fields>
constexpr LibraryProperty unnamed() {
  return LibraryProperty{}.compared<Fields...>();
}

}  // namespace filigree::capi
