// SPDX-License-Identifier: Apache-2.0
//
// Reads the defined ones of selected elements: rows, columns, unions of boxes, points.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/selection_cutter.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// Defined elements of a stripe.
struct SelectedElements {
  std::vector<std::uint64_t> offsets;  ///< linear offsets in the extent, ascending
  Buffer values;                       ///< in the type in memory; empty unless they are wanted
};

/// Each chunk that the selection touches is read and decoded once. Only the elements that are found stay in
/// memory.
///
/// *Thread safety*: any number of threads, under the shared lock.
class SelectedReader {
 public:
  /// *Throws* Error(unsupported) for chunks that define all elements.
  explicit SelectedReader(const ChunkTable& table)
      : table_(table), defined_(require_defined_elements(table)) {}

  /// Returns the elements of all stripes, in order. Empty, having done nothing, if the selection has so many
  /// runs that it is better intersected with all defined elements, or if values of large chunks are better
  /// read by their byte ranges.
  ///
  /// With `values`, their values are read too; *requires* then elements of a fixed size, and a conversion
  /// that several threads may use. `check_plausible` gets lower bounds of the number of elements on the way,
  /// and may throw.
  std::optional<std::vector<SelectedElements>> read(const space::Selection& selection, const Values* values,
                                                    FunctionRef<void(std::uint64_t)> check_plausible) const;

 private:
  bool is_suitable(const space::Selection& selection, std::span<const CandidateChunk> candidates) const;
  /// Whether chunks that are decoded stay in the cache. A read of many chunks is not likely to be repeated.
  bool keeps_chunks(std::span<const CandidateChunk> candidates) const;
  SelectedElements take(Stripe& stripe, std::span<const SelectedPart> parts, const Values* values,
                        bool keeps) const;
  TakenElements take_from(CandidateChunk& one, bool with_values, bool keeps) const;
  Buffer converted(Buffer stored, std::size_t elements, const Values& values) const;

  const ChunkTable& table_;
  const DefinedElements& defined_;
};

}  // namespace filigree::chunk
