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

enum class OpenMode {
  read_only,
  read_write,
  create_new,       ///< fails when the file exists
  create_truncate,  ///< empties a file that exists, but only once it is locked
};

struct PosixOptions {
  LockPolicy lock = LockPolicy::writers;
  /// Most bytes of one system call; Linux moves no more than the default.
  std::size_t max_transfer_bytes = 0x7ffff000;
  CoalescingLimits coalescing = {};
};

/// What tells one file from another, whatever its paths.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};
/// Nothing when there is no such file, or it cannot be looked at.
std::optional<FileIdentity> find_file_identity(const std::string& path);

/// A regular file. Extents that follow each other in the file go to the system as one request.
class PosixFile : public VirtualFile {
 public:
  /// Opens `path` (kept as the file's name in messages) and locks it as the options want.
  PosixFile(std::string path, OpenMode mode, const PosixOptions& options = {});
  ~PosixFile() override;

  std::uint64_t size() const override;
  const std::string& name() const override { return path_; }
  bool writable() const override { return mode_ != OpenMode::read_only; }
  const Capabilities& capabilities() const override { return capabilities_; }

  /// Two open files with equal device and inode are the same file, whatever their paths.
  std::uint64_t device() const { return device_; }
  std::uint64_t inode() const { return inode_; }
  /// The system's number for the open file.
  int descriptor() const { return descriptor_.number; }

 protected:
  std::size_t max_transfer_bytes() const { return max_transfer_bytes_; }
  /// For drivers that have requests of this file run at once.
  void allow_concurrency() { capabilities_.concurrent = true; }
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;

 private:
  /// Owns the descriptor also while the constructor may still throw.
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
  const OpenMode mode_;
  const std::size_t max_transfer_bytes_;
  const LockPolicy lock_policy_;
  Capabilities capabilities_;
  Descriptor descriptor_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  ScatterCosts* scatter_costs_ = nullptr;
  /// A size the file had when last looked at, so that a read need not ask. Another process may
  /// have cut the file since; reads then meet its end and say so.
  mutable std::atomic<std::uint64_t> known_bytes_{0};
};

}  // namespace filigree::io
