// SPDX-License-Identifier: Apache-2.0
//
// Elements in DDL.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/filigree.hpp>

#include "../references.hpp"

namespace filigree::tools {

/// How elements are written.
struct ElementStyle {
  bool escape = false;
  std::string number_format;  ///< see DumpOptions
};

/// Appends characters of a string. Line feeds and characters that are not printable are written as h5dump
/// writes them; with `escape`, also quotes and backslashes.
void append_characters(std::string& out, std::string_view text, bool escape);

/// Returns "DATASET 800 "/a"" for an object, "NULL" for address 0.
std::string object_reference_ddl(PathFinder& paths, std::uint64_t address);

/// Writes elements of one datatype.
class ElementText {
 public:
  /// Requires: `paths` lives as long as this object.
  ElementText(const Datatype& native, const ElementStyle& style, PathFinder& paths);
  ~ElementText();
  ElementText(ElementText&&) noexcept;

  /// Appends an element. Compounds and arrays take several lines: members are indented by `level` + 1.
  void append(std::string& out, const std::byte* element, std::size_t level) const;

  struct Node;

 private:
  std::unique_ptr<Node> root_;
};

}  // namespace filigree::tools
