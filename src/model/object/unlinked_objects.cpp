// SPDX-License-Identifier: Apache-2.0
#include "model/object/unlinked_objects.hpp"

#include <algorithm>
#include <optional>

#include <filigree/error.hpp>

#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

void UnlinkedObjects::handle_opened(Address header) {
  const MutexLock lock(mutex_);
  ++handles_[to_number(header)];
}

void UnlinkedObjects::handle_closed(Address header) {
  const MutexLock lock(mutex_);
  const auto found = handles_.find(to_number(header));
  if (found != handles_.end() && --found->second == 0) handles_.erase(found);
}

bool UnlinkedObjects::has_handles(Address header) const {
  const MutexLock lock(mutex_);
  return handles_.contains(to_number(header));
}

void UnlinkedObjects::add(Address header) {
  if (header == file_.root() || header == file_.superblock().extension) {
    throw Error(ErrorKind::corrupt,
                "the link count of the root group or of the superblock's extension is too low");
  }
  // Members of a communicator have different handles, and free the same objects at the same time: in close().
  const bool frees_now = file_.parallel() ? !being_freed_.empty() : !has_handles(header);
  if (frees_now) return free(header);
  store::ObjectHeader(file_.store(), header).set_link_count(0);
  const MutexLock lock(mutex_);
  unlinked_.insert(to_number(header));
}

void UnlinkedObjects::remove(Address header) {
  const MutexLock lock(mutex_);
  unlinked_.erase(to_number(header));
}

void UnlinkedObjects::free_unused(bool all) {
  for (;;) {
    std::optional<std::uint64_t> next;
    {
      const MutexLock lock(mutex_);
      auto found = unlinked_.begin();
      while (found != unlinked_.end() && !all && handles_.contains(*found)) ++found;
      if (found == unlinked_.end()) return;
      if (file_.parallel()) found = std::ranges::min_element(unlinked_);  // the same on all members
      next = *found;
      unlinked_.erase(found);
    }
    free(to_address(*next));
  }
}

void UnlinkedObjects::free(Address header) {
  const bool outermost = being_freed_.empty();
  being_freed_.insert(to_number(header));
  queue_.push_back(header);
  if (!outermost) return;
  const auto forget = [this] {
    being_freed_.clear();
    queue_.clear();
  };
  try {
    while (!queue_.empty()) {
      const Address next = queue_.back();
      queue_.pop_back();
      destroy_object(file_, next);
    }
  } catch (...) {
    forget();
    throw;
  }
  forget();
}

}  // namespace filigree::model
