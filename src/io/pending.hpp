// SPDX-License-Identifier: Apache-2.0
//
// I/O that has been started and not yet awaited.
#pragma once

#include <memory>
#include <vector>

#include "base/failures.hpp"

namespace filigree::io {

/// Destroying one that was not awaited waits too, and drops what went wrong.
class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  /// Waits for the end, and throws what went wrong, all of it. Called once.
  virtual void wait() = 0;
};

/// Several operations as one; waits for all of them whatever fails. Null pointers stand for what is done.
class PendingSet : public Pending {
 public:
  void add(std::unique_ptr<Pending> pending) {
    if (pending) pending_.push_back(std::move(pending));
  }
  /// For an operation that failed when it was started; it is reported at the end with the others.
  void add_current_failure() { failures_.add_current(); }
  bool empty() const { return pending_.empty() && failures_.empty(); }
  void wait() override;

 protected:
  void drop() { pending_.clear(); }

 private:
  std::vector<std::unique_ptr<Pending>> pending_;
  Failures failures_;
};

}  // namespace filigree::io
