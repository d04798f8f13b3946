// SPDX-License-Identifier: Apache-2.0
//
// Radix sort by an unsigned key; its time does not depend on the order of the items.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "base/large_pages.hpp"

namespace filigree::space {

/// Sorts by one digit of the keys after the other, from the lowest on. Large lists are divided among threads:
/// every part counts its digits, and the counts of all parts determine where the items of a part go.
template <class T, class Key>
class RadixSorter {
 public:
  RadixSorter(std::vector<T>& items, Key key) : items_(items), key_(key), parts_(parts_for(items.size())) {}

  void sort() {
    std::uint64_t used = 0;
    bool sorted = true;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      used |= key_(items_[i]);
      sorted = sorted && (i == 0 || key_(items_[i - 1]) <= key_(items_[i]));
    }
    if (sorted) return;
    const auto bits = static_cast<unsigned>(std::bit_width(used));
    const unsigned passes = (bits + most_digit_bits - 1) / most_digit_bits;
    digit_bits_ = (bits + passes - 1) / passes;
    other_ = large_vector<T>(items_.size());
    for (shift_ = 0; shift_ < bits; shift_ += digit_bits_) pass();
  }

 private:
  static constexpr unsigned most_digit_bits = 12;
  static constexpr std::size_t items_worth_a_thread = std::size_t{1} << 18;

  static std::size_t parts_for(std::size_t items) {
    const std::size_t requested = items / items_worth_a_thread;
    return requested < 2 ? 1 : std::min(requested, Executor::default_executor().threads());
  }

  std::size_t digits() const { return std::size_t{1} << digit_bits_; }
  std::size_t digit(const T& item) const { return key_(item) >> shift_ & (digits() - 1); }

  template <class Visit>
  void for_each_part(Visit visit) {
    const auto part = [&](std::size_t i) {
      visit(i * digits(), items_.size() * i / parts_, items_.size() * (i + 1) / parts_);
    };
    if (parts_ == 1) return part(0);
    Executor::default_executor().for_each(parts_, part);
  }

  void pass() {
    next_.assign(parts_ * digits(), 0);
    for_each_part([&](std::size_t row, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) ++next_[row + digit(items_[i])];
    });
    std::size_t before = 0;
    for (std::size_t d = 0; d < digits(); ++d) {
      const std::size_t smaller = before;
      for (std::size_t part = 0; part < parts_; ++part)
        before += std::exchange(next_[part * digits() + d], before);
      // A digit that all items share needs no pass.
      if (before - smaller == items_.size()) return;
    }
    for_each_part([&](std::size_t row, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) other_[next_[row + digit(items_[i])]++] = items_[i];
    });
    items_.swap(other_);
  }

  std::vector<T>& items_;
  std::vector<T> other_;
  std::vector<std::size_t> next_;  ///< for every part and digit, the index of the next item
  Key key_;
  std::size_t parts_;
  unsigned digit_bits_ = 0;
  unsigned shift_ = 0;
};

/// Sorts by `key(item)`; the sort is stable. Needs memory for a second list while it runs.
template <class T, class Key>
void radix_sort(std::vector<T>& items, Key key) {
  RadixSorter<T, Key>(items, key).sort();
}

}  // namespace filigree::space
