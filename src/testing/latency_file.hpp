// SPDX-License-Identifier: Apache-2.0
//
// A high-latency file: every operation takes a fixed time, and a limited number of them may run concurrently.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "testing/pass_through_file.hpp"

namespace filigree::testing {

/// How long operations take.
struct LatencyOptions {
  std::chrono::nanoseconds delay = std::chrono::milliseconds(20);
  std::size_t depth = 64;  ///< operations that may run concurrently
  bool sleep = true;       ///< otherwise the time is only counted
  /// The coalescing that it declares; unset: that of the wrapped file. High-latency files read over large
  /// gaps.
  std::optional<io::CoalescingLimits> coalescing = std::nullopt;
};

/// An operation is a run of adjacent extents, a truncation or a sync. Data is transferred when a request is
/// awaited.
class LatencyFile : public PassThroughFile {
 public:
  LatencyFile(std::unique_ptr<io::VirtualFile> file, const LatencyOptions& options);
  LatencyFile(io::VirtualFile& file, const LatencyOptions& options);

  /// The time that callers have waited, in units of the latency. For a single thread: the number of
  /// sequential round trips.
  double round_trips() const;
  /// Sets the waited time to zero.
  void reset();

  const io::DriverCapabilities& capabilities() const override { return capabilities_; }

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

  /// Returns the clock: that of the system, or the counted time.
  Time now() const;
  /// The time at which `operations` that start now have all ended.
  Time begin(std::size_t operations) const;
  /// Sleeps until the clock has reached `end`, or advances the counted time to it.
  void wait_until(Time end) const;

  const LatencyOptions options_;
  io::DriverCapabilities capabilities_;
  mutable std::mutex mutex_;
  mutable std::vector<Time> free_at_;  ///< for every operation that may run concurrently
  mutable Time counted_{0};            ///< the clock when time is only counted
  mutable Time waited_{0};
};

}  // namespace filigree::testing
