// SPDX-License-Identifier: Apache-2.0
//
// Values that were derived from the metadata of a file.
#pragma once

#include <cstdint>
#include <memory>

#include "base/mutex.hpp"

namespace filigree::model {

/// A value that is valid while the metadata of the file have the same revision (MetadataCache::revision()).
/// Thread safety: all functions may be called by threads that hold the file lock in shared mode.
template <class T>
class Remembered {
 public:
  /// Returns the value if it is of this revision; null otherwise.
  std::shared_ptr<const T> find(std::uint64_t revision) const {
    const MutexLock lock(mutex_);
    return revision_ == revision ? value_ : nullptr;
  }
  void set(std::uint64_t revision, std::shared_ptr<const T> value) {
    const MutexLock lock(mutex_);
    value_ = std::move(value);
    revision_ = revision;
  }

 private:
  mutable Mutex mutex_;
  std::uint64_t revision_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<const T> value_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::model
