// SPDX-License-Identifier: Apache-2.0
#include "io/concurrent_sections.hpp"

#include <filigree/error.hpp>

namespace filigree::io {

PendingSet* ConcurrentSections::current() {
  if (open_.load(std::memory_order_relaxed) == 0) return nullptr;
  const MutexLock lock(mutex_);
  const auto mine = of_thread_.find(std::this_thread::get_id());
  return mine == of_thread_.end() ? nullptr : mine->second.back().get();
}

void ConcurrentSections::begin() {
  const MutexLock lock(mutex_);
  of_thread_[std::this_thread::get_id()].push_back(std::make_unique<PendingSet>());
  ++open_;
}

void ConcurrentSections::end() {
  std::unique_ptr<PendingSet> ended;
  {
    const MutexLock lock(mutex_);
    const auto mine = of_thread_.find(std::this_thread::get_id());
    if (mine == of_thread_.end())
      throw Error(ErrorKind::invalid_argument,
                  "the end of a concurrent section that this thread has not begun");
    ended = std::move(mine->second.back());
    mine->second.pop_back();
    if (mine->second.empty()) of_thread_.erase(mine);
    --open_;
  }
  ended->wait();
}

}  // namespace filigree::io
