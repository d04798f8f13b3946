// SPDX-License-Identifier: Apache-2.0
//
// Prefetches the first bytes of a file with high latency when it is opened.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

/// A driver that reads gaps of at least this size, rather than skip them, has high latency.
inline constexpr std::uint64_t high_latency_gap_bytes = 256u << 10;

/// Whether a round trip takes long but many requests may be in flight, so that few large batches are best.
inline bool is_high_latency(const DriverCapabilities& can) {
  return can.concurrent && can.coalescing.read_gap_bytes >= high_latency_gap_bytes;
}

/// Superblock, superblock extension and often the root group are stored at the start of a file. One prefetch
/// replaces a round trip for each. *Invalidates*: the first change of the file drops the prefetched bytes.
class PrefetchedHeaderFile : public PassThroughFile {
 public:
  PrefetchedHeaderFile(std::unique_ptr<VirtualFile> file, std::uint64_t bytes);

  /// Wraps `file` if it has high latency; otherwise returns it unchanged.
  static std::unique_ptr<VirtualFile> wrap(std::unique_ptr<VirtualFile> file);

 private:
  /// Copies extents that were prefetched; returns the others.
  std::vector<ReadExtent> copy_prefetched(std::span<const ReadExtent> extents) const;

  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent> extents) const override;
  std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent> extents) override;
  bool do_write_collective(std::span<const WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_truncate_to_allocation() override;

  Buffer header_;
  std::atomic<bool> valid_ = true;
};

}  // namespace filigree::io
