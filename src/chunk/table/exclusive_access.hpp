// SPDX-License-Identifier: Apache-2.0
//
// How an operation that holds the file's lock in shared mode gets to change the file.
#pragma once

#include "base/function_ref.hpp"

namespace filigree::chunk {

/// The exclusive lock of a file, for one operation on one dataset. Writers prepare as much as they can
/// under the shared lock, then commit by run(). The upgrade is not atomic: other threads may change the file
/// before `work` runs, so run() checks again that the dataset is the one that was prepared for.
class ExclusiveAccess {
 public:
  /// Runs `work` under the file's exclusive lock. Returns false, without running it, if the dataset was
  /// resized or reopened meanwhile. *Throws* whatever `work` throws, and Error if the file cannot be changed.
  virtual bool run(FunctionRef<void()> work) = 0;
  /// Runs `work` under the exclusive lock, whatever happened to the dataset: it frees space. Ignores errors,
  /// because an error with more information is being reported, or the operation is repeated.
  virtual void run_best_effort(FunctionRef<void()> work) noexcept = 0;
  /// Whether the caller holds the exclusive lock already, so that preparing ahead gains nothing.
  virtual bool is_held() const { return false; }

 protected:
  ~ExclusiveAccess() = default;
};

/// For a caller that holds the exclusive lock.
class HeldExclusiveAccess final : public ExclusiveAccess {
 public:
  bool run(FunctionRef<void()> work) override {
    work();
    return true;
  }
  void run_best_effort(FunctionRef<void()> work) noexcept override {
    try {
      work();
    } catch (...) {  // see above
    }
  }
  bool is_held() const override { return true; }
};

}  // namespace filigree::chunk
