// SPDX-License-Identifier: Apache-2.0
//
// Open files of drivers: what H5FD_t pointers lead to.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5FD/drivers.hpp"

namespace filigree::capi {

/// An open file, by the pointer that the driver gave for it.
class DriverFile {
 public:
  /// Throws Failure.
  static std::shared_ptr<DriverFile> open(const char* name, unsigned flags, hid_t fapl, haddr_t max_address);
  ~DriverFile();
  DriverFile(const DriverFile&) = delete;
  DriverFile& operator=(const DriverFile&) = delete;

  H5FD_t* file() const { return file_; }
  const H5FD_class_t& calls() const { return driver_->functions; }
  const std::string& driver_name() const { return driver_->name; }
  const std::shared_ptr<DriverHandle>& driver() const { return driver_; }

  /// Runs `work(functions, file)`; calls of a user-defined driver are serialised. Throws bad_value()
  /// after close().
  template <class Work>
  auto call(Work&& work) const {
    std::unique_lock lock(driver_->calls, std::defer_lock);
    if (!driver_->of_library) lock.lock();
    if (file_ == nullptr) bad_value("the file of the driver is closed");
    return work(driver_->functions, file_);
  }

  /// Concurrent sections of the calling thread (H5FD_CTL_COBEGIN_OPCODE and H5FD_CTL_COEND_OPCODE).
  void begin_section() const;
  /// Records a failed transfer, if there is a section.
  void note_failure() const;
  /// Ends the innermost section. Returns whether all transfers in it succeeded; true without a section.
  bool end_section() const;

  /// False when the driver's `close` failed; the pointer means nothing more either way.
  bool close();

 private:
  DriverFile(std::shared_ptr<DriverHandle> driver, std::shared_ptr<const void> reference)
      : driver_(std::move(driver)), reference_(std::move(reference)) {}

  std::shared_ptr<DriverHandle> driver_;
  std::shared_ptr<const void> reference_;  ///< keeps the id of the driver
  H5FD_t* file_ = nullptr;
  mutable Mutex sections_mutex_;
  /// For each thread, whether a transfer failed in each of its nested sections.
  mutable std::map<std::thread::id, std::vector<bool>> sections_ FILIGREE_GUARDED_BY(sections_mutex_);
};

/// Throws bad_value() for null, and for pointers to files that are not open.
std::shared_ptr<DriverFile> get_driver_file(const H5FD_t* file);

}  // namespace filigree::capi
