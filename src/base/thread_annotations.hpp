// SPDX-License-Identifier: Apache-2.0
//
// Names for clang's thread-safety attributes. Clang checks at compile time that guarded members are accessed
// only while their lock is held; scripts/check-locks runs that check, and `make lint` calls it. For other
// compilers the macros are empty.
//
// A class with a lock states its contract in three places:
//   Mutex mutex_;
//   std::size_t busy_ FILIGREE_GUARDED_BY(mutex_) = 0;    // a member that the lock protects
//   void leave() FILIGREE_REQUIRES(mutex_);               // a function that expects the caller to hold it
#pragma once

#if defined(__clang__)
#define FILIGREE_THREAD_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define FILIGREE_THREAD_ATTRIBUTE(attribute)
#endif

/// A class that is a lock.
#define FILIGREE_CAPABILITY(kind) FILIGREE_THREAD_ATTRIBUTE(capability(kind))
/// A class whose objects hold a lock from construction to destruction.
#define FILIGREE_SCOPED_CAPABILITY FILIGREE_THREAD_ATTRIBUTE(scoped_lockable)

/// A member that is accessed only while `lock` is held: shared to read it, exclusive to change it.
#define FILIGREE_GUARDED_BY(lock) FILIGREE_THREAD_ATTRIBUTE(guarded_by(lock))
/// A pointer whose target is accessed only while `lock` is held.
#define FILIGREE_PT_GUARDED_BY(lock) FILIGREE_THREAD_ATTRIBUTE(pt_guarded_by(lock))

/// A function that is called while the lock is held exclusively.
#define FILIGREE_REQUIRES(...) FILIGREE_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
/// A function that is called while the lock is held in either mode.
#define FILIGREE_REQUIRES_SHARED(...) FILIGREE_THREAD_ATTRIBUTE(requires_shared_capability(__VA_ARGS__))
/// A function that acquires the lock itself, and would deadlock if the caller held it.
#define FILIGREE_EXCLUDES(...) FILIGREE_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

/// Functions that return with the lock held, or release it. Only lock classes need them.
#define FILIGREE_ACQUIRE(...) FILIGREE_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define FILIGREE_ACQUIRE_SHARED(...) FILIGREE_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define FILIGREE_TRY_ACQUIRE(...) FILIGREE_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define FILIGREE_RELEASE(...) FILIGREE_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define FILIGREE_RELEASE_SHARED(...) FILIGREE_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))
#define FILIGREE_RELEASE_GENERIC(...) FILIGREE_THREAD_ATTRIBUTE(release_generic_capability(__VA_ARGS__))

/// Excludes a function from the check. A comment says why its locking is beyond what the check can follow.
#define FILIGREE_NO_THREAD_SAFETY_ANALYSIS FILIGREE_THREAD_ATTRIBUTE(no_thread_safety_analysis)
