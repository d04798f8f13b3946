// SPDX-License-Identifier: Apache-2.0
//
// A file that wraps another one: the base of drivers that observe or modify requests.
#pragma once

#include <memory>
#include <utility>

#include "io/virtual_file.hpp"

namespace filigree::io {

/// Forwards everything. It declares neither concurrency nor selections, so that a derived driver sees every
/// request in do_read() and do_write(). It owns the wrapped file, or refers to one that outlives it.
class PassThroughFile : public VirtualFile {
 public:
  explicit PassThroughFile(std::unique_ptr<VirtualFile> file)
      : owned_(std::move(file)), file_(*owned_), capabilities_(extent_requests_only(file_)) {}
  explicit PassThroughFile(VirtualFile& file) : file_(file), capabilities_(extent_requests_only(file)) {}

  VirtualFile& wrapped() const { return file_; }

  std::uint64_t size() const override { return file_.size(); }
  const std::string& name() const override { return file_.name(); }
  bool writable() const override { return file_.writable(); }
  const DriverCapabilities& capabilities() const override { return capabilities_; }
  VirtualFile* next() const override { return &file_; }
  AddressRange addresses(MemoryType type) const override { return file_.addresses(type); }
  std::uint64_t end_of_file(MemoryType type) const override { return file_.end_of_file(type); }
  std::uint64_t allocation_end(MemoryType type) const override { return file_.allocation_end(type); }
  void set_allocation_end(MemoryType type, std::uint64_t end) override {
    file_.set_allocation_end(type, end);
  }

 protected:
  /// For derived drivers that implement do_start_read() and do_start_write() as well.
  void forward_concurrency() { capabilities_.concurrent = file_.capabilities().concurrent; }

 private:
  static DriverCapabilities extent_requests_only(const VirtualFile& file) {
    DriverCapabilities result = file.capabilities();
    result.concurrent = result.selections = false;
    return result;
  }

  bool reaches(std::uint64_t bytes) const override { return forward_reaches(file_, bytes); }
  void do_read(std::span<const ReadExtent> extents) const override { forward(file_, extents); }
  void do_write(std::span<const WriteExtent> extents) override { forward(file_, extents); }
  bool do_read_collective(std::span<const ReadExtent> extents) const override {
    return forward_collective(std::as_const(file_), extents);
  }
  bool do_write_collective(std::span<const WriteExtent> extents) override {
    return forward_collective(file_, extents);
  }
  void do_truncate(std::uint64_t bytes) override { forward_truncate(file_, bytes); }
  void do_truncate_to_allocation() override { forward_truncate_to_allocation(file_); }
  void do_sync() override { file_.sync(); }
  void do_lock(LockKind kind) override { file_.lock(kind); }
  void do_unlock() override { file_.unlock(); }

  std::unique_ptr<VirtualFile> owned_;
  VirtualFile& file_;
  DriverCapabilities capabilities_;
};

}  // namespace filigree::io
