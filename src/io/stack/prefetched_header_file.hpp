// SPDX-License-Identifier: Apache-2.0
//
// The first bytes of a file that is far away, read at once when it is opened.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

/// Files whose driver would rather read gaps of so many bytes than skip them are far away.
inline constexpr std::uint64_t high_latency_gap_bytes = 256u << 10;

/// Whether answers take long and many requests may be under way: it is best to ask for all there is at once.
inline bool is_high_latency(const Capabilities& can) {
  return can.concurrent && can.coalescing.read_gap_bytes >= high_latency_gap_bytes;
}

/// Superblock, its extension and often the root group stand at the start of a file; with a request each,
/// opening would be one round trip after another. The bytes are forgotten with the first change.
class PrefetchedHeaderFile : public PassThroughFile {
 public:
  PrefetchedHeaderFile(std::unique_ptr<VirtualFile> file, std::uint64_t bytes);

  /// `file`, or where that is worth it with its head in memory.
  static std::unique_ptr<VirtualFile> wrap(std::unique_ptr<VirtualFile> file);

 private:
  /// Copies what is in the head; returns the others.
  std::vector<ReadExtent> copy_prefetched(std::span<const ReadExtent> extents) const;

  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent> extents) const override;
  std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_truncate_to_allocation() override;

  Buffer header_;
  std::atomic<bool> valid_ = true;
};

}  // namespace filigree::io
