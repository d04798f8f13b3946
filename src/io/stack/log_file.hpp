// SPDX-License-Identifier: Apache-2.0
//
// A driver that passes everything on, and tells what was asked and how long it took.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string_view>

#include "base/mutex.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

enum class LogForm {
  counters,    ///< no lines, counters only
  text,        ///< "read 2 extents, 8192 bytes at 0 (raw data 2) in 12.3 us"
  json_lines,  ///< one object a line
};

/// What passed since the beginning. A request carries one or more extents; it was merged before it came here,
/// so extents that do not follow one another in the file are what a driver without vectors would do one by
/// one.
struct LogCounters {
  struct Direction {
    std::uint64_t requests = 0, extents = 0, bytes = 0, failures = 0;
    /// Runs of extents that follow one another: the least number of system calls.
    std::uint64_t runs = 0;
    std::uint64_t smallest = 0, largest = 0;  ///< bytes of an extent
    std::array<std::uint64_t, memory_types> extents_of_type{};
    std::chrono::nanoseconds time{0}, slowest{0};  ///< of requests
  };
  Direction reads, writes;
  std::uint64_t truncations = 0, syncs = 0;
};

struct LogOptions {
  LogForm form = LogForm::counters;
  /// Gets every line, without its end; called by one thread at a time.
  std::function<void(std::string_view)> sink = {};
};

/// Requests of any number of threads. Those that are started and awaited later are told at their end.
class LogFile : public PassThroughFile {
 public:
  explicit LogFile(std::unique_ptr<VirtualFile> file, LogOptions options = {});
  explicit LogFile(VirtualFile& file, LogOptions options = {});

  LogCounters counters() const;
  void reset();

 private:
  class LoggedRequest;
  /// What is known about a request before it is done.
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
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;

  template <class Extent>
  static Entry entry_of(std::span<const Extent> extents);
  template <class Work>
  void watch(const Entry& entry, Work work) const;
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
