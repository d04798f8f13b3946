// SPDX-License-Identifier: Apache-2.0
//
// Sparse chunks, which hold only the elements that were written: section 0 is the selection of the defined
// elements, section 1 their values in row-major order. Types with parts of variable length have a section 2,
// the heap that descriptors among the values refer to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/sections.hpp"
#include "filter/packed_selection/offset_blocks.hpp"
#include "space/encoding.hpp"
#include "space/frame.hpp"

namespace filigree::filter {
struct PackedRuns;
}

namespace filigree::chunk {

class SparseDecodedChunk;
struct CompactElements;

/// The constant properties of sparse chunks of one dataset.
struct SparseShape {
  space::Frame chunk;
  std::size_t element_bytes = 0;
  std::shared_ptr<const VariableLayout> variable{};  ///< null for elements of a fixed size
  bool heap_set = false;                             ///< the heap section is a set of global heap collections
  Buffer fill;                       ///< one element, as undefined ones are read; empty: zeros
  Buffer fill_heap;                  ///< the heap that descriptors in `fill` refer to
  bool filter_partial_edges = true;  ///< partial edge chunks are filtered like the others
  /// How section 0 is encoded, unless the chunk became more than 64 bytes larger than a dense one: then the
  /// smallest encoding is taken.
  space::DefinedEncoding form = space::DefinedEncoding::standard;
  /// The only filter of section 0 is the packed-selection filter: its bytes are read as runs directly.
  bool selection_packed = false;
  /// A section 0 of more bytes than encode() ever writes is refused, so that a few bytes cannot inflate to
  /// many times a dense chunk. *Requires*: chunks of less than 2^32 elements.
  bool refuses_longer_selections = false;
  /// Chunks of fewer elements are decoded to run sets, which are faster to merge; at least 1.
  std::uint64_t least_compact_elements = 8192;
};

class SparseFormat final : public ChunkFormat, public DefinedElements, public OffsetCodec {
 public:
  /// *Requires*: a rule for each of the two or three sections; the first one has a checksum. *Throws*
  /// Error(corrupt) otherwise.
  SparseFormat(SparseShape shape, std::vector<SectionRule> rules);

  std::unique_ptr<DecodedChunk> blank() const override;
  std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const override;
  std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const override;
  /// An empty chunk has an encoding too, but chunks that define nothing do not belong into files.
  StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const override;
  void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  /// Defines the written elements, whatever their value. When a conversion throws, elements that it did not
  /// reach have the fill value.
  void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             const Values& values) const override;
  void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const override;
  void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const override;
  void erase(DecodedChunk& decoded, const space::RunSet& elements) const override;
  FormatTraits traits(std::uint64_t chunk_bytes) const override {
    // Decoded sparse chunks are mostly far smaller than dense ones.
    return {false, sections_.filtered() && !shape_.filter_partial_edges,
            std::min<std::uint64_t>(chunk_bytes, 64u << 10)};
  }
  const DefinedElements* defined_elements() const override { return this; }
  const OffsetCodec* offset_codec() const override {
    return !shape_.variable && shape_.chunk.elements() >> 32 == 0 ? this : nullptr;
  }
  const Sections* sections() const override { return &sections_; }
  SectionSize section_size(std::size_t section, Bytes first) const override;

  space::RunSet defined(const DecodedChunk& decoded) const override;
  std::uint64_t count(const DecodedChunk& decoded) const override;
  Bytes values(const DecodedChunk& decoded, Buffer& buffer) const override;
  TakenElements take(const DecodedChunk& decoded, std::span<const space::Run> wanted,
                     bool with_values) const override;
  bool is_empty(const DecodedChunk& decoded) const override;
  space::Run defined_part(const StoredChunkInfo& info, std::uint64_t stored_bytes) const override;
  space::RunSet decode_defined(const StoredChunkView& part) const override;
  TakenElements take_defined(const StoredChunkView& part, std::span<const space::Run> wanted) const override;
  std::optional<std::uint64_t> declared_elements(const StoredChunkView& stored) const override;
  bool finds_values(ChunkEdge edge) const override {
    return !shape_.variable && !sections_.filters(values_section, edge);
  }
  StoredValues find_values(const StoredChunkView& part, const space::RunSet& wanted) const override;
  std::unique_ptr<DecodedChunk> assemble(const StoredValues& found, Buffer values) const override;

