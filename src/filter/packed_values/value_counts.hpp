// SPDX-License-Identifier: Apache-2.0
//
// The distinct values of a chunk and how often they occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace filigree::filter {

struct CountedValue {
  std::uint64_t value = 0;
  std::uint32_t count = 0;
};

/// Counts the distinct values of a list. Values beyond the first `most_values` are not counted.
class ValueCounts {
 public:
  static constexpr std::size_t most_values = 1024;
  static constexpr std::uint16_t not_counted = 0xffff;

  explicit ValueCounts(std::span<const std::uint64_t> words);

  /// In descending order of counts, then in ascending order of values.
  const std::vector<CountedValue>& values() const { return values_; }
  /// For each word the index of its value in values(), or not_counted.
  const std::vector<std::uint16_t>& indexes() const { return indexes_; }
  /// The words that are not counted.
  const std::vector<std::uint64_t>& others() const { return others_; }
  /// Calls `visit(value, count)` so that all words are visited, those that are not counted one by one.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const CountedValue& one : values_) visit(one.value, one.count);
    for (const std::uint64_t value : others_) visit(value, std::uint32_t{1});
  }

 private:
  std::vector<CountedValue> values_;
  std::vector<std::uint16_t> indexes_;
  std::vector<std::uint64_t> others_;
};

}  // namespace filigree::filter
