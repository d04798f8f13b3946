// SPDX-License-Identifier: Apache-2.0
//
// Cuts a selection along the chunks of stripes.
#pragma once

#include <cstdint>
#include <vector>

#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/stripe_grid.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// A run of a selection in one row of one chunk. The runs of a chunk are in CandidateChunk::wanted.
struct SelectedPart {
  std::size_t chunk = 0;       ///< index among the candidates of the stripe
  std::uint64_t distance = 0;  ///< from offsets in the chunk to offsets in the extent, modulo 2^64
};

/// *Thread safety*: any number of threads, each with its own stripe.
class SelectionCutter {
 public:
  /// `selected` are offsets in the extent.
  SelectionCutter(const ChunkTable& table, space::RunSet selected)
      : grid_(table.grid()), selected_(std::move(selected)) {}

  /// Sets CandidateChunk::wanted and is_skipped for the chunks of a stripe. Returns the parts of the
  /// selection in the stripe, in row-major order; those in chunks that are no candidates are omitted.
  std::vector<SelectedPart> cut(Stripe& stripe) const;

  /// An upper bound of the number of parts in all stripes.
  static std::uint64_t most_parts(const ChunkTable& table, std::uint64_t runs, std::uint64_t elements);

 private:
  StripeGrid grid_;
  space::RunSet selected_;
};

}  // namespace filigree::chunk
