// SPDX-License-Identifier: Apache-2.0
//
// A block of raw data for small reads, like HDF5's sieve buffer.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"

namespace filigree::store {

/// The bytes around the last small reads of raw data, so that reading the next small dataset costs no system
/// call.
///
/// 1. A read within the block is a copy.
/// 2. The first read elsewhere bypasses the block. Only if the next one is near it, the bytes around both
///    become the block. So scattered reads never read more than they need.
/// 3. A write of bytes within the block changes them there, too.
/// 4. Loading is not serialised with writes. A block is kept only if nothing was written since its loading
///    began, because it might have the bytes of before. Each time that it was not kept, twice as many reads
///    bypass it.
///
/// *Thread safety*: all functions may be called from any number of threads.
class RawBlock {
 public:
  /// A block of `bytes`; 0 keeps nothing.
  explicit RawBlock(std::size_t bytes) : capacity_(bytes) {}

  /// Fills `into` from file offset `offset`. `load` reads the file from an offset into a buffer. `end` is the
  /// end of the bytes that the file holds. *Requires* that `into` ends there or before.
  void read(std::uint64_t offset, MutableBytes into, std::uint64_t end,
            FunctionRef<void(std::uint64_t, MutableBytes)> load);
  /// Returns the largest read that the block serves. A larger one would replace it for nothing.
  std::size_t most_bytes() const { return capacity_ / 4; }

  /// Notes that `bytes` were written at `offset`.
  void write(std::uint64_t offset, Bytes bytes);
  /// Notes that bytes have changed, to what is not known.
  void invalidate(std::uint64_t offset, std::uint64_t bytes);

 private:
  bool find(std::uint64_t offset, MutableBytes into) FILIGREE_REQUIRES(mutex_);

  const std::size_t capacity_;
  /// Counts writes. A writer counts and then looks at held_; a reader that has loaded a block sets held_ and
  /// then compares the count. So one of the two notices the other, and writers need no mutex without a block.
  std::atomic<std::uint64_t> writes_ = 0;
  std::atomic<bool> held_ = false;  ///< whether block_ has bytes
  Mutex mutex_;
  std::uint64_t start_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< file offset of the block
  Buffer block_ FILIGREE_GUARDED_BY(mutex_);
  std::uint64_t missed_ FILIGREE_GUARDED_BY(mutex_) = ~std::uint64_t{0};  ///< the last read elsewhere
  /// The number of reads that bypass the block, after it was last not kept, and those of them that are to
  /// come.
  unsigned bypasses_ FILIGREE_GUARDED_BY(mutex_) = 0;
  unsigned bypasses_left_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::store
