// SPDX-License-Identifier: Apache-2.0
//
// A value that threads share through an id.
#pragma once

#include <memory>
#include <utility>

#include "base/mutex.hpp"

namespace filigree::capi {

/// A value with copy-on-write.
/// *Thread safety*: all functions may be called concurrently. Readers keep the value that they got; a change
/// replaces it.
template <class T>
class Guarded {
 public:
  explicit Guarded(T value) : value_(std::make_shared<T>(std::move(value))) {}

  /// Returns the current value. It stays valid and unchanged while the pointer lives.
  std::shared_ptr<const T> get() const {
    const MutexLock lock(mutex_);
    return value_;
  }
  /// Replaces the value.
  void set(T value) {
    auto made = std::make_shared<T>(std::move(value));
    const MutexLock lock(mutex_);
    value_ = std::move(made);
  }
  /// Calls `work` with a copy of the value, which then replaces the value. When `work` throws, nothing
  /// changes.
  /// *Requires* that `work` does not change the same Guarded.
  /// *Thread safety*: changes are serialised.
  template <class Work>
  decltype(auto) change(Work&& work) {
    const MutexLock lock(changing_);
    auto copy = std::make_shared<T>(*get());
    struct Publish {
      Guarded& owner;
      std::shared_ptr<T>& made;
      int uncaught = std::uncaught_exceptions();
      ~Publish() {
        if (std::uncaught_exceptions() > uncaught) return;
        const MutexLock lock(owner.mutex_);
        owner.value_ = std::move(made);
      }
    } publish{*this, copy};
    return work(*copy);
  }

 private:
  Mutex changing_;
  mutable Mutex mutex_;
  std::shared_ptr<T> value_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::capi
