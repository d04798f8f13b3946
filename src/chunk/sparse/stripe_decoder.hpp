// SPDX-License-Identifier: Apache-2.0
//
// The defined elements of a stripe, in the row-major order of the extent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chunk/sparse/candidate_chunks.hpp"

namespace filigree::chunk {

/// Decodes the chunks of a stripe and merges their elements.
///
/// *Thread safety*: any number of threads, each with its own stripe, under the shared lock.
class StripeDecoder {
 public:
  /// *Throws* Error(unsupported) for chunks that define all elements.
  explicit StripeDecoder(const ChunkTable& table)
      : table_(table), defined_(require_defined_elements(table)) {}

  /// Sets offsets, and with `values` also the values, of the elements that the stripe defines in `box` of
  /// the extent; null: everywhere. Chunks that are decoded for a part of the extent are put into the cache.
  /// *Requires*: the stripe was fetched, everything with `values`, otherwise the defined part.
  void decode(Stripe& stripe, const space::Bounds* box, const Values* values) const;

 private:
  /// What one chunk of the stripe defines.
  struct ChunkHits {
    space::RunSet elements{};         ///< offsets within the chunk
    std::uint64_t first_ordinal = 0;  ///< of its first value among those of all chunks
  };

  void append_values(const DecodedChunk& decoded, const space::RunSet& all, const space::RunSet& part,
                     const Values& values, Buffer& found) const;
  void merge_runs(Stripe& stripe, std::span<const ChunkHits> hits, Bytes values,
                  std::size_t element_bytes) const;
  void merge_rows(Stripe& stripe, std::span<const ChunkHits> hits, Bytes values,
                  std::size_t element_bytes) const;

  const ChunkTable& table_;
  const DefinedElements& defined_;
};

}  // namespace filigree::chunk
