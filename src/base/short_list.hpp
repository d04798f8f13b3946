// SPDX-License-Identifier: Apache-2.0
//
// A list that allocates no memory while it is short.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace filigree {

/// A list that stores up to `held` items in itself and allocates memory for more. It suits types that hold
/// very many lists, such as coordinates, whose lengths rarely change.
///
/// *Invalidates*: resize() and assignment invalidate iterators.
template <class T, std::size_t held>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  ShortList() = default;
  ShortList(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  template <class Iterator>
  ShortList(Iterator first, Iterator last) {
    assign(std::to_address(first), std::to_address(last));
  }
  ShortList(const ShortList& from) { assign(from.begin(), from.end()); }
  ShortList(ShortList&& from) noexcept
      : size_(std::exchange(from.size_, 0)), items_(from.items_), more_(std::move(from.more_)) {}
  ShortList& operator=(const ShortList& from) {
    if (this != &from) assign(from.begin(), from.end());
    return *this;
  }
  ShortList& operator=(ShortList&& from) noexcept {
    size_ = std::exchange(from.size_, 0);
    items_ = from.items_;
    more_ = std::move(from.more_);
    return *this;
  }
  ~ShortList() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Whether the items are part of the list itself.
  bool held_inside() const { return !more_; }
  T* data() { return more_ ? more_.get() : items_.data(); }
  const T* data() const { return more_ ? more_.get() : items_.data(); }
  T* begin() { return data(); }
  const T* begin() const { return data(); }
  T* end() { return data() + size_; }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T& back() const { return data()[size_ - 1]; }

  /// Changes the number of items; new items are value-initialised.
  void resize(std::size_t size) {
    if (size > held && size > size_) {
      auto longer = std::make_unique<T[]>(size);
      std::copy(begin(), end(), longer.get());
      more_ = std::move(longer);
    } else if (size > size_) {
      std::fill(data() + size_, data() + size, T{});
    }
    size_ = size;
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend auto operator<=>(const ShortList& a, const ShortList& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void assign(const T* first, const T* last) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count > held && count > size_) more_ = std::make_unique_for_overwrite<T[]>(count);
    if (count <= held) more_.reset();
    std::copy(first, last, data());
    size_ = count;
  }

  std::size_t size_ = 0;
  std::array<T, held> items_{};
  std::unique_ptr<T[]> more_;  ///< the items, if there are more than `held`
};

}  // namespace filigree
