// SPDX-License-Identifier: Apache-2.0
//
// Selections that sparse operations treat specially.
#pragma once

#include <cstdint>

#include "space/selection.hpp"

namespace filigree::chunk {

inline std::uint64_t elements_of(const space::Bounds& box) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < box.low.size(); ++d) elements *= box.high[d] - box.low[d] + 1;
  return elements;
}

/// Whether a selection is exactly the box of its bounds.
inline bool is_box(const space::Selection& selection, const space::Bounds& bounds) {
  return selection.is_set() && elements_of(bounds) == selection.elements();
}

/// Whether a regular selection has so many runs that it is compared with the defined elements instead of
/// being iterated: its number of runs is unlimited.
inline bool is_large_pattern(const space::Selection& selection) {
  constexpr std::uint64_t many_runs = std::uint64_t{1} << 20;
  return selection.kind() == space::Selection::Kind::regular && selection.run_count() > many_runs;
}

}  // namespace filigree::chunk
