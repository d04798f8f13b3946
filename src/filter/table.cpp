// SPDX-License-Identifier: Apache-2.0
#include "filter/table.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "filter/builtin.hpp"

namespace filigree::filter {

std::span<const Filter* const> builtin_filters() {
  static const std::array table{&deflate_filter(), &shuffle_filter(), &fletcher32_filter()};
  return table;
}

const Filter* find_filter(std::uint16_t id) {
  for (const Filter* filter : builtin_filters()) {
    if (filter->id() == id) return filter;
  }
  return nullptr;
}

Error missing_filter_error(std::uint16_t id, std::string_view name_in_file) {
  std::string known;
  for (const Filter* filter : builtin_filters()) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", filter->name(), filter->id());
  }
  const std::string called =
      name_in_file.empty() ? "has no name in the file" : fmt::format("the file calls it '{}'", name_in_file);
  return Error(
      ErrorKind::unsupported,
      fmt::format(
          "filter {} ({}) is not in this build, which has {}; to get at the data, rewrite the file with a "
          "program that has the filter, for example `h5repack -f NONE`",
          id, called, known));
}

}  // namespace filigree::filter
