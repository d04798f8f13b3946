// SPDX-License-Identifier: Apache-2.0
//
// Elements of any datatype as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "json.hpp"
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

/// The paths of objects, to which references lead. They are searched when the first one is needed.
class PathFinder {
 public:
  explicit PathFinder(File file) : file_(std::move(file)) {}
  /// Returns the path of the object with this header; its address if no link leads to it.
  std::string path(std::uint64_t address);
  const File& file() const { return file_; }

 private:
  File file_;
  std::optional<std::map<std::uint64_t, std::string>> paths_;
};

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

}  // namespace filigree::tools