  StoredChunk encode_elements(std::span<const std::uint32_t> offsets, Bytes values,
                              ChunkEdge edge) const override;
  ChunkElements decode_elements(const StoredChunkView& stored) const override;
  ChunkElements list_elements(const DecodedChunk& decoded) const override;

 private:
  static constexpr std::size_t selection_section = 0;
  static constexpr std::size_t values_section = 1;
  static constexpr std::size_t heap_section = 2;

  /// The decoded section 0.
  struct Described {
    space::RunSet elements;
    /// Ordinals of the elements' values among the stored ones; empty: in the order of the elements.
    std::vector<std::uint64_t> ordinals;
    std::uint64_t value_bytes = 0;  ///< of section 1; more than the elements need where points are repeated
  };
  Described describe(const StoredChunkView& part) const;
  /// Whether section 0 was encoded by the packed-selection filter alone.
  bool is_packed(const StoredChunkInfo& info, ChunkEdge edge) const;
  std::optional<space::Selection> unpack_selection(const StoredChunkView& part) const;
  /// Decodes section 0 as blocks of offsets; empty where runs are better, or the only way.
  std::optional<filter::OffsetBlocks> unpack_blocks(const StoredChunkView& part) const;
  std::unique_ptr<DecodedChunk> decode_compact(const StoredChunkView& stored) const;
  /// Whether blocks of offsets take less memory than these runs.
  bool is_better_compact(const space::RunSet& elements) const;
  std::unique_ptr<DecodedChunk> make_compact(filter::OffsetBlocks offsets, Buffer values) const;
  space::Selection decode_selection(const StoredChunkView& part, std::uint64_t values) const;
  Buffer encode_selection(const SparseDecodedChunk& decoded) const;
  /// Whether section 0 is encoded straight from a set of so many runs.
  bool packs_runs(std::size_t runs, ChunkEdge edge) const;
  /// Whether an encoded section 0 is smaller than before, and decoders accept it.
  bool is_worth_packing(const filter::PackedRuns& packed) const;
  std::optional<Sections::Packed> pack_selection(const SparseDecodedChunk& decoded, ChunkEdge edge) const;
  Buffer decode_values(const StoredChunkView& stored, const Described& described) const;
  void fill_values(SparseDecodedChunk& decoded, const space::RunSet& elements) const;
  void write_values(SparseDecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                    const Values& values) const;
  /// Writes few elements to a chunk of many: they are collected in the chunk. Returns false, having done
  /// nothing, for other writes.
  bool append_values(SparseDecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                     const Values& values) const;
  void read_compact(const CompactElements& elements, std::span<const space::ChunkRun> runs,
                    const Values& values) const;
  /// `undefined` is as `values`, for the fill value.
  void read_values(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs, const Values& values,
                   const Values& undefined) const;
  void read_undefined(std::byte* memory, std::uint64_t count, const Values& values) const;

  SparseShape shape_;
  Sections sections_;
  std::uint64_t dense_bytes_;                   ///< of a dense chunk; the largest number if that overflows
  std::uint64_t most_written_selection_bytes_;  ///< of section 0 before its filters, without the checksum
  std::uint64_t most_selection_bytes_;          ///< the same, of what is decoded
  Buffer fill_block_;                           ///< contiguous fill values
};

std::unique_ptr<const ChunkFormat> make_sparse_format(FormatSetup setup);

}  // namespace filigree::chunk
