// SPDX-License-Identifier: Apache-2.0
#include "api/transfer_selections.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/checked.hpp"

namespace filigree::api {

space::Selection file_selection(const model::Dataset& dataset, const Selection& selection) {
  const format::DataspaceMessage& space = dataset.extent();
  const bool is_null = space.kind == format::DataspaceKind::null;
  return is_null ? space::Selection::none(space::Frame({0})) : to_space(selection, space.dims);
}

space::Selection memory_selection(const TransferOptions& options, std::uint64_t count) {
  if (!options.memory) return space::Selection::all(space::Frame({count}));
  std::uint64_t elements = 1;
  for (const std::uint64_t n : options.memory->dims)
    elements = checked_multiply(elements, n, "the number of elements in memory");
  if (elements > count) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the shape in memory has {} elements, the memory only {}", elements, count));
  }
  return to_space(options.memory->selection, options.memory->dims);
}

}  // namespace filigree::api
