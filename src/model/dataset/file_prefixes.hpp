// SPDX-License-Identifier: Apache-2.0
//
// Per-dataset folders for source files of virtual datasets and for external files.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/address.hpp"
#include "base/mutex.hpp"

namespace filigree::model {

/// Folders by the header address of the dataset; see Dataset::set_virtual_prefix().
/// Thread safety: any number of threads may use it.
class DatasetPrefixes {
 public:
  void set(Address header, const std::optional<std::string>& folder) {
    if (!folder && !any_.load()) return;  // as for nearly all datasets
    const MutexLock lock(mutex_);
    any_ = true;
    if (folder)
      folders_.insert_or_assign(to_number(header), *folder);
    else
      folders_.erase(to_number(header));
  }
  std::optional<std::string> find(Address header) const {
    const MutexLock lock(mutex_);
    const auto found = folders_.find(to_number(header));
    return found == folders_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable Mutex mutex_;
  std::atomic<bool> any_ = false;  ///< a folder was set once
  std::unordered_map<std::uint64_t, std::string> folders_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::model
