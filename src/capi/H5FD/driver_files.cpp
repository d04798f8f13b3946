// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/driver_files.hpp"

#include <atomic>
#include <unordered_map>

#include <fmt/format.h>

#include "base/mutex.hpp"
#include "capi/H5P/property_list.hpp"

namespace filigree::capi {
namespace {

struct OpenFiles {
  SharedMutex mutex;
  std::unordered_map<const H5FD_t*, std::shared_ptr<DriverFile>> by_pointer FILIGREE_GUARDED_BY(mutex);
  std::atomic<unsigned long> last_number{0};
};

OpenFiles& open_files() {
  static auto* const made = new OpenFiles;  // outlives whatever closes files at exit
  return *made;
}

Code cannot_start() { return {&H5E_VFL_g, &H5E_CANTINIT_g}; }

/// What every file begins with, whatever the driver has put there.
void fill_in(H5FD_t& file, const FileAccessSettings& settings, const DriverHandle& driver, hid_t driver_id,
             unsigned flags, haddr_t max_address) {
  file.driver_id = driver_id;
  file.cls = &driver.functions;
  file.fileno = ++open_files().last_number;
  file.access_flags = flags;
  file.maxaddr = max_address;
  file.base_addr = 0;
  file.threshold = settings.options.alignment_threshold;
  file.alignment = settings.options.alignment;
  file.paged_aggr = false;
  file.feature_flags = 0;
}

}  // namespace

std::shared_ptr<DriverFile> DriverFile::open(const char* name, unsigned flags, hid_t fapl,
                                             haddr_t max_address) {
  if (fapl == H5P_DEFAULT) fapl = H5P_LST_FILE_ACCESS_ID_g;
  const auto settings = get_settings<FileAccessSettings>(fapl, "a file access property list");
  const auto driver = driver_of(settings->driver);
  const hid_t id = settings->driver.driver < 0 ? driver_id(driver->functions.value) : settings->driver.driver;
  if (max_address == 0) throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "zero format address range");
  if (max_address == HADDR_UNDEF) max_address = driver->functions.maxaddr;
  std::shared_ptr<DriverFile> opened(new DriverFile(driver, retained(id)));
  std::unique_lock lock(driver->calls, std::defer_lock);
  if (!driver->of_library) lock.lock();
  H5FD_t* const file = driver->functions.open(name, flags, fapl, max_address);
  if (file == nullptr)
    throw NestedFailure(cannot_start(), fmt::format("the driver '{}' cannot open the file", driver->name));
  opened->file_ = file;
  fill_in(*file, *settings, *driver, id, flags, max_address);
  if (driver->functions.query != nullptr && driver->functions.query(file, &file->feature_flags) < 0)
    throw NestedFailure(cannot_start(),
                        fmt::format("the driver '{}' cannot tell its features", driver->name));
  const ExclusiveLock adding(open_files().mutex);
  open_files().by_pointer[file] = opened;
  return opened;
}

DriverFile::~DriverFile() { close(); }

void DriverFile::begin_section() const {
  const MutexLock lock(sections_mutex_);
  sections_[std::this_thread::get_id()].push_back(false);
}

void DriverFile::note_failure() const {
  const MutexLock lock(sections_mutex_);
  if (const auto mine = sections_.find(std::this_thread::get_id()); mine != sections_.end())
    mine->second.back() = true;
}

bool DriverFile::end_section() const {
  const MutexLock lock(sections_mutex_);
  const auto mine = sections_.find(std::this_thread::get_id());
  if (mine == sections_.end()) return true;
  const bool failed = mine->second.back();
  mine->second.pop_back();
  if (mine->second.empty()) {
    sections_.erase(mine);
  } else if (failed) {
    mine->second.back() = true;
  }
  return !failed;
}

bool DriverFile::close() {
  std::unique_lock lock(driver_->calls, std::defer_lock);
  if (!driver_->of_library) lock.lock();
  if (file_ == nullptr) return true;
  H5FD_t* const file = std::exchange(file_, nullptr);
  std::shared_ptr<DriverFile> keep;
  {
    const ExclusiveLock removing(open_files().mutex);
    if (const auto found = open_files().by_pointer.find(file); found != open_files().by_pointer.end()) {
      keep = std::move(found->second);
      open_files().by_pointer.erase(found);
    }
  }
  file->driver_id = H5I_INVALID_HID;
  const bool closed = driver_->functions.close(file) >= 0;
  lock = {};
  return closed;
}

std::shared_ptr<DriverFile> get_driver_file(const H5FD_t* file) {
  if (file == nullptr) bad_value("file pointer cannot be NULL");
  const SharedLock lock(open_files().mutex);
  const auto found = open_files().by_pointer.find(file);
  if (found == open_files().by_pointer.end()) bad_value("file pointer is not that of an open file");
  return found->second;
}

}  // namespace filigree::capi
