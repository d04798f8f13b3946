// SPDX-License-Identifier: Apache-2.0
#include "chunk/cache/look_ahead.hpp"

#include <algorithm>
#include <cstring>

namespace filigree::chunk {
namespace {

constexpr std::uint64_t most_chunks = std::uint64_t{1} << 20;
/// A few reads tell nothing of those to come.
constexpr std::uint64_t first_misses = 8;
/// So many are brought on trust.
constexpr std::uint64_t trusted = 64;
constexpr std::uint64_t least_used_share = 8;
/// Readers that have waited so often say whether it is worth it.
constexpr std::uint64_t enough_waits = 8;
constexpr std::uint64_t pause_misses = 64;

}  // namespace

void LookAhead::reset(std::uint64_t chunks) {
  const MutexLock lock(mutex_);
  // Made when it is needed: most datasets are not read in this way.
  states_.clear();
  states_.shrink_to_fit();
  chunks_ = chunks <= most_chunks ? chunks : 0;
  misses_ = brought_ = used_ = pause_end_ = waits_ = 0;
  work_ = wait_ = Duration(0);
}

bool LookAhead::pays() const {
  if (misses_ < std::max(first_misses, pause_end_)) return false;
  return brought_ < trusted || used_ * least_used_share >= brought_;
}

std::uint64_t LookAhead::next_untouched(std::uint64_t after) const {
  const auto find = [&](std::uint64_t from, std::uint64_t to) FILIGREE_REQUIRES(mutex_) {
    const void* const found = std::memchr(states_.data() + from, untouched, to - from);
    return found == nullptr
               ? chunks_
               : static_cast<std::uint64_t>(static_cast<const unsigned char*>(found) - states_.data());
  };
  const std::uint64_t behind = find(after, chunks_);
  return behind < chunks_ ? behind : find(0, after);
}

std::vector<std::uint64_t> LookAhead::choose(std::span<const std::uint64_t> missed, std::size_t most) {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> chosen;
  misses_ += missed.size();
  if (chunks_ == 0 || missed.empty()) return chosen;
  if (states_.empty()) states_.assign(chunks_, untouched);
  for (const std::uint64_t chunk : missed) states_[chunk] = touched;
  if (!pays()) return chosen;
  // One more for every few that were of use.
  const std::uint64_t earned = 1 + used_ / least_used_share;
  for (std::uint64_t left = std::min<std::uint64_t>(most, earned); left > 0; --left) {
    const std::uint64_t next = next_untouched(missed.back());
    if (next == chunks_) break;
    states_[next] = brought;
    chosen.push_back(next);
  }
  brought_ += chosen.size();
  return chosen;
}

void LookAhead::give_up(std::uint64_t chunk, bool again) {
  const MutexLock lock(mutex_);
  if (chunk >= states_.size() || states_[chunk] != brought) return;
  states_[chunk] = again ? untouched : touched;
  --brought_;
}

void LookAhead::found(std::span<const std::uint64_t> chunks) {
  const MutexLock lock(mutex_);
  if (brought_ == used_) return;
  for (const std::uint64_t chunk : chunks) {
    if (chunk >= states_.size() || states_[chunk] != brought) continue;
    states_[chunk] = touched;
    ++used_;
  }
}

void LookAhead::took(Duration work, Duration wait) {
  const MutexLock lock(mutex_);
  work_ += work;
  wait_ += wait;
  if (++waits_ < enough_waits) return;
  // Other programs have the cores, perhaps.
  if (wait_ * 2 > work_) pause_end_ = misses_ + pause_misses;
  work_ = wait_ = Duration(0);
  waits_ = 0;
}

}  // namespace filigree::chunk
