// SPDX-License-Identifier: Apache-2.0
//
// The lock with which a thread keeps other threads out of the library (H5TSmutex_acquire).
//
// Calls of different threads run at once, so no call takes this lock. While a program holds it, calls of
// other threads wait before they begin. Calls that have begun already go on.
#pragma once

#include <atomic>
#include <thread>

#include "base/mutex.hpp"

namespace filigree::capi {

class ApiLock {
 public:
  /// Acquires the lock `count` times, unless another thread holds it. Returns whether it did.
  bool try_acquire(unsigned count);
  /// Releases the lock completely, and returns how often the thread had acquired it: 0 if it did not hold it.
  unsigned release();
  /// How often a thread wanted the lock: by try_acquire(), or by a call that had to wait.
  unsigned attempts() const { return attempts_.load(); }
  /// Waits while another thread holds the lock.
  void wait() {
    if (held_.load(std::memory_order_acquire)) wait_for_release();
  }

 private:
  void wait_for_release();

  std::atomic<bool> held_{false};
  std::atomic<unsigned> attempts_{0};
  Mutex mutex_;
  Condition released_;
  std::thread::id owner_ FILIGREE_GUARDED_BY(mutex_);
  unsigned count_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

ApiLock& api_lock();

}  // namespace filigree::capi
