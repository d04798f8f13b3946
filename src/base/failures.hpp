// SPDX-License-Identifier: Apache-2.0
//
// What went wrong in operations that run at once.
#pragma once

#include <exception>
#include <vector>

namespace filigree {

/// Keeps failures until all operations have ended. Not thread-safe.
class Failures {
 public:
  /// Keeps the exception being handled.
  void add_current() { failures_.push_back(std::current_exception()); }
  bool empty() const { return failures_.empty(); }
  /// Throws the one failure, or an Error of the first one's kind whose text has them all; what several have
  /// in common stands there once. One that is no Error is thrown as it is.
  void rethrow();

 private:
  std::vector<std::exception_ptr> failures_;
};

}  // namespace filigree
