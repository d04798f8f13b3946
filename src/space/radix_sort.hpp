// SPDX-License-Identifier: Apache-2.0
//
// Sorting by an unsigned key, in time that does not depend on the order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace filigree::space {

/// Sorts by `key(item)`, equal keys in their old order. Needs as much memory again while it runs.
template <class T, class Key>
void radix_sort(std::vector<T>& items, Key key) {
  constexpr unsigned digit_bits = 11;
  constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
  std::uint64_t used = 0;
  bool sorted = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    used |= key(items[i]);
    sorted = sorted && (i == 0 || key(items[i - 1]) <= key(items[i]));
  }
  if (sorted) return;
  std::vector<T> other(items.size());
  for (unsigned shift = 0; shift < 64 && used >> shift != 0; shift += digit_bits) {
    std::array<std::size_t, digits> next{};
    for (const T& item : items) ++next[key(item) >> shift & (digits - 1)];
    // A digit that all items share needs no pass.
    if (next[key(items[0]) >> shift & (digits - 1)] == items.size()) continue;
    std::size_t before = 0;
    for (std::size_t& n : next) before += std::exchange(n, before);
    for (const T& item : items) other[next[key(item) >> shift & (digits - 1)]++] = item;
    items.swap(other);
  }
}

}  // namespace filigree::space
