// SPDX-License-Identifier: Apache-2.0
#include "capi/H5I/user_future.hpp"

namespace filigree::capi {

std::shared_ptr<Handle> UserFuture::wait() {
  const std::lock_guard realizing(realizing_);
  if (auto known = peek()) return known;
  if (realizing_here_) return nullptr;  // the callback uses the id that it should make
  realizing_here_ = true;
  hid_t actual = H5I_INVALID_HID;
  const herr_t result = realize_(object_, &actual);
  realizing_here_ = false;
  if (result < 0 || IdTable::type_of(actual) != type_ || ids().find(actual) == nullptr) return nullptr;
  std::shared_ptr<Handle> made = ids().remove(actual);
  const bool discarded = discard_(object_) >= 0;
  {
    const MutexLock lock(mutex_);
    handle_ = made;
  }
  return discarded ? made : nullptr;
}

}  // namespace filigree::capi
