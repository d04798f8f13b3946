// SPDX-License-Identifier: Apache-2.0
//
// Ids whose handle does not exist yet.
#pragma once

#include <memory>

namespace filigree::capi {

class Handle;

/// What will become the handle of an id: the result of a queued operation, or of a callback of the program
/// (H5Iregister_future).
/// *Thread safety*: all functions may be called concurrently. They are called without locks of the id table.
class Future {
 public:
  Future() = default;
  virtual ~Future() = default;
  Future(const Future&) = delete;
  Future& operator=(const Future&) = delete;

  /// Returns the handle, and waits for it if necessary. Returns null when there is none: the operation
  /// failed, or the calling thread must not wait.
  virtual std::shared_ptr<Handle> wait() = 0;
  /// Returns the handle if it exists already, or null.
  virtual std::shared_ptr<Handle> peek() const = 0;
  /// Whether there will never be a handle.
  virtual bool is_dead() const = 0;
  /// The id is removed before there is a handle.
  virtual void discard() {}
};

}  // namespace filigree::capi
