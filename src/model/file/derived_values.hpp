// SPDX-License-Identifier: Apache-2.0
//
// How many object headers keep what was derived from their messages.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

/// Bounds the memory of derived values (HeaderEntry::derived()), such as the decoded messages of datasets: a
/// program that opens many datasets one after another needs those of the last ones only.
/// Thread safety: any number of threads may use it.
class DerivedValues {
 public:
  /// Stores a value that was derived from `entry`. The value that was stored longest ago is dropped if there
  /// are too many.
  void set(const std::shared_ptr<const store::HeaderEntry>& entry, std::shared_ptr<const void> value) {
    entry->set_derived(std::move(value));
    std::shared_ptr<const store::HeaderEntry> oldest;
    {
      const MutexLock lock(mutex_);
      if (entries_.size() < most_values) {
        entries_.push_back(entry);
        return;
      }
      oldest = entries_[next_].lock();
      entries_[next_] = entry;
      next_ = (next_ + 1) % most_values;
    }
    if (oldest != nullptr && oldest != entry) oldest->set_derived(nullptr);
  }

 private:
  static constexpr std::size_t most_values = 4096;

  Mutex mutex_;
  std::vector<std::weak_ptr<const store::HeaderEntry>> entries_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t next_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< the oldest of entries_, once it is full
};

}  // namespace filigree::model
