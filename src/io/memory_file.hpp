// SPDX-License-Identifier: Apache-2.0
//
// A file that lives in memory.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string>

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
  void do_sync() override {}

  void write_one(const WriteExtent& extent);
  void resize(std::uint64_t bytes);

  const MemoryOptions options_;
  mutable std::shared_mutex mutex_;  ///< exclusive to change where image_ lies, shared to touch its bytes
  Buffer image_;
};

}  // namespace filigree::io
