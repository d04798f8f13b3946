// SPDX-License-Identifier: Apache-2.0
#include "testing/latency_file.hpp"

#include <algorithm>
#include <thread>
#include <type_traits>
#include <utility>

namespace filigree::testing {
namespace {

template <class Extent>
std::size_t runs_of(std::span<const Extent> extents) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < extents.size(); ++i)
    runs += i == 0 || extents[i].offset != extents[i - 1].offset + extents[i - 1].memory().size();
  return runs;
}

io::DriverCapabilities concurrent(const io::VirtualFile& file, const LatencyOptions& options) {
  io::DriverCapabilities result = file.capabilities();
  result.concurrent = true;
  if (options.coalescing) result.coalescing = *options.coalescing;
  return result;
}

}  // namespace

LatencyFile::LatencyFile(std::unique_ptr<io::VirtualFile> file, const LatencyOptions& options)
    : PassThroughFile(std::move(file)),
      options_(options),
      capabilities_(concurrent(wrapped(), options)),
      free_at_(std::max<std::size_t>(1, options.depth)) {}

LatencyFile::LatencyFile(io::VirtualFile& file, const LatencyOptions& options)
    : PassThroughFile(file),
      options_(options),
      capabilities_(concurrent(file, options)),
      free_at_(std::max<std::size_t>(1, options.depth)) {}

double LatencyFile::round_trips() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(waited_) / options_.delay;
}

void LatencyFile::reset() {
  const std::lock_guard lock(mutex_);
  waited_ = Time(0);
}

LatencyFile::Time LatencyFile::now() const {
  return options_.sleep ? std::chrono::steady_clock::now().time_since_epoch() : counted_;
}

LatencyFile::Time LatencyFile::begin(std::size_t operations) const {
  const std::lock_guard lock(mutex_);
  Time end = now();
  for (; operations > 0; --operations) {
    Time& slot = *std::min_element(free_at_.begin(), free_at_.end());
    slot = std::max(slot, now()) + options_.delay;
    end = std::max(end, slot);
  }
  return end;
}

void LatencyFile::wait_until(Time end) const {
  std::unique_lock lock(mutex_);
  const Time from = now();
  if (end <= from) return;
  waited_ += end - from;
  counted_ = std::max(counted_, end);
  lock.unlock();
  if (options_.sleep)
    std::this_thread::sleep_until(std::chrono::steady_clock::time_point(
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(end)));
}

template <class Extent>
class LatencyFile::Delayed : public io::Pending {
 public:
  using File =
      std::conditional_t<std::is_same_v<Extent, io::ReadExtent>, const io::VirtualFile, io::VirtualFile>;
  Delayed(const LatencyFile& file, File& behind, std::span<const Extent> extents)
      : file_(file), behind_(behind), extents_(extents), end_(file.begin(runs_of(extents))) {}
  void wait() override {
    file_.wait_until(end_);
    forward(behind_, extents_);
  }

 private:
  const LatencyFile& file_;
  File& behind_;
  const std::span<const Extent> extents_;
  const Time end_;
};

std::unique_ptr<io::Pending> LatencyFile::do_start_read(std::span<const io::ReadExtent> extents) const {
  return std::make_unique<Delayed<io::ReadExtent>>(*this, wrapped(), extents);
}

std::unique_ptr<io::Pending> LatencyFile::do_start_write(std::span<const io::WriteExtent> extents) {
  return std::make_unique<Delayed<io::WriteExtent>>(*this, wrapped(), extents);
}

void LatencyFile::do_read(std::span<const io::ReadExtent> extents) const { do_start_read(extents)->wait(); }

void LatencyFile::do_write(std::span<const io::WriteExtent> extents) { do_start_write(extents)->wait(); }

void LatencyFile::do_truncate(std::uint64_t bytes) {
  wait_until(begin(1));
  forward_truncate(wrapped(), bytes);
}

void LatencyFile::do_sync() {
  wait_until(begin(1));
  wrapped().sync();
}

}  // namespace filigree::testing
