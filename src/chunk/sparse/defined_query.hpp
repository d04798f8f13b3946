// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a sparse dataset are defined.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/selected_reader.hpp"
#include "chunk/sparse/stripe_decoder.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// *Thread safety*: any number of threads, under the shared lock.
class DefinedQuery {
 public:
  /// *Throws* Error(unsupported) for chunks that define all elements.
  explicit DefinedQuery(const ChunkTable& table) : table_(table), decoder_(table) {}

  /// The selected elements that are defined. Only section 0 of sparse chunks is read.
  space::Selection find(const space::Selection& selection) const;

  /// The number of selected elements that are defined. Chunks that are selected completely are counted by
  /// what the index says: nothing is read of them. An element that a foreign writer listed twice counts
  /// twice there.
  std::uint64_t count(const space::Selection& selection) const;

  /// The number of chunks in the file that HDF5 has stored; see Envelope::is_from_hdf5(). Chunks that were
  /// changed since do not count. Only the envelopes are read.
  std::uint64_t count_chunks_from_hdf5() const;

  /// The defined elements, as find(), with their values in one pass. Empty, having done nothing, if values
  /// are better read by a second call, for what find() returns: for selections of very many runs, and for few
  /// unfiltered values of large chunks. *Requires*: elements of a fixed size, and a conversion that several
  /// threads may use. `check_plausible` gets lower bounds of the number of elements on the way, and may
  /// throw; `allocate` returns memory for the values of all elements.
  std::optional<space::Selection> read(const space::Selection& selection, const Values& values,
                                       FunctionRef<void(std::uint64_t)> check_plausible,
                                       FunctionRef<std::byte*(std::uint64_t)> allocate) const;

 private:
  std::vector<Stripe> find_stripes(std::span<CandidateChunk> candidates, const space::Bounds* box,
                                   const Values* values,
                                   FunctionRef<void(std::uint64_t)> check_plausible) const;
  space::Selection concatenate(std::span<const Stripe> stripes) const;
  space::Selection concatenate(std::span<const SelectedElements> stripes) const;

  const ChunkTable& table_;
  StripeDecoder decoder_;
};

}  // namespace filigree::chunk
