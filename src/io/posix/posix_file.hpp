// SPDX-License-Identifier: Apache-2.0
//
// A file of the operating system.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "io/posix/posix_lock.hpp"
#include "io/posix/scattered.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

struct PosixOptions {
  LockPolicy lock = LockPolicy::writers;
  /// Most bytes of one system call; Linux transfers no more than the default.
  std::size_t max_transfer_bytes = 0x7ffff000;
  CoalescingLimits coalescing = {};
};

/// Identifies a file of the system, whatever its paths.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};
/// Nothing if there is no such file, or its status cannot be read.
std::optional<FileIdentity> find_file_identity(const std::string& path);

/// A regular file. Contiguous extents are one system call.
class PosixFile : public VirtualFile {
 public:
  /// Opens `path`, which becomes the name in messages, and locks the file as the options demand.
  PosixFile(std::string path, DriverOpenMode mode, const PosixOptions& options = {});
  ~PosixFile() override;

  std::uint64_t size() const override;
  const std::string& name() const override { return path_; }
  bool writable() const override { return mode_ != DriverOpenMode::read_only; }
  const DriverCapabilities& capabilities() const override { return capabilities_; }

  /// Two open files with equal device and inode are the same file, whatever their paths.
  std::uint64_t device() const { return device_; }
  std::uint64_t inode() const { return inode_; }
  std::optional<int> descriptor() const override { return descriptor_.number; }

 protected:
  std::size_t max_transfer_bytes() const { return max_transfer_bytes_; }
  /// For derived drivers whose requests run concurrently.
  void allow_concurrency() { capabilities_.concurrent = true; }
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;

 private:
  /// Owns the descriptor even if the constructor throws.
  struct Descriptor {
    int number = -1;
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
  };

  bool reaches(std::uint64_t bytes) const override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;
  bool do_ctl(const CtlCall& call) override;

  template <class Extent>
  void transfer(std::span<const Extent> extents) const;
  template <class Extent>
  std::size_t move_scattered(std::span<const Extent> extents) const;
  template <class Extent>
  void move_by_calls(std::span<const Extent> extents) const;

  const std::string path_;
  const DriverOpenMode mode_;
  const std::size_t max_transfer_bytes_;
  const LockPolicy lock_policy_;
  DriverCapabilities capabilities_;
  Descriptor descriptor_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  ScatterCosts* scatter_costs_ = nullptr;
  /// The last known size, so that reads need no fstat. If another process has truncated the file since, reads
  /// reach its end and report that.
  mutable std::atomic<std::uint64_t> known_bytes_{0};
};

}  // namespace filigree::io
