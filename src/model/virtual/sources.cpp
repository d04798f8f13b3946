// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/sources.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "model/file/file.hpp"
#include "model/file/file_driver.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

namespace fs = std::filesystem;

/// The largest number of open source files, well below the limits of operating systems.
constexpr std::size_t most_open_sources = 128;
constexpr std::string_view origin = "${ORIGIN}";
constexpr const char* environment_name = "HDF5_VDS_PREFIX";

void add_listed(std::vector<fs::path>& all, std::string_view folders, const fs::path& wanted) {
  while (!folders.empty()) {
    const auto colon = folders.find(':');
    all.push_back(fs::path(folders.substr(0, colon)) / wanted);
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
}

/// Returns the paths that HDF5 searches for a source file, in the same order.
std::vector<fs::path> candidates(const File& of, const std::string& name, const std::string& asked) {
  std::vector<fs::path> all;
  fs::path wanted = name;
  if (wanted.is_absolute()) {
    all.push_back(wanted);
    wanted = wanted.filename();
  }
  const fs::path own = of.name();
  const char* listed = std::getenv(environment_name);
  if (listed != nullptr) add_listed(all, listed, wanted);
  std::string prefix = listed != nullptr && *listed != '\0' ? listed : asked;
  if (prefix.starts_with(origin)) {
    const std::string folder = own.parent_path().string();
    prefix = (folder.empty() ? "." : folder) + prefix.substr(origin.size());
  }
  if (!prefix.empty()) all.push_back(fs::path(prefix) / wanted);
  all.push_back(own.parent_path() / wanted);
  all.push_back(wanted);
  std::error_code failed;
  const fs::path resolved = fs::canonical(own, failed);
  if (!failed) all.push_back(resolved.parent_path() / wanted);
  return all;
}

/// Opens a source file in the mode of the file with the virtual dataset, or else for reading.
std::shared_ptr<File> open_source(const File& of, const std::string& path) {
  if (of.writable()) {
    try {
      return open_linked(of, path, OpenMode::read_write);
    } catch (const Error& error) {
      const bool barred = error.kind() == ErrorKind::permission || error.kind() == ErrorKind::locked ||
                          error.kind() == ErrorKind::read_only;
      if (!barred) throw;
    }
  }
  return open_linked(of, path, OpenMode::read_only);
}

/// Returns zeros if the status of the file is not available.
std::int64_t change_time(const std::string& path) {
  std::error_code failed;
  const auto time = fs::last_write_time(path, failed);
  return failed ? 0 : static_cast<std::int64_t>(time.time_since_epoch().count());
}

std::uint64_t file_bytes(const std::string& path) {
  std::error_code failed;
  const auto bytes = fs::file_size(path, failed);
  return failed ? 0 : bytes;
}

}  // namespace

VirtualDatasets::~VirtualDatasets() = default;

std::shared_ptr<const CheckedMappings> VirtualDatasets::mappings(File& file, Address header,
                                                                 const DatasetMessages& parts) {
  {
    const MutexLock lock(mutex_);
    const auto found = mappings_.find(to_number(header));
    if (found != mappings_.end()) return found->second;
  }
  const auto sources = load_mappings(file, parts.layout, parts.space.dims.size());
  std::shared_ptr<const CheckedMappings> made;
  try {
    made = std::make_shared<const CheckedMappings>(check_mappings(sources, parts.space.dims));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_argument) throw;
    throw Error(ErrorKind::corrupt,
                fmt::format("virtual dataset at {}: {}", to_string(header), error.what()));
  }
  const MutexLock lock(mutex_);
  return mappings_.try_emplace(to_number(header), std::move(made)).first->second;
}

void VirtualDatasets::forget(Address header) {
  const MutexLock lock(mutex_);
  mappings_.erase(to_number(header));
  blocks_.erase(to_number(header));
  views_.erase(to_number(header));
}

void VirtualDatasets::set_view(Address header, const std::optional<VirtualView>& view) {
  const MutexLock lock(mutex_);
  blocks_.erase(to_number(header));  // a smaller gap may end the search earlier
  if (view)
    views_.insert_or_assign(to_number(header), *view);
  else
    views_.erase(to_number(header));
}

