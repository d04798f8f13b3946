// SPDX-License-Identifier: Apache-2.0
//
// What the stream tells while it runs, and at its end.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "options.hpp"

namespace lightsource {

/// Adds up the time of what it runs.
class Clock {
 public:
  template <class Work>
  void run(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    std::forward<Work>(work)();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

/// A bar on the terminal, and nothing where there is none.
class Progress {
 public:
  Progress(std::string what, std::uint64_t all) : what_(std::move(what)), all_(all) { show(0); }
  ~Progress() {
    if (terminal_) std::fprintf(stderr, "\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(std::uint64_t done) {
    constexpr std::uint64_t width = 40;
    if (!terminal_ || (done > 0 && done * width / all_ == shown_)) return;
    shown_ = done * width / all_;
    std::fprintf(stderr, "\r%-28s [%s%s]", what_.c_str(), std::string(shown_, '#').c_str(),
                 std::string(width - shown_, ' ').c_str());
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::string what_;
  std::uint64_t all_;
  std::uint64_t shown_ = 0;
};

/// What became of the frames of one kind.
struct Result {
  std::string name;
  std::uint64_t frames = 0, dense_bytes = 0;
  std::uint64_t defined = 0;     ///< pixels
  std::uint64_t bytes = 0;       ///< by which the file grew, with all that leads to the chunks
  double written = 0, read = 0;  ///< seconds
};

/// What the other program tells of each kind. Empty when there is none; throws std::runtime_error when it
/// fails.
std::vector<Result> run_reference(const Options& options);

void print_results(const std::vector<Result>& results, const std::vector<Result>& reference,
                   const Options& options);

}  // namespace lightsource
