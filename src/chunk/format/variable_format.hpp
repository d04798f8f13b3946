// SPDX-License-Identifier: Apache-2.0
//
// Dense chunks of elements with parts of variable length: section 0 has all elements with their descriptors,
// section 1 the heap with the values that the descriptors refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/sections.hpp"

namespace filigree::chunk {

/// The constant properties of such chunks of one dataset.
struct VariableShape {
  std::uint64_t elements = 0;  ///< of a chunk
  std::shared_ptr<const VariableLayout> layout;
  Buffer fill;                       ///< one element; empty: zeros, which are null values
  Buffer fill_heap;                  ///< the heap that descriptors in `fill` refer to
  bool filter_partial_edges = true;  ///< partial edge chunks are filtered like the others
};

class VariableFormat final : public ChunkFormat {
 public:
  /// *Requires*: a rule for each of the two sections. *Throws* Error(corrupt) for another number,
  /// Error(limit) for a chunk that memory cannot hold.
  VariableFormat(VariableShape shape, std::vector<SectionRule> rules);

  std::unique_ptr<DecodedChunk> blank() const override;
  std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const override;
  std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const override;
  StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const override;
  void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             const Values& values) const override;
  void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const override;
  void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const override;
  void erase(DecodedChunk& decoded, const space::RunSet& elements) const override;
  FormatTraits traits(std::uint64_t chunk_bytes) const override {
    return {false, sections_.filtered() && !shape_.filter_partial_edges, chunk_bytes};
  }
  const Sections* sections() const override { return &sections_; }
  SectionSize section_size(std::size_t section, Bytes /*first*/) const override {
    return section == 0 ? SectionSize{bytes_, true} : SectionSize{most_heap_bytes, false};
  }

 private:
  void fill(MutableBytes elements, Bytes element) const;

  VariableShape shape_;
  Sections sections_;
  std::size_t bytes_;  ///< of the elements
};

std::unique_ptr<const ChunkFormat> make_variable_format(FormatSetup setup);

}  // namespace filigree::chunk
