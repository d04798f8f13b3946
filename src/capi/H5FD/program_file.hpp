// SPDX-License-Identifier: Apache-2.0
//
// A file that the functions of a program keep, for the core.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <filigree/driver.hpp>
#include <filigree/error.hpp>

#include "capi/H5FD/driver_files.hpp"

namespace filigree::capi {

/// A file that the functions of a program keep.
class ProgramFile final : public FileDriver {
 public:
  ProgramFile(std::shared_ptr<DriverFile> opened, std::string key, bool writable);
  ~ProgramFile() override;

  const std::shared_ptr<DriverFile>& opened() const { return opened_; }
  const std::string& key() const { return key_; }

  DriverAbilities abilities() const override;
  void read(std::span<const DriverRead> pieces) override;
  void write(std::span<const DriverWrite> pieces) override;
  bool read_selections(std::span<const SelectedRead> requests, BytesKind kind) override;
  bool write_selections(std::span<const SelectedWrite> requests, BytesKind kind) override;
  std::uint64_t size() override;
  void truncate(std::uint64_t bytes) override;
  void flush() override;
  void close() override;
  void lock(bool exclusive) override;
  void unlock() override;
  std::uint64_t allocate(BytesKind kind, std::uint64_t bytes) override;
  void extend(BytesKind kind, std::uint64_t end) override;
  void release(std::uint64_t offset, std::uint64_t bytes) override;
  std::optional<int> descriptor() override;
  std::optional<DriverRecord> record() override;
  bool accept(const DriverRecord& record) override;

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
  void write_last_byte(std::uint64_t bytes);

  std::shared_ptr<DriverFile> opened_;
  const std::string key_;
  const bool writable_;
  bool locked_ = false;
  std::mutex allocation_mutex_;
  std::uint64_t allocation_end_ = 0;  ///< what the driver was told
};

/// Those that are open, each with its key, to find a file that is opened a second time.
std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> open_program_files();

}  // namespace filigree::capi
