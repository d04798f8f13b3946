// SPDX-License-Identifier: Apache-2.0
#include "io/drivers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "io/family/family_driver.hpp"
#include "io/memory/memory_driver.hpp"
#include "io/multi/multi_driver.hpp"
#include "io/posix/posix_driver.hpp"
#include "io/splitter/splitter_driver.hpp"
#include "io/stack/log_file.hpp"
#include "io/uring/uring_driver.hpp"
#include "io/user/user_driver.hpp"

namespace filigree::io {
namespace {

using KindPointer = std::shared_ptr<const DriverKind>;

/// The built-in drivers. A new driver is a folder in io/ and one row here.
std::vector<DriverKind> built_in_drivers() {
  return {
      posix_driver(),     // one file, plain system calls
      uring_driver(),     // one file, extents of a request in flight together
      memory_driver(),    // the whole file in memory
      family_driver(),    // members of equal size
      split_driver(),     // metadata and raw data in a file each
      multi_driver(),     // a file for each memory type
      splitter_driver(),  // a file and a copy of it
      user_driver(),      // a UserDriver that is not registered
  };
}

class DriverTable {
 public:
  DriverTable() {
    for (DriverKind& kind : built_in_drivers())
      kinds_.push_back(std::make_shared<const DriverKind>(std::move(kind)));
    built_in_ = kinds_.size();
  }

  /// Null if there is none.
  KindPointer find_name(std::string_view name) const {
    return find([&](const DriverKind& kind) { return kind.name == name; });
  }
  KindPointer find_scheme(std::string_view scheme) const {
    if (scheme.empty()) return nullptr;
    return find([&](const DriverKind& kind) { return kind.url_scheme == scheme; });
  }

  void add(DriverKind kind) {
    const ExclusiveLock lock(mutex_);
    for (const KindPointer& other : kinds_) {
      if (other->name == kind.name)
        throw Error(ErrorKind::already_exists,
                    fmt::format("there is a driver of the name '{}' already", kind.name));
      if (!kind.url_scheme.empty() && other->url_scheme == kind.url_scheme)
        throw Error(ErrorKind::already_exists, fmt::format("the URL scheme '{}' belongs to the driver '{}'",
                                                           kind.url_scheme, other->name));
    }
    kinds_.push_back(std::make_shared<const DriverKind>(std::move(kind)));
  }

  bool remove(std::string_view name) {
    const ExclusiveLock lock(mutex_);
    const auto found = std::ranges::find(kinds_, name, &DriverKind::name);
    if (found == kinds_.end()) return false;
    if (static_cast<std::size_t>(found - kinds_.begin()) < built_in_)
      throw Error(ErrorKind::invalid_argument, fmt::format("the driver '{}' is built in", name));
    kinds_.erase(found);
    return true;
  }

  /// Those that can be chosen by name.
  std::vector<DriverDescription> list() const {
    const SharedLock lock(mutex_);
    std::vector<DriverDescription> result;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const DriverKind& kind = *kinds_[i];
      if (kind.name != UserDriver::driver_name) result.push_back({kind.name, kind.url_scheme, i < built_in_});
    }
    return result;
  }

  std::vector<KindPointer> all() const {
    const SharedLock lock(mutex_);
    return kinds_;
  }

 private:
  template <class Fits>
  KindPointer find(Fits fits) const {
    const SharedLock lock(mutex_);
    const auto found = std::ranges::find_if(kinds_, [&](const KindPointer& kind) { return fits(*kind); });
    return found == kinds_.end() ? nullptr : *found;
  }

  mutable SharedMutex mutex_;
  std::vector<KindPointer> kinds_ FILIGREE_GUARDED_BY(mutex_);  ///< the built-in ones first
  std::size_t built_in_ = 0;
};

DriverTable& table() {
  static auto* const made = new DriverTable;  // outlives whatever closes files at exit
  return *made;
}

bool is_scheme(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '+' || c == '-' || c == '.';
  };
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, allowed);
}

