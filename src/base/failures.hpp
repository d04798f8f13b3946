// SPDX-License-Identifier: Apache-2.0
//
// Failures of operations that run concurrently.
#pragma once

#include <exception>
#include <vector>

namespace filigree {

/// Collects exceptions until all operations have ended, and throws them as one.
///
/// *Thread safety*: none; the caller holds a lock.
class Failures {
 public:
  /// Adds the exception that is being handled. *Requires* that the caller is in a catch block.
  void add_current() { failures_.push_back(std::current_exception()); }
  bool empty() const { return failures_.empty(); }
  /// Throws what was collected and forgets it; returns if there is nothing. A single exception is thrown
  /// unchanged. Several become one Error of the first one's kind with all their messages, each message once.
  /// An exception of another type than Error is thrown unchanged instead.
  void rethrow();

 private:
  std::vector<std::exception_ptr> failures_;
};

}  // namespace filigree
