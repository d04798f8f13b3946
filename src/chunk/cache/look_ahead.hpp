// SPDX-License-Identifier: Apache-2.0
//
// Which chunks to decode before anybody asks for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/mutex.hpp"

namespace filigree::chunk {

/// For many small reads of one dataset, each of which finds few chunks missing, while other cores have
/// nothing to do. As the read-ahead of a system it begins after some misses, brings more at a time the more
/// of it is used, and pauses when little of it is, or when readers have to wait for it. No chunk is brought
/// twice. Thread-safe.
class LookAhead {
 public:
  using Duration = std::chrono::nanoseconds;

  /// Chunks of the dataset; more than are worth an account count as none. What was known is forgotten.
  explicit LookAhead(std::uint64_t chunks) { reset(chunks); }
  void reset(std::uint64_t chunks);

  /// Chunks to bring beside those that a small read misses: at most `most`, those that follow first. They
  /// count as brought unless give_up() says otherwise.
  std::vector<std::uint64_t> choose(std::span<const std::uint64_t> missed, std::size_t most);
  /// A chosen one was not brought after all; it may be chosen again, or not.
  void give_up(std::uint64_t chunk, bool again);
  /// Chunks that were found in the cache.
  void found(std::span<const std::uint64_t> chunks);
  /// How long the reader worked, and how long it waited for the rest.
  void took(Duration work, Duration wait);

 private:
  enum State : unsigned char { untouched, touched, brought };

  // All with mutex_ held.
  bool pays() const FILIGREE_REQUIRES(mutex_);
  std::uint64_t next_untouched(std::uint64_t after) const FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::uint64_t chunks_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::vector<unsigned char> states_ FILIGREE_GUARDED_BY(mutex_);  ///< by chunk
  std::uint64_t misses_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t brought_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::uint64_t used_ FILIGREE_GUARDED_BY(mutex_) = 0;       ///< of them
  std::uint64_t pause_end_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< in misses
  Duration work_ FILIGREE_GUARDED_BY(mutex_){0}, wait_
      FILIGREE_GUARDED_BY(mutex_){0};  ///< since the last pause
  std::uint64_t waits_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::chunk
