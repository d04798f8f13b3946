// SPDX-License-Identifier: Apache-2.0
//
// Reads and decodes stored chunks.
#pragma once

#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// *Thread safety*: any number of threads, under the shared lock.
class ChunkLoader {
 public:
  explicit ChunkLoader(const ChunkTable& table, filter::Decoding decoding = {})
      : table_(table), format_(table.format()), decoding_(decoding) {}

  /// Sets PendingRead::decoded of all reads. With `values`, the elements of their pieces are copied out in
  /// the same step, while the chunk is in the cache of its core.
  void load(std::span<PendingRead> reads, const Values* values) const;
  /// As load(), for the few chunks of a small read. Idle cores decode chunks meanwhile that are likely to be
  /// read next (see Prefetcher), and put them into the cache.
  void load_and_prefetch(std::span<PendingRead> reads, const Values* values) const;

 private:
  void load_batch(std::span<PendingRead> reads, const Values* values, bool parallel) const;
  /// Chunks that are worth decoding besides the requested ones.
  std::vector<PendingRead> choose_prefetch(std::span<const PendingRead> reads) const;
  void keep_prefetched(std::span<PendingRead> prefetched, Prefetcher::Duration work,
                       Prefetcher::Duration wait) const;

  const ChunkTable& table_;
  const ChunkFormat& format_;
  const filter::Decoding decoding_;
};

}  // namespace filigree::chunk
