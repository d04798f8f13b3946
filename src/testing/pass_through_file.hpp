// SPDX-License-Identifier: Apache-2.0
//
// A file in front of another one: the base of test files that watch or disturb.
#pragma once

#include <memory>
#include <utility>

#include "io/virtual_file.hpp"

namespace filigree::testing {

/// Forwards everything. Owns the file behind it, or only refers to one that outlives it.
class PassThroughFile : public io::VirtualFile {
 public:
  explicit PassThroughFile(std::unique_ptr<io::VirtualFile> file) : owned_(std::move(file)), file_(*owned_) {}
  explicit PassThroughFile(io::VirtualFile& file) : file_(file) {}

  io::VirtualFile& behind() const { return file_; }

  std::uint64_t size() const override { return file_.size(); }
  const std::string& name() const override { return file_.name(); }
  bool writable() const override { return file_.writable(); }

 private:
  void do_read(std::span<const io::ReadExtent> extents) const override { file_.read(extents); }
  void do_write(std::span<const io::WriteExtent> extents) override { file_.write(extents); }
  void do_truncate(std::uint64_t bytes) override { file_.truncate(bytes); }
  void do_sync() override { file_.sync(); }

  std::unique_ptr<io::VirtualFile> owned_;
  io::VirtualFile& file_;
};

}  // namespace filigree::testing
