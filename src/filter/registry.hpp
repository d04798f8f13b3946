// SPDX-License-Identifier: Apache-2.0
//
// The registry of available filters: those of this build, and those that programs and plug-ins add.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "filter/filter.hpp"

namespace filigree::filter {

/// A set of filters by id. A pipeline keeps the filters that it was created with, whatever happens to the
/// registry afterwards.
///
/// *Thread safety*: all members may be called from any thread.
class FilterRegistry {
 public:
  /// A registry with the filters of this build.
  FilterRegistry();

  /// Adds `filter`, or replaces the filter with the same id. Programs may thus replace the filters of this
  /// build.
  void add(std::shared_ptr<const Filter> filter);

  /// Removes a filter and returns whether it was registered.
  bool remove(std::uint16_t id);

  /// Returns the filter, or asks the finder for it. Returns null if neither has it.
  std::shared_ptr<const Filter> find(std::uint16_t id);

  /// A callback that supplies filters that are not registered, such as plug-ins; null for none. A filter that
  /// it returns is added to the registry.
  using Finder = std::function<std::shared_ptr<const Filter>(std::uint16_t)>;
  void set_finder(Finder finder);

  /// All registered filters in the order of their ids.
  std::vector<std::shared_ptr<const Filter>> list() const;

  /// The error for a file that needs a filter that find() does not find. `name_in_file` may be empty.
  Error missing(std::uint16_t id, std::string_view name_in_file) const;

 private:
  mutable SharedMutex mutex_;
  std::map<std::uint16_t, std::shared_ptr<const Filter>> filters_ FILIGREE_GUARDED_BY(mutex_);
  Finder finder_ FILIGREE_GUARDED_BY(mutex_);
};

/// The registry of the process, which is never destroyed.
FilterRegistry& shared_registry();

}  // namespace filigree::filter
