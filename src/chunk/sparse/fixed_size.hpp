// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

namespace filigree::chunk {

/// Calls `work` with the size of an element, as a compile-time constant for the usual sizes, so that copies
/// of elements become single instructions.
template <class Work>
void with_size(std::size_t bytes, Work work) {
  switch (bytes) {
    case 1:
      return work(std::integral_constant<std::size_t, 1>());
    case 2:
      return work(std::integral_constant<std::size_t, 2>());
    case 4:
      return work(std::integral_constant<std::size_t, 4>());
    case 8:
      return work(std::integral_constant<std::size_t, 8>());
    default:
      return work(bytes);
  }
}

}  // namespace filigree::chunk
