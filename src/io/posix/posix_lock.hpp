// SPDX-License-Identifier: Apache-2.0
//
// Whole-file locks against other processes.
#pragma once

#include <string>

namespace filigree::io {

/// Who takes a lock at open. The environment variable HDF5_USE_FILE_LOCKING, where it is set to
/// something known, overrides the program: FALSE or 0 means `never`, TRUE or 1 `required`,
/// BEST_EFFORT `best_effort`.
enum class LockPolicy {
  writers,      ///< writers lock exclusively, readers not; file systems without locks are fine
  never,        ///< nobody locks
  best_effort,  ///< writers exclusively, readers shared; file systems without locks are fine
  required,     ///< as best_effort, but a file system without locks is an error
};

/// `asked`, or what the environment says instead.
LockPolicy effective_lock_policy(LockPolicy asked);

/// The system's flock, or a stand-in: takes a descriptor and an operation; -1 with errno on failure.
using LockCall = int (*)(int, int);
int system_lock(int descriptor, int operation);

/// Locks an open file as `policy` (an effective one) wants, without waiting. Throws Error(locked) when
/// someone else holds it; the lock ends when the descriptor is closed.
void lock_file(int descriptor, const std::string& name, bool writing, LockPolicy policy,
               LockCall lock = system_lock);

/// Gives back what lock_file() took under the same policy.
void unlock_file(int descriptor, const std::string& name, LockPolicy policy, LockCall lock = system_lock);

}  // namespace filigree::io
