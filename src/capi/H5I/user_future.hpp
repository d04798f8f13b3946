// SPDX-License-Identifier: Apache-2.0
//
// User-defined futures.
#pragma once

#include <mutex>

#include "base/mutex.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

/// The future of an id from H5Iregister_future. A callback makes the actual id on first use; its handle moves
/// to the id of the future.
class UserFuture final : public Future {
 public:
  UserFuture(H5I_type_t type, void* object, H5I_future_realize_func_t on_realize,
             H5I_future_discard_func_t on_discard)
      : type_(type), object_(object), realize_(on_realize), discard_(on_discard) {}

  /// Calls the callback unless it has succeeded before. As in HDF5, a later use tries again after a failure.
  std::shared_ptr<Handle> wait() override;
  std::shared_ptr<Handle> peek() const override {
    const MutexLock lock(mutex_);
    return handle_;
  }
  bool is_dead() const override { return false; }
  void discard() override { discard_(object_); }

 private:
  const H5I_type_t type_;
  void* const object_;
  const H5I_future_realize_func_t realize_;
  const H5I_future_discard_func_t discard_;
  std::recursive_mutex realizing_;  ///< one thread at a time calls the callback, which may use other ids
  bool realizing_here_ = false;     ///< guarded by realizing_
  mutable Mutex mutex_;
  std::shared_ptr<Handle> handle_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::capi
