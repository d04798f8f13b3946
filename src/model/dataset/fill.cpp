// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/fill.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "model/heap/heap_values.hpp"

namespace filigree::model {

using format::FillState;
using format::FillTime;

Buffer make_fill(File& file, const DatasetMessages& parts, std::uint64_t count) {
  Buffer elements(checked_multiply(count, parts.type.size, "the fill values of a dataset"));
  if (parts.fill.state != FillState::user || parts.fill.write == FillTime::never) return elements;
  for (std::size_t at = 0; at < elements.size(); at += parts.type.size)
    std::ranges::copy(parts.fill.value, elements.begin() + static_cast<std::ptrdiff_t>(at));
  copy_heap_values(file, file, parts.type, elements);
  return elements;
}

std::uint64_t elements_per_tile(const format::DatatypeMessage& type) {
  return std::max<std::uint64_t>(1, tile_bytes / std::max(1u, type.size));
}

}  // namespace filigree::model
