// SPDX-License-Identifier: Apache-2.0
//
// Which chunks to decode before anybody asks for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

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
  bool pays() const;
  std::uint64_t next_untouched(std::uint64_t after) const;

  mutable std::mutex mutex_;
  std::uint64_t chunks_ = 0;
  std::vector<unsigned char> states_;  ///< by chunk
  std::uint64_t misses_ = 0;
  std::uint64_t brought_ = 0;
  std::uint64_t used_ = 0;       ///< of them
  std::uint64_t pause_end_ = 0;  ///< in misses
  Duration work_{0}, wait_{0};   ///< since the last pause
  std::uint64_t waits_ = 0;
};

}  // namespace filigree::chunk
