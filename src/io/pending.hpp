// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous I/O: requests that have been started and are waited for later.
#pragma once

#include <memory>
#include <vector>

#include "base/failures.hpp"

namespace filigree::io {

/// A request in flight. The destructor waits too, and drops errors.
class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  /// Waits for the end. *Throws*: all failures as one Error. *Requires*: called once.
  virtual void wait() = 0;
};

/// Several requests as one. wait() waits for all of them, even if some fail. Null pointers stand for
/// completed requests.
class PendingSet : public Pending {
 public:
  void add(std::unique_ptr<Pending> pending) {
    if (pending) pending_.push_back(std::move(pending));
  }
  /// Records a request that failed to start; wait() reports it with the others.
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
