// SPDX-License-Identifier: Apache-2.0
//
// A hash map with file addresses as keys, for tables that are searched at every access to a structure.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/address.hpp"

namespace filigree {

/// A hash map with open addressing and linear probing in one array. Keys are valid addresses;
/// Address::undefined marks a free slot.
///
/// *Invalidates*: try_emplace() and erase() move values, so pointers to values do not survive them.
/// *Thread safety*: none; the caller serialises changes.
template <class Value>
class AddressMap {
 public:
  std::size_t size() const { return size_; }

  /// Returns the value of `at`. Returns null if the map has none, or if the address is undefined.
  Value* find(Address at) {
    if (slots_.empty() || !is_valid(at)) return nullptr;
    for (std::size_t i = home(at);; i = next(i)) {
      if (slots_[i].at == at) return &slots_[i].value;
      if (slots_[i].at == Address::undefined) return nullptr;
    }
  }

  /// Returns the value of `at`, and whether it was added by this call. A new value is value-initialised.
  std::pair<Value*, bool> try_emplace(Address at) {
    if ((size_ + 1) * 3 > slots_.size() * 2) grow();
    for (std::size_t i = home(at);; i = next(i)) {
      if (slots_[i].at == at) return {&slots_[i].value, false};
      if (slots_[i].at != Address::undefined) continue;
      slots_[i].at = at;
      ++size_;
      return {&slots_[i].value, true};
    }
  }

  /// Removes `at` and returns whether the map had it.
  bool erase(Address at) {
    if (slots_.empty() || !is_valid(at)) return false;
    std::size_t hole = home(at);
    for (; slots_[hole].at != at; hole = next(hole)) {
      if (slots_[hole].at == Address::undefined) return false;
    }
    // Close the gap, so that every entry stays reachable from its home slot.
    for (std::size_t i = next(hole); slots_[i].at != Address::undefined; i = next(i)) {
      if (((i - home(slots_[i].at)) & mask()) >= ((i - hole) & mask())) {
        slots_[hole] = std::move(slots_[i]);
        hole = i;
      }
    }
    slots_[hole] = Slot{};
    --size_;
    return true;
  }

 private:
  struct Slot {
    Address at = Address::undefined;
    Value value{};
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  /// The slot at which the search for an address begins.
  std::size_t home(Address at) const {
    // Addresses are close together and usually multiples of 8, so all bits are mixed before the low ones
    // select.
    const std::uint64_t mixed = to_number(at) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed >> 32) & mask();
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.at != Address::undefined) *try_emplace(slot.at).first = std::move(slot.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace filigree
