// SPDX-License-Identifier: Apache-2.0
//
// Memory that the system hands over in few, large pages.
#pragma once

#include <cstddef>
#include <vector>

namespace filigree {

/// Asks for large pages under a block that has not been touched yet. The first touch of a page costs more
/// than filling it, so that large lists are made several times faster. Nothing happens to small blocks, and
/// where the system has no such pages.
void prefer_large_pages(void* block, std::size_t bytes);

/// `items` items of value zero.
template <class T>
std::vector<T> large_vector(std::size_t items) {
  std::vector<T> list;
  list.reserve(items);
  prefer_large_pages(list.data(), items * sizeof(T));
  list.resize(items);
  return list;
}

}  // namespace filigree
