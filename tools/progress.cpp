// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "text.hpp"

namespace filigree::tools {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds before_first(2);
constexpr std::chrono::milliseconds between(200);

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds) {
  if (total == 0 || seconds <= 0) return "";
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = static_cast<double>(done) / seconds;
  std::string text = fmt::format("{:.0f} %, {}/s", 100 * share, bytes_text(static_cast<std::uint64_t>(rate)));
  if (done == 0 || done >= total) return text;
  const auto left = static_cast<std::uint64_t>(static_cast<double>(total - done) / rate);
  return text + fmt::format(", {}:{:02} left", left / 60, left % 60);
}

Progress::Progress(std::string what, std::uint64_t total, std::function<std::uint64_t()> done) {
  if (isatty(STDERR_FILENO) == 0) return;
  thread_ =
      std::thread([this, what = std::move(what), total, done = std::move(done)] { show(what, total, done); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  thread_.join();
}

void Progress::show(std::string what, std::uint64_t total, const std::function<std::uint64_t()>& done) {
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  const auto is_ended = [this] { return ended_; };
  if (ended_changed_.wait_for(lock, before_first, is_ended)) return;
  do {
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    const std::string line =
        fmt::format("\r\033[K{}: {}", what, progress_text(done(), total, elapsed.count()));
    std::fwrite(line.data(), 1, line.size(), stderr);
  } while (!ended_changed_.wait_for(lock, between, is_ended));
  std::fputs("\r\033[K", stderr);
}

}  // namespace filigree::tools
