// SPDX-License-Identifier: Apache-2.0
//
// The standard library's mutexes with thread-safety annotations, which std::mutex of libstdc++ lacks. Every
// function is inline and forwards one call, so the wrappers cost nothing at run time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "base/thread_annotations.hpp"

namespace filigree {

/// A std::mutex.
class FILIGREE_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() FILIGREE_ACQUIRE() { mutex_.lock(); }
  bool try_lock() FILIGREE_TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() FILIGREE_RELEASE() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// A std::shared_mutex.
class FILIGREE_CAPABILITY("shared mutex") SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void lock() FILIGREE_ACQUIRE() { mutex_.lock(); }
  void unlock() FILIGREE_RELEASE() { mutex_.unlock(); }
  void lock_shared() FILIGREE_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() FILIGREE_RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a Mutex for a scope. unlock() and lock() release it in between, and a Condition waits with it.
class FILIGREE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) FILIGREE_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() FILIGREE_RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() FILIGREE_RELEASE() { lock_.unlock(); }
  void lock() FILIGREE_ACQUIRE() { lock_.lock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

/// Holds a SharedMutex in shared mode for a scope.
class FILIGREE_SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(SharedMutex& mutex) FILIGREE_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~SharedLock() FILIGREE_RELEASE() { mutex_.unlock_shared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  SharedMutex& mutex_;
};

/// Holds a SharedMutex in exclusive mode for a scope.
class FILIGREE_SCOPED_CAPABILITY ExclusiveLock {
 public:
  explicit ExclusiveLock(SharedMutex& mutex) FILIGREE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ExclusiveLock() FILIGREE_RELEASE() { mutex_.unlock(); }
  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;

 private:
  SharedMutex& mutex_;
};

/// A std::condition_variable. Waiting releases the lock and acquires it again; wake-ups may be spurious, so
/// callers wait in a loop that tests their condition.
class Condition {
 public:
  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <class Duration>
  void wait_for(MutexLock& lock, Duration duration) {
    condition_.wait_for(lock.lock_, duration);
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace filigree
