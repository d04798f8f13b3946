// SPDX-License-Identifier: Apache-2.0
//
// The protocol of the file lock.
//
// Every call of the API that reads a file holds the file's lock in shared mode; every call that changes
// it holds the lock in exclusive mode. std::shared_mutex provides the two modes. This class adds
// re-entrance, upgrades and suspension, none of which a std::shared_mutex allows.
//
//  1. Each thread keeps a list of its holds, one per file lock, in thread_value storage. The list is
//     private to the thread, so it needs no lock of its own. It is short: a thread rarely holds more than
//     two file locks.
//  2. The first scope of a thread acquires the mutex in the requested mode and adds a hold of depth 1.
//     The list grows before the mutex is acquired, so that no allocation can fail while the mutex is
//     held.
//  3. A nested scope increments the depth and leaves the mutex alone, unless it requests exclusive mode
//     while the hold is shared.
//  4. That case is an upgrade: the shared mutex is unlocked, then locked exclusively. Two threads that
//     upgrade at the same time therefore do not deadlock, but another thread may change the file in
//     between. The depth of the upgrading scope is recorded in `exclusive_from`.
//  5. When the scope at depth `exclusive_from` ends and outer scopes remain, the hold is downgraded:
//     unlocked, then locked in shared mode. The outer scopes requested no more than that. Again other
//     threads may come in between.
//  6. When the outermost scope ends, the hold leaves the list and the mutex is unlocked in its current
//     mode.
//  7. FileLock::Unlocked removes the hold from the list and unlocks the mutex in its current mode,
//     whatever the depth. A scope that begins meanwhile starts again at step 2. The end of Unlocked locks
//     the mutex in the mode of the removed hold and puts the hold back. The list still has the capacity
//     for it, so this cannot fail.
//
// Consequences for callers:
//  - State read before an upgrade, or before an Unlocked scope, must be validated again afterwards.
//  - Threads acquire the locks of two files either in the order of their addresses or one at a time
//    (Unlocked).
//  - Worker threads of an Executor hold nothing themselves. The thread that waits for them holds the lock
//    on their behalf, so a worker must not acquire the lock of a file for which its caller may hold it
//    exclusively.
#include "base/file_lock.hpp"

#include <algorithm>
#include <vector>

#include "base/thread_value.hpp"

namespace filigree {
namespace {

std::vector<FileLock::Hold>& holds_of_thread() {
  return thread_value<std::vector<FileLock::Hold>, FileLock::Hold>();
}

}  // namespace

void FileLock::acquire(bool exclusive) {
  auto& holds = holds_of_thread();
  const auto hold = std::ranges::find(holds, this, &Hold::lock);
  if (hold == holds.end()) {
    holds.reserve(holds.size() + 1);  // no allocation may fail once the mutex is locked
    exclusive ? mutex_.lock() : mutex_.lock_shared();
    holds.push_back({this, 1, exclusive ? 1u : 0u});
    return;
  }
  ++hold->depth;
  if (!exclusive || hold->exclusive_from != 0) return;
  mutex_.unlock_shared();
  mutex_.lock();
  hold->exclusive_from = hold->depth;
}

void FileLock::release() {
  auto& holds = holds_of_thread();
  const auto hold = std::ranges::find(holds, this, &Hold::lock);
  const bool ends_exclusive = hold->exclusive_from == hold->depth;
  if (--hold->depth > 0) {
    if (!ends_exclusive) return;
    hold->exclusive_from = 0;
    mutex_.unlock();
    mutex_.lock_shared();
    return;
  }
  holds.erase(hold);
  ends_exclusive ? mutex_.unlock() : mutex_.unlock_shared();
}

std::optional<FileLock::Hold> FileLock::suspend() {
  auto& holds = holds_of_thread();
  const auto hold = std::ranges::find(holds, this, &Hold::lock);
  if (hold == holds.end()) return std::nullopt;
  const Hold suspended = *hold;
  holds.erase(hold);  // keeps the capacity that resume() needs
  suspended.exclusive_from != 0 ? mutex_.unlock() : mutex_.unlock_shared();
  return suspended;
}

void FileLock::resume(const Hold& suspended) {
  suspended.exclusive_from != 0 ? mutex_.lock() : mutex_.lock_shared();
  holds_of_thread().push_back(suspended);
}

}  // namespace filigree
