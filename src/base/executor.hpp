// SPDX-License-Identifier: Apache-2.0
//
// A thread pool that runs independent tasks on several cores. executor.cpp explains its protocol.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/function_ref.hpp"

namespace filigree {

/// A pool of threads. Threads start when they are first needed and sleep between loops.
///
/// An executor survives `fork`: a child process starts its own threads at its next loop. A loop during which
/// the process was forked cannot complete in the child: it throws Error(internal), since its other threads
/// are gone.
///
/// *Thread safety*: all members may be called from any thread, also from within a task.
class Executor {
 public:
  /// Uses as many threads as the environment variable FILIGREE_THREADS says, or one per core if it is unset.
  /// *Throws* Error(invalid_argument) if the variable is not a positive number.
  Executor();
  /// `threads` includes the calling thread: with 1, every task runs in the caller. *Throws*
  /// Error(invalid_argument) for 0 and for more than 4096.
  explicit Executor(std::size_t threads);
  /// Waits for the threads to end. *Requires* that no loop is running.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Calls `task` once with every index below `count`, in any order, on the threads of the pool and on the
  /// caller's. Returns when all calls have returned. A task may call for_each itself.
  ///
  /// *Throws* what a task throws. Indexes that have not begun by then are skipped, and running tasks finish
  /// first; Failures describes how several exceptions are combined.
  void for_each(std::size_t count, FunctionRef<void(std::size_t)> task);

  /// The number of threads that share a loop, including the caller.
  std::size_t threads() const { return threads_; }

  /// The executor of the process, created at first use and never destroyed. *Throws* Error(invalid_argument)
  /// if FILIGREE_THREADS is not a positive number.
  static Executor& default_executor();
  /// Makes the executor of the process run every task in its caller, whatever FILIGREE_THREADS says.
  /// *Requires* that default_executor() was not called before.
  static void make_default_sequential();

 private:
  class Pool;

  /// The pool of this process, created if necessary.
  Pool& pool();

  std::size_t threads_;
  std::atomic<Pool*> pool_{nullptr};  ///< owned; a pool of the parent process is abandoned
};

}  // namespace filigree
