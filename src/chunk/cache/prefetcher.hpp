// SPDX-License-Identifier: Apache-2.0
//
// Chooses chunks that are decoded before they are read.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/mutex.hpp"

namespace filigree::chunk {

/// For many small reads of one dataset, each of which misses few chunks, while other cores are idle. Like the
/// read-ahead of an operating system it begins after some misses, chooses more chunks the more of them are
/// used, and pauses when few are used or when readers have to wait. It chooses no chunk twice.
///
/// *Thread safety*: all functions.
class Prefetcher {
 public:
  using Duration = std::chrono::nanoseconds;

  /// `chunks` of the dataset; above a limit nothing is prefetched. reset() forgets all reads.
  explicit Prefetcher(std::uint64_t chunks) { reset(chunks); }
  void reset(std::uint64_t chunks);

  /// Chooses at most `most` chunks to prefetch besides those that a small read misses, the following ones
  /// first. They count as prefetched unless cancel() is called.
  std::vector<std::uint64_t> choose(std::span<const std::uint64_t> missed, std::size_t most);
  /// A chosen chunk was not prefetched. `again`: it may be chosen another time.
  void cancel(std::uint64_t chunk, bool again);
  /// Records reads that found all chunks in the cache.
  void note_hits(std::span<const std::uint64_t> chunks);
  /// Records how long a reader worked, and how long it waited for prefetched chunks.
  void note_wait(Duration work, Duration wait);

 private:
  enum State : unsigned char { untouched, touched, prefetched };

  bool pays() const FILIGREE_REQUIRES(mutex_);
  /// The first untouched chunk in a range, or chunks_.
  std::uint64_t find_untouched(std::uint64_t from, std::uint64_t to) const FILIGREE_REQUIRES(mutex_);
  std::uint64_t next_untouched(std::uint64_t after) const FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::uint64_t chunks_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::vector<unsigned char> states_ FILIGREE_GUARDED_BY(mutex_);  ///< by chunk
  std::uint64_t misses_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t prefetched_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t used_ FILIGREE_GUARDED_BY(mutex_) = 0;       ///< of them
  std::uint64_t pause_end_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< in misses
  Duration work_ FILIGREE_GUARDED_BY(mutex_){0};             ///< since the last pause
  Duration wait_ FILIGREE_GUARDED_BY(mutex_){0};             ///< since the last pause
  std::uint64_t waits_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::chunk
