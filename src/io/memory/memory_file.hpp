// SPDX-License-Identifier: Apache-2.0
//
// A file in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "io/posix/posix_file.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

struct MemoryOptions {
  std::string name = "memory";
  /// The capacity: a write beyond it stores the part that fits and throws Error(no_space). The default is
  /// more than a machine has, so that a corrupt offset is refused without an allocation.
  std::uint64_t max_bytes = std::uint64_t{1} << 46;
  bool writable = true;
  std::uint64_t page_bytes = 64u << 10;  ///< of what is written back
};

/// A growing buffer. *Thread safety*: reads and writes of distinct bytes may run concurrently, even when the
/// file grows.
class MemoryFile : public VirtualFile {
 public:
  explicit MemoryFile(Buffer image = {}, MemoryOptions options = {});
  /// Reads all bytes of `backing`, and writes changed pages back to it in sync(), at ctl_op::write_back and
  /// in the destructor, which drops errors. The name and the access mode are those of `backing`.
  MemoryFile(const MemoryOptions& options, std::unique_ptr<VirtualFile> backing);
  ~MemoryFile() override;

  /// The bytes. *Invalidates*: any change of the file.
  const Buffer& image() const { return image_; }
  /// Moves the bytes out and leaves an empty file.
  Buffer take();

  std::uint64_t size() const override;
  const std::string& name() const override { return options_.name; }
  bool writable() const override { return options_.writable; }
  /// Merging would only copy twice.
  const DriverCapabilities& capabilities() const override;

 private:
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  bool do_ctl(const CtlCall& call) override;

  void write_one(const WriteExtent& extent);
  void grow(std::uint64_t bytes);
  /// Returns false, without any effect, if the file is too short.
  bool write_within(std::uint64_t offset, Bytes from);
  void resize(std::uint64_t bytes) FILIGREE_REQUIRES(mutex_);
  void mark_changed(std::uint64_t offset, std::uint64_t bytes) FILIGREE_REQUIRES_SHARED(mutex_);
  void save();

  const MemoryOptions options_;
  const std::unique_ptr<VirtualFile> backing_;
  mutable SharedMutex mutex_;  ///< exclusive to reallocate image_, shared to access its bytes
  Buffer image_ FILIGREE_GUARDED_BY(mutex_);
  /// By page, for a file with `backing`: whether it must be saved.
  std::vector<std::uint8_t> changed_ FILIGREE_GUARDED_BY(mutex_);
  std::uint64_t backing_bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

/// Opens the file at `path` in memory, as HDF5's core driver does. It is saved only if `keep` is set; a file
/// that is created without it never exists on the device. Changed pages of `page_bytes` are saved, or of the
/// usual size for 0.
std::unique_ptr<MemoryFile> open_memory_file(const std::string& path, DriverOpenMode mode, bool keep,
                                             const PosixOptions& options = {}, std::uint64_t page_bytes = 0);

}  // namespace filigree::io
