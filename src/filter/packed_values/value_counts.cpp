// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_values/value_counts.hpp"

#include <algorithm>
#include <numeric>

namespace filigree::filter {
namespace {

/// A hash table of values, which numbers them in the order of their first occurrence.
class ValueTable {
 public:
  ValueTable() : slots_(slot_count) {}

  /// The number of a value; not_counted if it is new and the table is full.
  std::uint16_t number(std::uint64_t value, std::vector<CountedValue>& values) {
    for (std::size_t at = value * 0x9e3779b97f4a7c15 >> (64 - slot_bits);; at = (at + 1) % slot_count) {
      Slot& slot = slots_[at];
      if (slot.number == 0) {
        if (values.size() == ValueCounts::most_values) return ValueCounts::not_counted;
        slot = {value, static_cast<std::uint16_t>(values.size() + 1)};
        values.push_back({value, 0});
      }
      if (slot.value == value) return static_cast<std::uint16_t>(slot.number - 1);
    }
  }

 private:
  static constexpr unsigned slot_bits = 12;
  static constexpr std::size_t slot_count = std::size_t{1} << slot_bits;
  static_assert(slot_count >= 2 * ValueCounts::most_values);
  struct Slot {
    std::uint64_t value = 0;
    std::uint16_t number = 0;  ///< plus 1; 0 in an empty slot
  };
  std::vector<Slot> slots_;
};

/// Sorts the values, and returns the new index of each.
std::vector<std::uint16_t> sort_by_count(std::vector<CountedValue>& values) {
  std::vector<std::uint16_t> order(values.size()), indexes(values.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::ranges::sort(order, [&](std::uint16_t a, std::uint16_t b) {
    return values[a].count != values[b].count ? values[a].count > values[b].count
                                              : values[a].value < values[b].value;
  });
  std::vector<CountedValue> sorted(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted[i] = values[order[i]];
    indexes[order[i]] = static_cast<std::uint16_t>(i);
  }
  values = std::move(sorted);
  return indexes;
}

}  // namespace

ValueCounts::ValueCounts(std::span<const std::uint64_t> words) : indexes_(words.size()) {
  ValueTable table;
  values_.reserve(most_values);
  for (std::size_t i = 0; i < words.size(); ++i) {
    indexes_[i] = table.number(words[i], values_);
    if (indexes_[i] == not_counted) {
      others_.push_back(words[i]);
    } else {
      ++values_[indexes_[i]].count;
    }
  }
  const std::vector<std::uint16_t> sorted = sort_by_count(values_);
  for (std::uint16_t& index : indexes_)
    if (index != not_counted) index = sorted[index];
}

}  // namespace filigree::filter
