// SPDX-License-Identifier: Apache-2.0
//
// The re-entrant shared/exclusive lock of an open file. file_lock.cpp explains its protocol.
#pragma once

#include <optional>

#include "base/mutex.hpp"

namespace filigree {

/// A shared/exclusive lock that its thread may acquire again, in either mode. Calls of the public API hold
/// the lock of their file, and the callbacks they make may call the API again.
///
/// Upgrading from shared to exclusive is not atomic: the lock is released in between. *Invalidates*
/// everything that was read before the upgrade. The hold is shared again when the exclusive scope ends.
///
/// *Thread safety*: all members may be used from any thread. A scope ends on the thread that began it.
class FILIGREE_CAPABILITY("file lock") FileLock {
 public:
  /// How the current thread holds one lock.
  struct Hold {
    const FileLock* lock = nullptr;
    unsigned depth = 0;           ///< number of nested scopes
    unsigned exclusive_from = 0;  ///< depth of the scope that made the hold exclusive; 0 if it is shared
  };

  /// Holds the lock in shared mode. Within an exclusive scope the hold stays exclusive.
  class FILIGREE_SCOPED_CAPABILITY Shared {
   public:
    explicit Shared(FileLock& lock) FILIGREE_ACQUIRE_SHARED(lock) : lock_(lock) { lock_.acquire(false); }
    ~Shared() FILIGREE_RELEASE() { lock_.release(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    FileLock& lock_;
  };

  /// Holds the lock in exclusive mode. Within a shared scope this upgrades the hold, which is not atomic.
  class FILIGREE_SCOPED_CAPABILITY Exclusive {
   public:
    explicit Exclusive(FileLock& lock) FILIGREE_ACQUIRE(lock) : lock_(lock) { lock_.acquire(true); }
    ~Exclusive() FILIGREE_RELEASE() { lock_.release(); }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

   private:
    FileLock& lock_;
  };

  /// Releases the current thread's hold for the duration of the scope and restores it afterwards, with its
  /// mode and depth. Has no effect if the thread holds nothing. Code that acquires the lock of another file
  /// needs it: two threads that each hold one lock and wait for the other would deadlock. *Invalidates* what
  /// was read before.
  class Unlocked {
   public:
    explicit Unlocked(FileLock& lock) : lock_(lock), suspended_(lock_.suspend()) {}
    ~Unlocked() {
      if (suspended_) lock_.resume(*suspended_);
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    FileLock& lock_;
    const std::optional<Hold> suspended_;
  };

 private:
  // Which mode the mutex is in depends on the thread's hold, which the thread-safety check cannot follow.
  void acquire(bool exclusive) FILIGREE_NO_THREAD_SAFETY_ANALYSIS;
  void release() FILIGREE_NO_THREAD_SAFETY_ANALYSIS;
  std::optional<Hold> suspend() FILIGREE_NO_THREAD_SAFETY_ANALYSIS;
  void resume(const Hold& suspended) FILIGREE_NO_THREAD_SAFETY_ANALYSIS;

  SharedMutex mutex_;
};

}  // namespace filigree
