// SPDX-License-Identifier: Apache-2.0
//
// Runs independent pieces of work on many cores.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/function_ref.hpp"

namespace filigree {

/// A pool of threads. Threads start when first needed and sleep between loops. Thread-safe.
///
/// It survives `fork`: the child of a process with a running pool starts threads of its own at its
/// next loop. A child forked from inside a loop must not count on that loop: when it comes back to
/// it there, the loop throws Error(internal), since the threads that shared it are gone.
class Executor {
 public:
  /// As many threads as FILIGREE_THREADS says, else as the cores this process may use.
  Executor();
  /// `threads` counts the calling thread: 1 runs everything in the caller.
  explicit Executor(std::size_t threads);
  /// Waits for the threads to end. No loop may be running.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Calls `task` once with every index below `count`, on the pool's threads and the caller's, in any
  /// order. When a task throws, indexes that have not begun are dropped; everything that was thrown is
  /// reported after every running task has ended, see Failures. A task may call for_each itself.
  void for_each(std::size_t count, FunctionRef<void(std::size_t)> task);

  /// Threads that share a loop, the caller included.
  std::size_t threads() const { return threads_; }

  /// The process-wide pool, made at first use. Throws Error(invalid_argument) while
  /// FILIGREE_THREADS is not a positive number.
  static Executor& default_executor();

 private:
  class Pool;

  Pool& pool();

  std::size_t threads_;
  std::atomic<Pool*> pool_{nullptr};  ///< owned; a pool of the parent process is left behind
};

}  // namespace filigree
