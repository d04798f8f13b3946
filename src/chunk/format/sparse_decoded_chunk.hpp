// SPDX-License-Identifier: Apache-2.0
//
// A decoded sparse chunk: the set of defined elements, and their values without gaps. All costs depend on the
// number of defined elements, none on the volume of the chunk. Only SparseFormat includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "chunk/format/chunk_format.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/ordinal_set.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

class SparseDecodedChunk final : public DecodedChunk {
 public:
  explicit SparseDecodedChunk(std::size_t element_bytes) : element_bytes_(element_bytes) {}
  /// *Requires*: as many values as elements.
  SparseDecodedChunk(std::size_t element_bytes, space::RunSet defined, Buffer values);
  SparseDecodedChunk(const SparseDecodedChunk&) = default;

  std::size_t memory_bytes() const override;
  const OrdinalSet& ordinals() const { return defined_; }
  const space::RunSet& defined() const { return defined_.set(); }
  const Buffer& values() const { return values_; }
  std::byte* value(std::uint64_t ordinal) { return values_.data() + ordinal * element_bytes_; }
  const std::byte* value(std::uint64_t ordinal) const { return values_.data() + ordinal * element_bytes_; }

  /// Replaces all elements. *Requires*: as many values as elements.
  void set_elements(space::RunSet defined, Buffer values);
  /// Whether all elements of the runs are defined.
  bool covers(std::span<const space::ChunkRun> runs) const;
  /// Adds elements with unspecified values. *Requires*: none of them is defined yet.
  void define(const space::RunSet& fresh);
  void erase(const space::RunSet& elements);

  /// The heap that descriptors among the values refer to. Unreferenced payloads stay until set_cells().
  Buffer& heap() { return heap_; }
  const Buffer& heap() const { return heap_; }
  /// Replaces values and heap, for the same elements.
  void set_cells(VariableCells cells);
  /// Bytes of the heap when it was last set.
  std::size_t compact_heap_bytes() const { return compact_heap_bytes_; }

 private:
  std::size_t element_bytes_;
  OrdinalSet defined_;
  Buffer values_;
  Buffer heap_;
  std::size_t compact_heap_bytes_ = 0;
};

/// Returns a decoded chunk as that of the sparse format. *Requires*: the sparse format has made it.
inline const SparseDecodedChunk& sparse(const DecodedChunk& decoded) {
  return static_cast<const SparseDecodedChunk&>(decoded);
}
inline SparseDecodedChunk& sparse(DecodedChunk& decoded) { return static_cast<SparseDecodedChunk&>(decoded); }

}  // namespace filigree::chunk
