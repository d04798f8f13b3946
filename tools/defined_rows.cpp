// SPDX-License-Identifier: Apache-2.0
#include "defined_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace filigree::tools {

DefinedRows::DefinedRows(const Dataset& data, const Selection& selection)
    : rank_(data.space().dims().size()), values_(data.datatype()) {
  const Selection defined = data.read_defined_elements(
      values_.type(), selection, [this](std::size_t count) { return values_.resize(count); });
  if (values_.size() > 0) coordinates_ = defined.within(data.space().dims()).coordinates();
}

std::vector<std::uint64_t> DefinedRows::coordinates(std::size_t i) const {
  const auto first = coordinates_.begin() + static_cast<std::ptrdiff_t>(i * rank_);
  return {first, first + static_cast<std::ptrdiff_t>(rank_)};
}

std::string DefinedRows::coordinates_text(std::size_t i, const char* separator) const {
  const auto first = coordinates_.begin() + static_cast<std::ptrdiff_t>(i * rank_);
  return fmt::format("{}", fmt::join(first, first + static_cast<std::ptrdiff_t>(rank_), separator));
}

std::string DefinedRows::lines(std::size_t first, std::size_t count, const ValueWriter& writer) const {
  std::string text;
  for (std::size_t i = first; i < first + count; ++i)
    text += fmt::format("({})  {}\n", coordinates_text(i, ", "), writer.text(values_.type(), values_.at(i)));
  return text;
}

}  // namespace filigree::tools
