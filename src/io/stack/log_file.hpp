// SPDX-License-Identifier: Apache-2.0
//
// A driver that forwards all requests, and logs them with the time they take.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string_view>

#include "base/mutex.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

enum class LogFormat {
  counters,    ///< counters without lines
  text,        ///< "read 2 extents, 8192 bytes at 0 (raw data 2) in 12.3 us"
  json_lines,  ///< one JSON object per line
};

/// Counts all requests. A request has one or more extents. Requests are merged above this driver, so runs of
/// contiguous extents are what a driver without vector I/O would do one by one.
struct LogCounters {
  struct Direction {
    std::uint64_t requests = 0, extents = 0, bytes = 0, failures = 0;
    /// Runs of contiguous extents: the least number of system calls.
    std::uint64_t runs = 0;
    std::uint64_t smallest = 0, largest = 0;  ///< bytes of an extent
    std::array<std::uint64_t, memory_types> extents_of_type{};
    std::chrono::nanoseconds time{0}, slowest{0};  ///< of requests
  };
  Direction reads, writes;
  std::uint64_t truncations = 0, syncs = 0;
};

struct LogOptions {
  LogFormat format = LogFormat::counters;
  /// Receives every line, without its end. *Thread safety*: calls are serialised.
  std::function<void(std::string_view)> sink = {};
};

/// Logs requests of any number of threads; asynchronous ones when they are waited for.
class LogFile : public PassThroughFile {
 public:
  explicit LogFile(std::unique_ptr<VirtualFile> file, LogOptions options = {});
  explicit LogFile(VirtualFile& file, LogOptions options = {});

  LogCounters counters() const;
  void reset();

 private:
  class LoggedRequest;
  /// A request as it was issued.
  struct Entry {
    bool writing = false;
    std::uint64_t offset = 0, bytes = 0, extents = 0, runs = 0, smallest = 0, largest = 0;
    std::array<std::uint64_t, memory_types> of_type{};
    std::chrono::steady_clock::time_point begin{};
  };

  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent> extents) const override;
  std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent> extents) override;
  bool do_read_collective(std::span<const ReadExtent> extents) const override;
  bool do_write_collective(std::span<const WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;

  template <class Extent>
  static Entry entry_of(std::span<const Extent> extents);
  template <class Work>
  void watch(const Entry& entry, Work work) const;
  /// The same for a collective request; one that the driver declines is logged as what it becomes.
  template <class Work>
  bool watch_collective(const Entry& entry, Work work) const;
  void record(const Entry& entry, bool failed) const;
  template <class Work>
  void record_other(std::string_view what, std::uint64_t bytes, std::uint64_t LogCounters::*counter,
                    Work work);
  void print(std::string_view line) const;

  const LogOptions options_;
  mutable Mutex mutex_;
  mutable LogCounters counters_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::io
