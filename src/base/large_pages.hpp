// SPDX-License-Identifier: Apache-2.0
//
// Memory in huge pages.
#pragma once

#include <cstddef>
#include <vector>

namespace filigree {

/// Advises the system to use huge pages for a block that has not been accessed yet. The page faults of fresh
/// memory cost more than filling it, so large lists are built several times faster. Has no effect on blocks
/// below 4 MiB, or if the system has no huge pages.
void prefer_large_pages(void* block, std::size_t bytes);

/// Returns `items` value-initialised items, in huge pages if they are many.
template <class T>
std::vector<T> large_vector(std::size_t items) {
  std::vector<T> list;
  list.reserve(items);
  prefer_large_pages(list.data(), items * sizeof(T));
  list.resize(items);
  return list;
}

}  // namespace filigree
