// SPDX-License-Identifier: Apache-2.0
//
// Thread-local values that are still usable during process exit.
#pragma once

namespace filigree {

/// Returns the calling thread's value of type T; every Tag has its own. The value is destroyed when the
/// thread ends.
///
/// Static objects and exit handlers may call this afterwards, for example to close a file. They get a new
/// value, which is never destroyed. An ordinary thread_local object would be accessed after its destruction.
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
