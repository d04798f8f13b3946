// SPDX-License-Identifier: Apache-2.0
//
// The concurrent sections of one file, by thread.
#pragma once

#include <atomic>
#include <map>
#include <thread>

#include "base/mutex.hpp"
#include "io/pending.hpp"

namespace filigree::io {

/// *Thread safety*: every thread sees its own sections only.
class ConcurrentSections {
 public:
  /// The requests of the calling thread's innermost section; null without one. *Invalidates*: end().
  PendingSet* current();
  void begin();
  /// Waits for all requests of the calling thread's innermost section. *Throws*: their errors, or
  /// Error(invalid_argument) without a section.
  void end();

 private:
  std::atomic<int> open_{0};  ///< avoids the lock in files without sections
  Mutex mutex_;
  std::map<std::thread::id, std::vector<std::unique_ptr<PendingSet>>> of_thread_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::io