/// The scheme of "scheme://..."; empty for other paths.
std::string_view scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  const std::string_view scheme = path.substr(0, end == std::string_view::npos ? 0 : end);
  return is_scheme(scheme) ? scheme : std::string_view();
}

std::string superblock_path(const DriverKind& kind, const std::string& path, const DriverChoice& choice) {
  return kind.superblock_path ? kind.superblock_path(path, choice) : path;
}

std::unique_ptr<VirtualFile> with_log(std::unique_ptr<VirtualFile> file, const AccessOptions& access) {
  if (!access.log) return file;
  const bool json = access.log->format == DriverLog::Format::json_lines;
  return std::make_unique<LogFile>(
      std::move(file), LogOptions{json ? LogFormat::json_lines : LogFormat::text, access.log->sink});
}

/// A file is missing whose path looks like a URL: the scheme may be the mistake.
[[noreturn]] void throw_unknown_scheme(const Error& error, std::string_view scheme) {
  throw Error(error.kind(),
              fmt::format("{}; no driver is registered for the URL scheme '{}'", error.message(), scheme));
}

}  // namespace

std::shared_ptr<const DriverKind> driver_kind(const DriverChoice& choice, const std::string& path) {
  if (choice.name().empty()) {
    if (auto found = table().find_scheme(scheme_of(path))) return found;
    return table().find_name(PosixDriver::driver_name);
  }
  auto found = table().find_name(choice.name());
  if (found == nullptr)
    throw Error(ErrorKind::not_found, fmt::format("there is no file driver '{}'", choice.name()));
  if (!choice.configuration().empty() && !found->takes_configuration)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the file driver '{}' takes no configuration text", choice.name()));
  return found;
}

std::unique_ptr<VirtualFile> open_driver(const std::string& path, DriverOpenMode mode,
                                         const AccessOptions& access) {
  const auto kind = driver_kind(access.driver, path);
  try {
    return with_log(kind->open({path, mode, access}), access);
  } catch (const Error& error) {
    const std::string_view scheme = scheme_of(path);
    const bool unknown = !scheme.empty() && access.driver.name().empty() && kind->url_scheme != scheme;
    if (unknown && error.kind() == ErrorKind::not_found) throw_unknown_scheme(error, scheme);
    throw;
  }
}

std::optional<FileIdentity> driver_file_identity(const std::string& path, const AccessOptions& access) {
  const auto kind = driver_kind(access.driver, path);
  if (kind->identity) return kind->identity(path, access.driver);
  return find_file_identity(superblock_path(*kind, path, access.driver));
}

void remove_driver_files(const std::string& path, const AccessOptions& access) {
  const auto kind = driver_kind(access.driver, path);
  if (kind->remove) return kind->remove(path, access.driver);
  const std::vector<std::string> members =
      kind->member_paths ? kind->member_paths(path, access.driver)
                         : std::vector<std::string>{superblock_path(*kind, path, access.driver)};
  for (const std::string& member : members) std::remove(member.c_str());
}

AccessOptions linked_access(const std::string& path, const AccessOptions& access) {
  AccessOptions linked = access;
  if (!driver_kind(access.driver, path)->opens_linked_files) linked.driver = PosixDriver{};
  return linked;
}

std::string needed_driver(const DriverInfo& stored) {
  for (const KindPointer& kind : table().all()) {
    if (!kind->describe_info) continue;
    if (const auto description = kind->describe_info(stored)) return *description;
  }
  return fmt::format("the driver '{}', which this version does not have", stored.id);
}

void add_driver(UserDriver driver) {
  if (!driver.open) throw Error(ErrorKind::invalid_argument, "UserDriver::open is empty");
  if (driver.name.empty()) throw Error(ErrorKind::invalid_argument, "a driver needs a name to be registered");
  if (!driver.url_scheme.empty() && !is_scheme(driver.url_scheme)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is no URL scheme: it takes lower-case letters, digits, '+', '-' and '.'",
                            driver.url_scheme));
  }
  table().add(registered_driver(std::move(driver)));
}

bool remove_driver(std::string_view name) { return table().remove(name); }

std::vector<DriverDescription> list_drivers() { return table().list(); }

}  // namespace filigree::io
