// SPDX-License-Identifier: Apache-2.0
//
// Values of threads that may be asked for at any time.
#pragma once

namespace filigree {

/// A T of the calling thread, one for every Tag. It goes with the thread; but whoever asks later still, such
/// as a static object or an exit handler that closes a file, gets another one, which stays.
template <class T, class Tag>
T& thread_value() {
  struct Owner {
    explicit Owner(T*& held) : value(held) {}
    ~Owner() {
      delete value;
      value = nullptr;
    }
    T*& value;
  };
  static thread_local T* value = nullptr;
  static thread_local bool owned = false;
  if (value == nullptr) {
    value = new T;
    if (!owned) {
      owned = true;
      static thread_local Owner owner(value);
      (void)owner;
    }
  }
  return *value;
}

}  // namespace filigree
