// SPDX-License-Identifier: Apache-2.0
//
// The filters of sparse chunks that the library chooses. They were measured with 4 million elements at a
// density of 1 %: bytes first, then the time of reading. docs/concepts/filters.md has the table.
#include "api/section_filters.hpp"

#include <filigree/filters.hpp>

#include "type/datatypes.hpp"

namespace filigree::api {
namespace {

using format::TypeClass;

/// Returns the type of the numbers of which arrays and enumerations consist.
const format::DatatypeMessage& number_type(const format::DatatypeMessage& type) {
  const bool consists_of_base =
      type.type_class == TypeClass::array || type.type_class == TypeClass::enumeration;
  return consists_of_base ? number_type(type.base.at(0)) : type;
}

std::vector<FilterChoice> value_filters(const format::DatatypeMessage& type) {
  switch (number_type(type).type_class) {
    case TypeClass::fixed_point:
    case TypeClass::bitfield:
      return {filters::packed_values()};
    case TypeClass::floating_point:
      // Packed values take counts and numbers that repeat. They leave others to the second filter.
      return {filters::packed_values(), filters::bitshuffle_lz4()};
    default:
      return {filters::shuffle(), filters::zstd(3)};
  }
}

}  // namespace

DatasetOptions with_section_filters(const format::DatatypeMessage& type, const DatasetOptions& options) {
  DatasetOptions chosen = options;
  const bool has_filters =
      !options.filters.empty() || !options.selection_filters.empty() || !options.heap_filters.empty();
  if (!options.sparse || !options.choose_section_filters || has_filters) return chosen;
  chosen.selection_filters = {filters::packed_selection()};
  chosen.filters = value_filters(type);
  if (type::has_variable_parts(type)) chosen.heap_filters = {filters::zstd(3)};
  return chosen;
}

}  // namespace filigree::api
