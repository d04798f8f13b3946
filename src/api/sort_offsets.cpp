// SPDX-License-Identifier: Apache-2.0
#include "api/sort_offsets.hpp"

#include <algorithm>
#include <functional>

#include "space/radix_sort.hpp"

namespace filigree::api {
namespace {

struct Item {
  std::uint64_t offset = 0;
  std::size_t index = 0;
};

}  // namespace

std::vector<std::uint64_t> sort_offsets(std::vector<std::uint64_t> offsets, std::vector<std::size_t>& order) {
  order.clear();
  if (std::ranges::adjacent_find(offsets, std::greater_equal()) == offsets.end()) return offsets;
  std::vector<Item> items(offsets.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {offsets[i], i};
  // The counters of a radix sort cost more than short lists do.
  constexpr std::size_t least_radix_items = 4096;
  if (items.size() < least_radix_items) {
    std::ranges::stable_sort(items, {}, &Item::offset);
  } else {
    space::radix_sort(items, [](const Item& item) { return item.offset; });
  }
  std::vector<std::uint64_t> sorted;
  sorted.reserve(items.size());
  order.reserve(items.size());
  for (const Item& item : items) {
    if (!sorted.empty() && sorted.back() == item.offset) {
      order.back() = item.index;
      continue;
    }
    sorted.push_back(item.offset);
    order.push_back(item.index);
  }
  return sorted;
}

}  // namespace filigree::api
