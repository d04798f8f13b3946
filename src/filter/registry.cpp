// SPDX-License-Identifier: Apache-2.0
#include "filter/registry.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "filter/table.hpp"

namespace filigree::filter {

FilterRegistry::FilterRegistry() {
  for (const Filter* filter : builtin_filters()) {
    filters_.emplace(filter->id(), std::shared_ptr<const Filter>(std::shared_ptr<void>(), filter));
  }
}

void FilterRegistry::add(std::shared_ptr<const Filter> filter) {
  const std::uint16_t id = filter->id();
  const ExclusiveLock lock(mutex_);
  filters_.insert_or_assign(id, std::move(filter));
}

bool FilterRegistry::remove(std::uint16_t id) {
  const ExclusiveLock lock(mutex_);
  return filters_.erase(id) != 0;
}

std::shared_ptr<const Filter> FilterRegistry::find(std::uint16_t id) {
  Finder finder;
  {
    const SharedLock lock(mutex_);
    const auto found = filters_.find(id);
    if (found != filters_.end()) return found->second;
    finder = finder_;
  }
  if (!finder) return nullptr;
  std::shared_ptr<const Filter> filter = finder(id);
  if (filter != nullptr) add(filter);
  return filter;
}

void FilterRegistry::set_finder(Finder finder) {
  const ExclusiveLock lock(mutex_);
  finder_ = std::move(finder);
}

std::vector<std::shared_ptr<const Filter>> FilterRegistry::list() const {
  const SharedLock lock(mutex_);
  std::vector<std::shared_ptr<const Filter>> all;
  for (const auto& [id, filter] : filters_) all.push_back(filter);
  return all;
}

Error FilterRegistry::missing(std::uint16_t id, std::string_view name_in_file) const {
  std::string known;
  for (const auto& filter : list()) {
    // Some names continue with a URL.
    const std::string_view name = filter->name().substr(0, filter->name().find_first_of(";:"));
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", name, filter->id());
  }
  std::string called = "which has no name in the file";
  if (!name_in_file.empty()) {
    called = fmt::format("which the file calls '{}'", name_in_file);
  } else if (const std::string_view usual = registered_name(id); !usual.empty()) {
    called = fmt::format("usually {}", usual);
  }
  return Error(
      ErrorKind::unsupported,
      fmt::format("filter {}, {}, is not available (available: {}); to read the data, register that filter, "
                  "or rewrite the file with a program that has it, for example `h5repack -f NONE`",
                  id, called, known));
}

FilterRegistry& shared_registry() {
  static FilterRegistry* const registry =
      new FilterRegistry;  // never destroyed: files may be closed during process exit
  return *registry;
}

}  // namespace filigree::filter
