// SPDX-License-Identifier: Apache-2.0
//
// Whole-file locks against other processes.
#pragma once

#include <string>

namespace filigree::io {

/// Who locks a file at open. The environment variable HDF5_USE_FILE_LOCKING overrides the program: FALSE or 0
/// means `never`, TRUE or 1 `required`, BEST_EFFORT `best_effort`; other values mean nothing.
enum class LockPolicy {
  writers,      ///< writers lock exclusively, readers not; file systems without locks are fine
  never,        ///< nobody locks
  best_effort,  ///< writers exclusively, readers shared; file systems without locks are fine
  required,     ///< as best_effort, but a file system without locks is an error
};

/// `requested`, unless the environment variable overrides it.
LockPolicy effective_lock_policy(LockPolicy requested);

/// flock(), or a replacement in tests: takes a descriptor and an operation; -1 with errno on failure.
using LockCall = int (*)(int, int);
int system_lock(int descriptor, int operation);

/// Locks an open file as `policy` (an effective one) demands, without waiting. The lock ends when the
/// descriptor is closed. *Throws*: Error(locked) if another process holds a conflicting lock.
void lock_file(int descriptor, const std::string& name, bool writing, LockPolicy policy,
               LockCall lock = system_lock);

/// Releases the lock of lock_file() under the same policy.
void unlock_file(int descriptor, const std::string& name, LockPolicy policy, LockCall lock = system_lock);

}  // namespace filigree::io
