// SPDX-License-Identifier: Apache-2.0
//
// Small writes of raw data, gathered to larger ones.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"

namespace filigree::store {

/// The bytes of small writes that are adjacent in the file. The data of small new datasets are adjacent, so
/// that many of them cost one system call.
///
/// 1. A write that continues the gathered bytes, or lies within them, is a copy.
/// 2. Any other one writes the gathered bytes to the file first, and then starts anew.
/// 3. Gathered bytes count as written. Whoever reads or writes the file there, or asks where it ends, calls
///    settle() first. So does a flush, before it writes metadata.
/// 4. When writing them fails, they stay gathered, and the next call tries again. The failure is that of the
///    call that needed them to be written.
///
/// *Thread safety*: all functions may be called from any number of threads.
class GatheredWrites {
 public:
  /// Writes bytes at a file offset.
  using Write = FunctionRef<void(std::uint64_t, Bytes)>;

  /// Gathers up to `bytes`; 0 gathers nothing.
  explicit GatheredWrites(std::size_t bytes) : capacity_(bytes) {}

  /// Returns the largest write that is worth a copy.
  std::size_t most_bytes() const { return capacity_ / 8; }

  /// Adds a write of `bytes` at `offset`. `file_end` is the end of the file. *Requires* at most most_bytes().
  void add(std::uint64_t offset, Bytes bytes, std::uint64_t file_end, Write write);
  /// Fills `into` if all its bytes are gathered. Returns false, having done nothing, otherwise.
  bool find(std::uint64_t offset, MutableBytes into) const;
  /// Writes the gathered bytes if the range has some of them, or bytes that the file only has after that.
  void settle(std::uint64_t offset, std::uint64_t bytes, Write write);
  /// Writes the gathered bytes.
  void settle(Write write);
  /// Whether there are gathered bytes.
  bool any() const { return any_.load(); }

 private:
  void write_all(Write write) FILIGREE_REQUIRES(mutex_);

  const std::size_t capacity_;
  std::atomic<bool> any_ = false;                        ///< whether bytes_ has bytes
  mutable Mutex mutex_;                                  ///< held while the bytes are written
  std::uint64_t start_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< file offset of the bytes
  std::uint64_t from_ FILIGREE_GUARDED_BY(mutex_) = 0;   ///< start_, or the end of a file that ends before
  Buffer bytes_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::store
