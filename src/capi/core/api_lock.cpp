// SPDX-License-Identifier: Apache-2.0
#include "capi/core/api_lock.hpp"

namespace filigree::capi {

ApiLock& api_lock() {
  static auto* const lock = new ApiLock;  // calls at exit need it
  return *lock;
}

bool ApiLock::try_acquire(unsigned count) {
  attempts_.fetch_add(1);
  const MutexLock lock(mutex_);
  if (count_ > 0 && owner_ != std::this_thread::get_id()) return false;
  owner_ = std::this_thread::get_id();
  count_ += count;
  held_ = count_ > 0;
  return true;
}

unsigned ApiLock::release() {
  unsigned count = 0;
  {
    const MutexLock lock(mutex_);
    if (count_ == 0 || owner_ != std::this_thread::get_id()) return 0;
    count = count_;
    count_ = 0;
    held_ = false;
  }
  released_.notify_all();
  return count;
}

void ApiLock::wait_for_release() {
  MutexLock lock(mutex_);
  if (count_ == 0 || owner_ == std::this_thread::get_id()) return;
  attempts_.fetch_add(1);
  while (count_ > 0 && owner_ != std::this_thread::get_id()) released_.wait(lock);
}

}  // namespace filigree::capi
