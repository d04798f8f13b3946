// SPDX-License-Identifier: Apache-2.0
//
// The concurrent sections of one file: one for each thread that began any.
#pragma once

#include <atomic>
#include <map>
#include <thread>

#include "base/mutex.hpp"
#include "io/pending.hpp"

namespace filigree::io {

class ConcurrentSections {
 public:
  /// What the calling thread's section has issued; null when it began none. Valid until that thread ends it.
  PendingSet* current();
  void begin();
  /// Waits for what the innermost section of the calling thread has issued. Error(invalid_argument) when it
  /// began none.
  void end();

 private:
  std::atomic<int> open_{0};  ///< spares files without sections the lock
  Mutex mutex_;
  std::map<std::thread::id, std::vector<std::unique_ptr<PendingSet>>> of_thread_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::io
