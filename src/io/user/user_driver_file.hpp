// SPDX-License-Identifier: Apache-2.0
//
// User-defined drivers as files of io/, and files of io/ as drivers that user-defined ones can wrap.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <filigree/driver.hpp>

#include "base/mutex.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

/// A file whose bytes a FileDriver keeps. *Thread safety*: serialises calls unless the driver declares itself
/// thread-safe. *Throws*: exceptions of the driver that are no Error become Error(io).
class UserDriverFile final : public VirtualFile {
 public:
  UserDriverFile(std::string path, bool writable, std::unique_ptr<FileDriver> driver);
  /// Closes the driver if close() was not called.
  ~UserDriverFile() override;

  std::uint64_t size() const override;
  const std::string& name() const override { return path_; }
  bool writable() const override { return writable_; }
  const DriverCapabilities& capabilities() const override { return capabilities_; }
  std::optional<int> descriptor() const override;
  std::optional<DriverInfo> driver_info(std::span<const AddressRange> used) const override;
  bool accept_driver_info(const DriverInfo& stored) override;
  std::uint64_t allocate(MemoryType type, std::uint64_t bytes) override;
  void extend_allocation(MemoryType type, std::uint64_t end) override;
  void release_allocation(std::uint64_t offset, std::uint64_t bytes) override;
  /// Closes the driver. On failure it is closed too; a second call does nothing.
  void close() override;
  std::shared_ptr<Communicator> communicator() const override { return communicator_; }
  void abandon() override;

  /// Null once closed.
  FileDriver* driver() const { return driver_.get(); }

 private:
  bool reaches(std::uint64_t bytes) const override { return bytes <= known_size_.load() || bytes <= size(); }
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  bool do_read_selections(std::span<const SelectionRead> requests, MemoryType type) const override;
  bool do_write_selections(std::span<const SelectionWrite> requests, MemoryType type) override;
  bool do_read_collective(std::span<const ReadExtent> extents) const override;
  bool do_write_collective(std::span<const WriteExtent> extents) override;
  bool do_read_selections_collective(std::span<const SelectionRead> requests, MemoryType type) const override;
  bool do_write_selections_collective(std::span<const SelectionWrite> requests, MemoryType type) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;
  bool do_ctl(const CtlCall& call) override;

  /// Runs `work(driver)`, with the mutex held unless the driver is thread-safe.
  template <class Work>
  decltype(auto) call(Work&& work) const;

  const std::string path_;
  const bool writable_;
  std::unique_ptr<FileDriver> driver_;  ///< null once closed
  DriverCapabilities capabilities_;
  std::shared_ptr<Communicator> communicator_;
  mutable Mutex mutex_;                               ///< serialises calls of drivers that need it
  mutable std::atomic<std::uint64_t> known_size_{0};  ///< the file has at least these bytes
};

/// The file that a user-defined driver keeps, below all files that wrap it; null for built-in drivers.
UserDriverFile* find_user_driver_file(const VirtualFile& file);

/// `file` as a driver, so that a user-defined driver can wrap it.
std::unique_ptr<FileDriver> as_file_driver(std::unique_ptr<VirtualFile> file);

/// Opens `path` through `driver`, and locks the file as `access` demands.
std::unique_ptr<VirtualFile> open_user_driver(const UserDriver& driver, const std::string& path,
                                              DriverOpenMode mode, const AccessOptions& access);

/// The name that UserDriver::identity gives a file; the path without it.
std::string user_driver_identity(const UserDriver& driver, const std::string& path);

}  // namespace filigree::io
