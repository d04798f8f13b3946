// SPDX-License-Identifier: Apache-2.0
//
// A file of a driver class (H5FD_class_t) as a driver of the C++ API.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <filigree/driver.hpp>
#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "capi/H5FD/driver_files.hpp"

namespace filigree::capi {

/// Calls the functions of a driver class. *Thread safety*: DriverFile::call() serialises them.
class H5FDClassDriver final : public FileDriver {
 public:
  H5FDClassDriver(std::shared_ptr<DriverFile> opened, std::string key, bool writable);
  ~H5FDClassDriver() override;

  const std::shared_ptr<DriverFile>& opened() const { return opened_; }
  const std::string& key() const { return key_; }

  DriverCapabilities capabilities() const override;
  void read(std::span<const ReadExtent> extents) override;
  void write(std::span<const WriteExtent> extents) override;
  bool read_selections(std::span<const SelectionRead> requests, MemoryType type) override;
  bool write_selections(std::span<const SelectionWrite> requests, MemoryType type) override;
  std::uint64_t size() override;
  void truncate(std::uint64_t bytes) override;
  void flush() override;
  void close() override;
  void lock(LockKind kind) override;
  void unlock() override;
  std::uint64_t allocate(MemoryType type, std::uint64_t bytes) override;
  void extend(MemoryType type, std::uint64_t end) override;
  void release(std::uint64_t offset, std::uint64_t bytes) override;
  std::optional<int> descriptor() override;
  std::optional<DriverInfo> driver_info() override;
  bool accept_driver_info(const DriverInfo& stored) override;

 private:
  /// Throws Error(io) that names the driver.
  [[noreturn]] void failed(std::string_view doing) const;
  [[noreturn]] void failed(std::string_view doing, ErrorKind kind) const;
  /// Runs a function of the class; a negative result is a failure.
  template <class Work>
  void call(std::string_view doing, Work&& work) const {
    if (opened_->call(std::forward<Work>(work)) < 0) failed(doing);
  }
  void reach(std::uint64_t end, H5FD_mem_t kind);
  void set_allocation(std::uint64_t end, H5FD_mem_t kind);
  void release_end(std::uint64_t offset, std::uint64_t bytes) FILIGREE_REQUIRES(allocation_mutex_);
  void write_last_byte(std::uint64_t bytes);

  std::shared_ptr<DriverFile> opened_;
  const std::string key_;
  const bool writable_;
  bool locked_ = false;
  Mutex allocation_mutex_;
  std::uint64_t allocation_end_ FILIGREE_GUARDED_BY(allocation_mutex_) =
      0;  ///< the last one given to the driver
};

/// The open files of driver classes, each with its key, to find a file that is opened a second time.
std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> open_class_drivers();

}  // namespace filigree::capi
