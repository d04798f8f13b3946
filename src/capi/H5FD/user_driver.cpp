// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/user_driver.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5F/flags.hpp"
#include "capi/H5FD/class_driver.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {
namespace {

unsigned open_flags(DriverOpenMode mode) {
  switch (mode) {
    case DriverOpenMode::read_only:
      return flags::read_only;
    case DriverOpenMode::read_write:
      return flags::read_write;
    case DriverOpenMode::create_new:
      return flags::read_write | flags::creat | flags::exclusive;
    case DriverOpenMode::create_truncate:
      break;
  }
  return flags::read_write | flags::creat | flags::truncate;
}

/// Opens files through a driver class, for one call of H5Fopen or H5Fcreate and for the files that links in
/// the opened file name.
class ClassOpener {
  using Settings = std::shared_ptr<const FileAccessSettings>;

 public:
  ClassOpener(std::shared_ptr<DriverHandle> driver, const FileAccessSettings& settings)
      : driver_(std::move(driver)),
        settings_(Settings(std::make_shared<const FileAccessSettings>(settings))),
        number_(++last_number) {}

  std::unique_ptr<FileDriver> open(const std::string& path, DriverOpenMode mode) const {
    const std::shared_ptr<DriverFile> opened = open_file(path, open_flags(mode));
    settings_.change([](Settings& held) { held = without_driver_info(held); });
    try {
      return std::make_unique<H5FDClassDriver>(opened, own_key(path), mode != DriverOpenMode::read_only);
    } catch (...) {
      opened->close();
      throw;
    }
  }

  /// As in HDF5, a file is the same when the driver's `cmp` says so.
  std::string identity(const std::string& path) const {
    const std::string own = own_key(path);
    if (driver_->functions.cmp == nullptr) return own;
    auto others = open_class_drivers();
    std::erase_if(others, [&](const auto& other) { return other.second->driver() != driver_; });
    const bool here = std::ranges::any_of(others, [&](const auto& other) { return other.first == own; });
    if (here || others.empty()) return own;
    const std::shared_ptr<DriverFile> tried = try_open(path);
    if (tried == nullptr) return own;
    for (const auto& [key, other] : others) {
      const std::lock_guard lock(driver_->calls);
      if (other->file() != nullptr && driver_->functions.cmp(tried->file(), other->file()) == 0) return key;
    }
    return own;
  }

  void remove(const std::string& path) const {
    const ScopedId plist(add_plist((*settings_.get())->clone()));
    const std::lock_guard lock(driver_->calls);
    if (driver_->functions.del != nullptr) driver_->functions.del(path.c_str(), plist.get());
  }

 private:
  std::string own_key(const std::string& path) const { return fmt::format("{}:{}", number_, path); }

  std::shared_ptr<DriverFile> open_file(const std::string& path, unsigned how) const {
    const ScopedId plist(add_plist((*settings_.get())->clone()));
    try {
      return DriverFile::open(path.c_str(), how, plist.get(), HADDR_UNDEF);
    } catch (const Failure& failure) {
      throw Error(ErrorKind::io, failure.what());
    }
  }

  std::shared_ptr<DriverFile> try_open(const std::string& path) const {
    try {
      auto opened = open_file(path, flags::read_only);
      DriverFile* const raw = opened.get();
      return {raw, [keep = std::move(opened)](DriverFile* file) { file->close(); }};
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  static inline std::atomic<unsigned long> last_number{0};
  std::shared_ptr<DriverHandle> driver_;
  /// The info is for the call that opens; as in HDF5, linked files are opened without it.
  mutable Guarded<Settings> settings_;
  unsigned long number_;
};

}  // namespace

std::optional<UserDriver> user_driver(const FileAccessSettings& settings) {
  const auto driver = driver_of(settings.driver);
  if (driver->of_library) return std::nullopt;
  const auto opener = std::make_shared<const ClassOpener>(driver, settings);
  UserDriver made;
  made.open = [opener](const DriverOpenRequest& request) { return opener->open(request.path, request.mode); };
  made.identity = [opener](const std::string& path) { return opener->identity(path); };
  made.remove = [opener](const std::string& path) { opener->remove(path); };
  return made;
}

std::shared_ptr<DriverFile> class_driver_file(const File& file) {
  const auto* const found = dynamic_cast<const H5FDClassDriver*>(filigree::driver_of(file));
  return found == nullptr ? nullptr : found->opened();
}

void delete_by_driver(const char* name, hid_t fapl) {
  const auto driver =
      driver_of(get_settings<FileAccessSettings>(fapl, "a file access property list")->driver);
  if (driver->functions.del == nullptr) {
    throw NestedFailure({&H5E_VFL_g, &H5E_UNSUPPORTED_g},
                        fmt::format("the file driver '{}' cannot delete files", driver->name));
  }
  std::unique_lock lock(driver->calls, std::defer_lock);
  if (!driver->of_library) lock.lock();
  if (driver->functions.del(name, fapl == H5P_DEFAULT ? H5P_LST_FILE_ACCESS_ID_g : fapl) < 0)
    throw NestedFailure({&H5E_VFL_g, &H5E_CANTDELETEFILE_g}, fmt::format("cannot delete '{}'", name));
}

}  // namespace filigree::capi
