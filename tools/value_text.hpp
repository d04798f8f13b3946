// SPDX-License-Identifier: Apache-2.0
//
// Values that users write on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// Values of one type in memory.
class ParsedValues {
 public:
  /// Reads `texts` as the nearest of 64-bit integers, doubles and strings that fits all of them.
  explicit ParsedValues(const std::vector<std::string>& texts);
  /// Reads `texts` as elements of `type`: a number, string, enumeration or bool.
  /// Throws: Error(invalid_argument), which quotes the text; Error(unsupported) for other classes.
  ParsedValues(const std::vector<std::string>& texts, const Datatype& type);

  /// The type of the elements in memory, which can be converted to the type that was asked for.
  const Datatype& memory_type() const { return memory_type_; }
  /// The type in which a file should store the values.
  const Datatype& stored_type() const { return stored_type_; }
  const void* data() const;
  std::size_t size() const;

 private:
  template <class T>
  void set(std::vector<T> values);

  std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>,
               std::vector<std::string>>
      values_;
  Datatype memory_type_, stored_type_;
};

}  // namespace filigree::tools
