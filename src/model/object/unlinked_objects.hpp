// SPDX-License-Identifier: Apache-2.0
//
// Objects of an open file that have lost their last link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/address.hpp"
#include "base/mutex.hpp"

namespace filigree::model {

class File;

/// Keeps unlinked objects of a file until their last handle is closed, and then frees them.
///
/// Thread safety: handle_opened() and handle_closed() may be called from any thread. All other functions
/// require the exclusive file lock.
class UnlinkedObjects {
 public:
  explicit UnlinkedObjects(File& file) : file_(file) {}
  UnlinkedObjects(const UnlinkedObjects&) = delete;
  UnlinkedObjects& operator=(const UnlinkedObjects&) = delete;

  /// Counts the handles of an object.
  void handle_opened(Address header);
  void handle_closed(Address header);

  /// Called for an object whose last link was removed. Frees it now, or after its last handle is closed. In a
  /// file that several processes use, it is freed when the file is closed.
  /// Throws: Error(corrupt) for the root group and the superblock extension, which always have a link.
  void add(Address header);
  /// Called for an unlinked object that is linked again.
  void remove(Address header);
  /// Returns whether the object is being freed, or was freed in the same operation. A link count that is too
  /// low must not free an object twice.
  bool is_being_freed(Address header) const { return being_freed_.contains(to_number(header)); }
  /// Frees the unlinked objects without handles; with `all`, those with handles too.
  void free_unused(bool all);

 private:
  bool has_handles(Address header) const;
  /// Frees an object and all objects that lose their last link with it. They are queued, so that deep trees
  /// need no stack.
  void free(Address header);

  File& file_;
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, std::size_t> handles_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_set<std::uint64_t> unlinked_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_set<std::uint64_t> being_freed_;  ///< during free()
  std::vector<Address> queue_;                     ///< in being_freed_, but not freed yet
};

}  // namespace filigree::model
