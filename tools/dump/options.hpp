// SPDX-License-Identifier: Apache-2.0
//
// What `filigree dump` prints and how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "subset.hpp"

namespace filigree::tools {

/// An object that the user chose.
struct Choice {
  enum class Kind : std::uint8_t { dataset, group, soft_link, datatype, attribute, any };
  Kind kind = Kind::dataset;
  std::string path;  ///< as the user wrote it
  SubsetText subset;
};

/// Whether attributes are printed.
enum class AttributeChoice : std::uint8_t { shown, hidden, only };

struct DumpOptions {
  std::vector<std::string> files;
  std::vector<Choice> choices;

  bool superblock = false;
  bool contents = false;             ///< a list of objects instead of the objects
  bool contents_attributes = false;  ///< with attributes
  bool header_only = false;
  bool properties = false;
  bool addresses = false;
  bool regions = false;  ///< the elements that region references lead to
  AttributeChoice attributes = AttributeChoice::shown;
  bool by_creation_order = false;
  bool descending = false;

  bool sparse_locations = false;
  bool sparse_data = false;

  bool escape = false;      ///< characters that are not printable
  bool characters = false;  ///< integers of one byte are characters
  bool without_indices = false;
  std::string number_format;  ///< of printf, for floating-point numbers; empty: "%g"
  std::size_t columns = 80;

  std::optional<std::string> ddl_file;  ///< empty: no DDL
  std::string data_file;
  std::optional<std::string> binary;  ///< NATIVE, FILE, LE or BE
};

}  // namespace filigree::tools