std::optional<VirtualView> VirtualDatasets::view(Address header) {
  const MutexLock lock(mutex_);
  const auto found = views_.find(to_number(header));
  return found == views_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t VirtualDatasets::known_blocks(Address header, std::size_t mapping) {
  const MutexLock lock(mutex_);
  const auto found = blocks_.find(to_number(header));
  if (found == blocks_.end()) return 0;
  const auto known = found->second.find(mapping);
  return known == found->second.end() ? 0 : known->second;
}

void VirtualDatasets::set_known_blocks(Address header, std::size_t mapping, std::uint64_t blocks) {
  const MutexLock lock(mutex_);
  blocks_[to_number(header)][mapping] = blocks;
}

std::shared_ptr<File> VirtualDatasets::find_open(const std::string& key) {
  const MutexLock lock(mutex_);
  for (auto it = open_sources_.begin(); it != open_sources_.end(); ++it) {
    if (it->key != key) continue;
    // A file that is open for reading would not show changes of other processes, so it is opened again.
    const bool current =
        !it->file->closed() &&
        (it->file->writable() || (it->changed == change_time(it->path) && it->bytes == file_bytes(it->path)));
    if (!current) {
      open_sources_.erase(it);
      return nullptr;
    }
    open_sources_.splice(open_sources_.begin(), open_sources_, it);
    return it->file;
  }
  return nullptr;
}

std::shared_ptr<File> VirtualDatasets::keep(OpenSource source) {
  const MutexLock lock(mutex_);
  open_sources_.push_front(std::move(source));
  if (open_sources_.size() <= most_open_sources) return nullptr;
  auto last = std::move(open_sources_.back().file);
  open_sources_.pop_back();
  return last;
}

std::shared_ptr<File> VirtualDatasets::find_file(File& of, const std::string& name,
                                                 const std::string& prefix) {
  const std::string key = of.name() + '\0' + prefix + '\0' + name;
  if (auto file = find_open(key)) return file;
  std::shared_ptr<File> dropped;
  std::shared_ptr<File> found;
  {
    const FileLock::Shared shared(of.lock());  // the file must not be closed meanwhile
    const MutexLock one_at_a_time(opening_mutex_);
    found = find_open(key);
    if (!found) found = open_file(of, key, name, prefix, dropped);
  }
  if (dropped && dropped->writable()) {
    const FileLock::Exclusive exclusive(dropped->lock());
    if (!dropped->closed()) dropped->flush();
  }
  return found;
}

std::shared_ptr<File> VirtualDatasets::open_file(File& of, const std::string& key, const std::string& name,
                                                 const std::string& prefix, std::shared_ptr<File>& dropped) {
  const bool driver_paths = has_driver_paths(of);
  std::optional<Error> first_failure;
  for (const fs::path& candidate : candidates(of, name, prefix)) {
    const std::string path = candidate.string();
    std::error_code ignored;
    if (!driver_paths && !fs::exists(candidate, ignored)) continue;
    try {
      const std::int64_t changed = change_time(path);
      const std::uint64_t bytes = file_bytes(path);
      auto file = open_source(of, path);
      if (&file->virtuals() != this && file.get() != &of) dropped = keep({key, path, file, changed, bytes});
      return file;
    } catch (const Error& error) {
      if (!first_failure) first_failure = error;
    }
  }
  if (first_failure && first_failure->kind() != ErrorKind::not_found) throw *first_failure;
  return nullptr;
}

void VirtualDatasets::flush_sources() {
  std::vector<std::shared_ptr<File>> files;
  {
    const MutexLock lock(mutex_);
    for (const OpenSource& k : open_sources_) files.push_back(k.file);
  }
  for (const auto& file : files) {
    const FileLock::Exclusive exclusive(file->lock());
    if (!file->closed()) file->flush();
  }
}

void VirtualDatasets::release_sources() {
  std::list<OpenSource> gone;
  const MutexLock lock(mutex_);
  gone.swap(open_sources_);
}

std::optional<ObjectLocation> find_source(File& of, Address user, const std::string& name,
                                          const std::string& dataset) {
  const std::string prefix = of.virtual_prefixes().find(user).value_or(of.access().virtual_prefix);
  return in_context([&] { return fmt::format("opening source '{}' of '{}'", dataset, name); },
                    [&]() -> std::optional<ObjectLocation> {
                      const auto file = name == format::same_file
                                            ? of.shared_from_this()
                                            : of.set()->keeper(of)->virtuals().find_file(of, name, prefix);
                      if (!file) return std::nullopt;
                      auto location = find_object({file, file->root(), "/"}, dataset);
                      if (!location) return std::nullopt;
                      const FileLock::Shared shared(location->file->lock());
                      if (object_kind(*location->file, location->header) != ObjectKind::dataset)
                        location.reset();
                      return location;
                    });
}

}  // namespace filigree::model
