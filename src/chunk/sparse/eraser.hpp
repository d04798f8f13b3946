// SPDX-License-Identifier: Apache-2.0
//
// Makes elements of a sparse dataset undefined.
#pragma once

#include <cstdint>
#include <span>

#include "base/function_ref.hpp"
#include "chunk/sparse/candidate_chunks.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// *Requires*: the exclusive lock.
class Eraser {
 public:
  /// *Throws* Error(unsupported) for chunks that define all elements.
  explicit Eraser(ChunkTable& table) : table_(table), defined_(require_defined_elements(table)) {}

  /// Changed chunks are dirty afterwards. A chunk that defines nothing any more is removed from index and
  /// file. The cost depends on the chunks that exist, however large the selection is.
  void erase(const space::Selection& selection);

 private:
  /// Chooses among the defined elements of a chunk.
  using Choose = FunctionRef<space::RunSet(const space::RunSet&)>;

  void erase_box(const space::Bounds& bounds, std::span<const CandidateChunk> chunks);
  void erase_pattern(const space::Slab& slab, std::span<const CandidateChunk> chunks);
  void erase_pieces(const space::Selection& selection, std::span<CandidateChunk> chunks);
  /// `selected`: how many elements of the chunk are selected; 0 if that is unknown.
  void erase_part(const CandidateChunk& one, std::uint64_t selected, Choose choose);

  ChunkTable& table_;
  const DefinedElements& defined_;
};

}  // namespace filigree::chunk
