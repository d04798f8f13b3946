// SPDX-License-Identifier: Apache-2.0
//
// Text and order of chunk coordinates. Only the sources of the indexes include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "index/chunk_index.hpp"

namespace filigree::index {

/// Coordinates such as "(3, 0)", for messages.
inline std::string coordinates_text(ChunkCoordinates at) {
  std::string text = "(";
  for (std::size_t d = 0; d < at.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(at[d]);
  return text + ")";
}

/// Compares in row-major order: negative when `a` is first, 0 when they are equal.
inline int compare_coordinates(ChunkCoordinates a, ChunkCoordinates b) {
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  }
  return 0;
}

/// The permutation that sorts the numbers 0 to count - 1 by `before`, a comparison of two numbers. It is
/// empty in the common case: they are sorted already.
template <class Before>
std::vector<std::size_t> sort_permutation(std::size_t count, Before before) {
  std::size_t i = 1;
  while (i < count && !before(i, i - 1)) ++i;
  if (i >= count) return {};
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

}  // namespace filigree::index
