// SPDX-License-Identifier: Apache-2.0
#include "chunk/cache/prefetcher.hpp"

#include <algorithm>
#include <cstring>

namespace filigree::chunk {
namespace {

constexpr std::uint64_t most_chunks = std::uint64_t{1} << 20;
/// A few reads are no pattern.
constexpr std::uint64_t first_misses = 8;
/// So many chunks are prefetched before their use is measured.
constexpr std::uint64_t trusted = 64;
constexpr std::uint64_t least_used_share = 8;
/// So many waits are averaged.
constexpr std::uint64_t enough_waits = 8;
constexpr std::uint64_t pause_misses = 64;

}  // namespace

void Prefetcher::reset(std::uint64_t chunks) {
  const MutexLock lock(mutex_);
  // Allocated on demand: most datasets are not read in this way.
  states_.clear();
  states_.shrink_to_fit();
  chunks_ = chunks <= most_chunks ? chunks : 0;
  misses_ = prefetched_ = used_ = pause_end_ = waits_ = 0;
  work_ = wait_ = Duration(0);
}

bool Prefetcher::pays() const {
  if (misses_ < std::max(first_misses, pause_end_)) return false;
  return prefetched_ < trusted || used_ * least_used_share >= prefetched_;
}

std::uint64_t Prefetcher::find_untouched(std::uint64_t from, std::uint64_t to) const {
  const void* const found = std::memchr(states_.data() + from, untouched, to - from);
  if (found == nullptr) return chunks_;
  return static_cast<std::uint64_t>(static_cast<const unsigned char*>(found) - states_.data());
}

std::uint64_t Prefetcher::next_untouched(std::uint64_t after) const {
  const std::uint64_t later = find_untouched(after, chunks_);
  return later < chunks_ ? later : find_untouched(0, after);
}

std::vector<std::uint64_t> Prefetcher::choose(std::span<const std::uint64_t> missed, std::size_t most) {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> chosen;
  misses_ += missed.size();
  if (chunks_ == 0 || missed.empty()) return chosen;
  if (states_.empty()) states_.assign(chunks_, untouched);
  for (const std::uint64_t chunk : missed) states_[chunk] = touched;
  if (!pays()) return chosen;
  // One more for every few that were used.
  const std::uint64_t earned = 1 + used_ / least_used_share;
  for (std::uint64_t left = std::min<std::uint64_t>(most, earned); left > 0; --left) {
    const std::uint64_t next = next_untouched(missed.back());
    if (next == chunks_) break;
    states_[next] = prefetched;
    chosen.push_back(next);
  }
  prefetched_ += chosen.size();
  return chosen;
}

void Prefetcher::cancel(std::uint64_t chunk, bool again) {
  const MutexLock lock(mutex_);
  if (chunk >= states_.size() || states_[chunk] != prefetched) return;
  states_[chunk] = again ? untouched : touched;
  --prefetched_;
}

void Prefetcher::note_hits(std::span<const std::uint64_t> chunks) {
  const MutexLock lock(mutex_);
  if (prefetched_ == used_) return;
  for (const std::uint64_t chunk : chunks) {
    if (chunk >= states_.size() || states_[chunk] != prefetched) continue;
    states_[chunk] = touched;
    ++used_;
  }
}

void Prefetcher::note_wait(Duration work, Duration wait) {
  const MutexLock lock(mutex_);
  work_ += work;
  wait_ += wait;
  if (++waits_ < enough_waits) return;
  // The cores may be busy with other programs.
  if (wait_ * 2 > work_) pause_end_ = misses_ + pause_misses;
  work_ = wait_ = Duration(0);
  waits_ = 0;
}

}  // namespace filigree::chunk
