// SPDX-License-Identifier: Apache-2.0
//
// The filters a pipeline may use: those of this build, then what users and plug-ins add.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include <filigree/error.hpp>

#include "filter/filter.hpp"

namespace filigree::filter {

/// Every call may run on any thread. A pipeline keeps the filters it was made with, whatever happens
/// to the registry afterwards.
class FilterRegistry {
 public:
  /// Holds the filters of this build.
  FilterRegistry();

  /// Adds `filter`, or replaces the one of its id; so a user may put his own in place of ours.
  void add(std::shared_ptr<const Filter> filter);

  /// False when there is no such filter.
  bool remove(std::uint16_t id);

  /// nullptr when there is no such filter, and the finder has none either.
  std::shared_ptr<const Filter> find(std::uint16_t id);

  /// Who is asked for filters that are not there; null: nobody. What it finds stays.
  using Finder = std::function<std::shared_ptr<const Filter>(std::uint16_t)>;
  void set_finder(Finder finder);

  /// In order of id.
  std::vector<std::shared_ptr<const Filter>> list() const;

  /// What to tell a user whose file needs a filter that find() misses. `name_in_file` may be empty.
  Error missing(std::uint16_t id, std::string_view name_in_file) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::uint16_t, std::shared_ptr<const Filter>> filters_;
  Finder finder_;
};

/// The one of the process: the filters of this build, and what programs add.
FilterRegistry& shared_registry();

}  // namespace filigree::filter
