// SPDX-License-Identifier: Apache-2.0
//
// A file whose every change is repeated in a copy.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

/// What to do about faults of the copy.
struct CopyFaults {
  /// Called for every fault; empty: nobody is notified. *Thread safety*: called by any thread.
  std::function<void(std::string_view)> log = nullptr;
  bool ignored = false;  ///< otherwise the file fails with them
};

/// Reads from the first file only. A change is made in the first file, and then in the copy.
class SplitterFile : public PassThroughFile {
 public:
  SplitterFile(std::unique_ptr<VirtualFile> file, std::unique_ptr<VirtualFile> copy, CopyFaults faults)
      : PassThroughFile(std::move(file)), copy_(std::move(copy)), faults_(std::move(faults)) {}
  ~SplitterFile() override = default;

  std::optional<int> descriptor() const override { return wrapped().descriptor(); }
  void set_allocation_end(MemoryType type, std::uint64_t end) override;
  void close() override;

 private:
  void do_write(std::span<const WriteExtent> extents) override;
  /// Declined: independent requests reach the copy, too.
  bool do_read_collective(std::span<const ReadExtent>) const override { return false; }
  bool do_write_collective(std::span<const WriteExtent>) override { return false; }
  void do_truncate(std::uint64_t bytes) override;
  void do_truncate_to_allocation() override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;
  bool do_ctl(const CtlCall& call) override;
  /// Runs `work` on the copy. *Throws* its Error unless faults are ignored.
  template <class Work>
  void repeat(const char* doing, Work work);

  const std::unique_ptr<VirtualFile> copy_;
  const CopyFaults faults_;
};

}  // namespace filigree::io
