// SPDX-License-Identifier: Apache-2.0
//
// What users choose for `filigree repack`, and the objects that each choice is for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// "CHUNK=10x20", "SPARSECHUNK", "CONTI" or "COMPA", perhaps behind "a,b:".
struct LayoutChoice {
  enum class Kind : std::uint8_t { chunks, sparse_chunks, contiguous, compact };
  std::string objects;  ///< empty: all
  Kind kind = Kind::chunks;
  std::vector<std::uint64_t> chunk;  ///< empty: not chosen
};
/// Throws: Error(invalid_argument).
LayoutChoice parse_layout_choice(const std::string& text);

/// "shuffle,zstd=3", "selection=packed" or "GZIP=6", perhaps behind "a,b:".
struct SectionFilterChoice {
  enum class Section : std::uint8_t { values, selection, heap };
  std::string objects;  ///< empty: all
  Section section = Section::values;
  std::vector<FilterChoice> filters;
};
/// Throws: Error(invalid_argument).
SectionFilterChoice parse_section_filters(const std::string& text);

/// "BLOCK (2,2)-(4,7) POINT (5,9)" or "/path/of/mask", perhaps behind "a,b:".
struct DefinedChoice {
  std::string objects;                ///< empty: all that become sparse
  std::vector<Selection::Box> boxes;  ///< points are boxes of one element
  std::string mask;                   ///< the path of a dataset; empty: the boxes are meant
};
/// Throws: Error(invalid_argument).
DefinedChoice parse_defined_choice(const std::string& text);

/// Reads "earliest", "1.8", "v110", "latest" and so on. Throws: Error(invalid_argument).
Version parse_version(const std::string& text);

/// The datasets that a list of objects names: each itself, or all within a group.
class NamedObjects {
 public:
  /// How closely a dataset is named; a closer choice goes before others.
  enum class Closeness : std::uint8_t { none, all, group, itself };

  /// Finds the objects. Throws: Error(not_found).
  NamedObjects(const File& file, const std::string& list);
  Closeness closeness(const Dataset& data) const;

 private:
  void add(const File& file, const std::string& path);

  bool all_;
  std::unordered_map<std::uint64_t, Closeness> found_;  ///< by address
};

}  // namespace filigree::tools
