// SPDX-License-Identifier: Apache-2.0
//
// A value that ids share between threads.
#pragma once

#include <memory>
#include <utility>

#include "base/mutex.hpp"

namespace filigree::capi {

/// Readers keep the value they got; a change makes a new one when somebody has the old one.
template <class T>
class Guarded {
 public:
  explicit Guarded(T value) : value_(std::make_shared<T>(std::move(value))) {}

  std::shared_ptr<const T> get() const {
    const MutexLock lock(mutex_);
    return value_;
  }
  void set(T value) {
    auto made = std::make_shared<T>(std::move(value));
    const MutexLock lock(mutex_);
    value_ = std::move(made);
  }
  /// `work` gets the value to change it, alone; when it throws, nothing has changed. It must not change the
  /// same value by another way.
  template <class Work>
  decltype(auto) change(Work&& work) {
    const MutexLock alone(changing_);
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
