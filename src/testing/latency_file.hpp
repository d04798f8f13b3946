// SPDX-License-Identifier: Apache-2.0
//
// A file that is far away: every operation takes a fixed time, and a number of them may be under way at once.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "testing/pass_through_file.hpp"

namespace filigree::testing {

struct LatencyOptions {
  std::chrono::nanoseconds delay = std::chrono::milliseconds(20);
  std::size_t depth = 64;  ///< operations under way at once
  bool sleep = true;       ///< otherwise the time is only counted
  /// What it declares; none: what the file behind does. A file that is far away reads large gaps.
  std::optional<io::CoalescingLimits> coalescing = std::nullopt;
};

/// An operation is a run of extents that follow one another, a truncation or a sync. Data moves when a
/// request is awaited.
class LatencyFile : public PassThroughFile {
 public:
  LatencyFile(std::unique_ptr<io::VirtualFile> file, const LatencyOptions& options);
  LatencyFile(io::VirtualFile& file, const LatencyOptions& options);

  /// Time that callers have waited, in delays. Of one calling thread: the round trips one after another.
  double round_trips() const;
  void reset();

  const io::Capabilities& capabilities() const override { return capabilities_; }

 private:
  template <class Extent>
  class Delayed;
  using Time = std::chrono::nanoseconds;

  void do_read(std::span<const io::ReadExtent> extents) const override;
  void do_write(std::span<const io::WriteExtent> extents) override;
  std::unique_ptr<io::Pending> do_start_read(std::span<const io::ReadExtent> extents) const override;
  std::unique_ptr<io::Pending> do_start_write(std::span<const io::WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;

  Time now() const;
  /// When that many operations, begun now, have all ended.
  Time begin(std::size_t operations) const;
  void wait_until(Time end) const;

  const LatencyOptions options_;
  io::Capabilities capabilities_;
  mutable std::mutex mutex_;
  mutable std::vector<Time> free_at_;  ///< of every operation that can be under way
  mutable Time counted_{0};            ///< where no time passes
  mutable Time waited_{0};
};

}  // namespace filigree::testing
