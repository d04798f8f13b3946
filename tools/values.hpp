// SPDX-License-Identifier: Apache-2.0
//
// Elements of any datatype as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/filigree.hpp>

#include "json.hpp"
#include "references.hpp"
#include "terminal.hpp"

namespace filigree::tools {

/// Returns the type of elements in memory: the native one. Times, which have none, stay as they are stored.
/// Throws: Error(unsupported) for sequences of times.
Datatype memory_type(const Datatype& stored);

/// Elements in memory, in the native form of their datatype. Frees their variable-length data in the end.
class Elements {
 public:
  /// Reads the selected elements.
  Elements(const Dataset& data, const Selection& selection);
  explicit Elements(const Attribute& attribute);
  /// No elements of this type.
  explicit Elements(const Datatype& stored);
  ~Elements();
  Elements(Elements&&) noexcept = default;
  Elements& operator=(Elements&&) = delete;

  const Datatype& type() const { return type_; }
  std::size_t size() const { return count_; }
  const std::byte* at(std::size_t i) const { return bytes_.data() + i * type_.size(); }
  /// Returns memory for so many elements, which a caller fills.
  std::byte* resize(std::size_t count);

 private:
  Datatype type_;
  std::size_t count_ = 0;
  std::vector<std::byte> bytes_;
};

/// A sequence as Datatype::native() has it.
struct NativeSequence {
  std::size_t length = 0;
  const std::byte* elements = nullptr;
};
NativeSequence sequence_of(const std::byte* element);
/// Returns the characters of a string element, which stay where they are; nothing for a missing string.
std::optional<std::string_view> string_of(const Datatype& native, const std::byte* element);
/// Returns the name of an enumeration's element; nothing for a value without a name.
std::optional<std::string> enumerator_of(const Datatype& native, const std::byte* element);

/// Writes elements so that numbers are exact.
class ValueWriter {
 public:
  ValueWriter(PathFinder& paths, Style style) : paths_(paths), style_(style) {}

  std::string text(const Datatype& native, const std::byte* element) const;
  /// Strings are JSON strings, compounds objects, arrays and sequences arrays, enumerators their names.
  void json(JsonWriter& json, const Datatype& native, const std::byte* element) const;

 private:
  std::string list(const Datatype& base, const std::byte* elements, std::size_t count) const;
  std::string compound(const Datatype& native, const std::byte* element) const;
  std::string reference(const Datatype& native, const std::byte* element) const;
  void json_compound(JsonWriter& json, const Datatype& native, const std::byte* element) const;
  void json_list(JsonWriter& json, const Datatype& base, const std::byte* elements, std::size_t count) const;

  PathFinder& paths_;
  Style style_;
};

/// Returns a number as a double; empty for types that are not numbers.
std::optional<double> as_double(const Datatype& native, const std::byte* element);
/// Returns how far two integers of at most 8 bytes are apart, exactly; empty for other types.
std::optional<std::uint64_t> distance(const Datatype& native, const std::byte* a, const std::byte* b);
/// Returns whether one number is less than the other, without rounding.
/// Requires: the type is one that as_double() accepts.
bool is_less(const Datatype& native, const std::byte* a, const std::byte* b);

}  // namespace filigree::tools
