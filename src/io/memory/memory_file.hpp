// SPDX-License-Identifier: Apache-2.0
//
// A file that lives in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "io/posix/posix_file.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

struct MemoryOptions {
  std::string name = "memory";
  /// The device is full beyond this: writes store what fits and throw Error(no_space). The default
  /// is more than a machine has, so that an absurd offset is refused without asking for memory.
  std::uint64_t max_bytes = std::uint64_t{1} << 46;
  bool writable = true;
};

/// A growing buffer. Reads and writes of distinct bytes may run at once, growth included.
class MemoryFile : public VirtualFile {
 public:
  explicit MemoryFile(Buffer image = {}, MemoryOptions options = {});
  /// Takes the bytes of `backing`, and brings what has changed back to it in sync(), for
  /// ctl_op::write_back, and at the end, where errors have nobody to hear them. The name is that of
  /// `backing`; one for reading only stays so.
  MemoryFile(const MemoryOptions& options, std::unique_ptr<VirtualFile> backing);
  ~MemoryFile() override;

  /// The bytes; valid until the file changes.
  const Buffer& image() const { return image_; }
  /// Moves the bytes out and leaves an empty file.
  Buffer take();

  std::uint64_t size() const override;
  const std::string& name() const override { return options_.name; }
  bool writable() const override { return options_.writable; }
  /// Merging would only copy twice.
  const Capabilities& capabilities() const override;

 private:
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  bool do_ctl(const CtlCall& call) override;

  void write_one(const WriteExtent& extent);
  void resize(std::uint64_t bytes);
  void mark_changed(std::uint64_t offset, std::uint64_t bytes);
  void save();

  const MemoryOptions options_;
  const std::unique_ptr<VirtualFile> backing_;
  mutable std::shared_mutex mutex_;  ///< exclusive to change where image_ lies, shared to touch its bytes
  Buffer image_;
  std::vector<std::uint8_t> changed_;  ///< of every page of a backed image, whether it must be saved
  std::uint64_t backing_bytes_ = 0;
};

/// The file at `path` in memory, as stock's core driver has it: it is saved only when `keep` says so, and a
/// file that is created and not kept never comes to exist.
std::unique_ptr<MemoryFile> open_memory_file(const std::string& path, OpenMode mode, bool keep,
                                             const PosixOptions& options = {});

}  // namespace filigree::io
