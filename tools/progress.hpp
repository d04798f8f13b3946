// SPDX-License-Identifier: Apache-2.0
//
// Progress of long commands, on standard error.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace filigree::tools {

/// Returns "45 %, 120 MB/s, 0:12 left" for `done` of `total` bytes after so many seconds.
std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds);

/// Shows the progress of a command in a line of standard error, if that is a terminal and the command takes
/// more than two seconds. The line is removed in the end.
class Progress {
 public:
  /// `done` returns the number of bytes that are done of `total`; another thread calls it.
  Progress(std::string what, std::uint64_t total, std::function<std::uint64_t()> done);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show(std::string what, std::uint64_t total, const std::function<std::uint64_t()>& done);

  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace filigree::tools
