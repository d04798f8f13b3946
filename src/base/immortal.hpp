// SPDX-License-Identifier: Apache-2.0
//
// Objects that are never destroyed.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace filigree {

/// An object of static storage duration that outlives everything that runs when the process ends.
///
/// Programs may leave files open; the C API closes them in an exit handler. Static objects that were created
/// after that handler was registered are destroyed before it runs, so what it uses must not be destroyed.
template <class T>
class Immortal {
 public:
  template <class... Arguments>
  explicit Immortal(Arguments&&... arguments) {
    ::new (static_cast<void*>(memory_)) T(std::forward<Arguments>(arguments)...);
  }
  Immortal(const Immortal&) = delete;
  Immortal& operator=(const Immortal&) = delete;

  T& operator*() { return *std::launder(reinterpret_cast<T*>(memory_)); }
  const T& operator*() const { return *std::launder(reinterpret_cast<const T*>(memory_)); }

 private:
  alignas(T) std::byte memory_[sizeof(T)];
};

}  // namespace filigree
