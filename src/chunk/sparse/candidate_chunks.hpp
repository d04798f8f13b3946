// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a sparse dataset whose defined elements are wanted: found in cache and index, grouped into
// stripes, read from the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "base/short_list.hpp"
#include "chunk/table/chunk_table.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// A chunk that exists and may define elements of a selection.
struct CandidateChunk {
  std::uint64_t chunk = 0;
  ShortList<std::uint64_t, 4> at{};  ///< coordinates in the grid
  index::ChunkLocation location{};   ///< where it is not cached
  DecodedChunkPointer decoded{};     ///< where it is cached
  Bytes bytes{};                     ///< what was read of it, while its stripe is processed
  std::vector<space::Run> wanted{};  ///< what SelectionCutter found in it
  bool is_skipped = false;           ///< nothing is read of it

  /// Estimated memory, decoded.
  std::uint64_t memory_bytes() const;
};

/// Candidates of one stripe (see StripeGrid), and the elements that were found in them.
struct Stripe {
  std::span<CandidateChunk> chunks;
  space::RunSet offsets{};  ///< linear offsets of the defined elements in the extent
  Buffer values{};          ///< by ascending offset, in the type in memory

  std::uint64_t memory_bytes() const;
};

/// Finds the chunks that exist in the bounds of a selection, by ascending number. Few chunks are looked up
/// in the cache first; for many the index is iterated.
std::vector<CandidateChunk> find_candidates(const ChunkTable& table, const space::Selection& selection);

/// Reads the headers that declared_elements() needs, by one request. *Invalidates*: the bytes of the
/// candidates refer to the result.
Buffer fetch_headers(const ChunkTable& table, std::span<CandidateChunk> candidates);
/// An upper bound of the elements that a chunk defines; empty if what it declares is not plausible.
std::optional<std::uint64_t> declared_elements(const ChunkTable& table, const CandidateChunk& one);
/// The same, or what the stored bytes let expect where nothing is known without a read.
std::uint64_t estimated_elements(const ChunkTable& table, const CandidateChunk& one);

/// *Requires*: chunks by ascending number. *Invalidates*: the stripes refer to them.
std::vector<Stripe> make_stripes(const ChunkTable& table, std::span<CandidateChunk> chunks);

/// What is read of a chunk that is not cached.
enum class FetchedPart { everything, defined_part };

/// What is done with stripes, on any thread unless it says otherwise.
struct StripeSteps {
  FunctionRef<void(Stripe&)> prepare;  ///< before the stripe is read; may set CandidateChunk::is_skipped
  FunctionRef<void(Stripe&)> work;     ///< while the bytes of the stripe are in memory
  FunctionRef<void(std::span<const Stripe>)>
      then;  ///< for finished stripes, in order, by the caller's thread
};
/// Fetches stripes, a limited number of bytes at a time: one request for each batch of stripes, batches on
/// all cores. Chunks with a header may take a second request.
void for_each_fetched(const ChunkTable& table, std::span<Stripe> stripes, FetchedPart part,
                      const StripeSteps& steps);

/// Whether values can be read without the rest of their chunk.
inline bool finds_values(const DefinedElements& defined) {
  return defined.finds_values(ChunkEdge::full) || defined.finds_values(ChunkEdge::partial);
}

/// The capability of the table's format. *Throws* Error(unsupported) for chunks that define all elements.
const DefinedElements& require_defined_elements(const ChunkTable& table);

}  // namespace filigree::chunk
