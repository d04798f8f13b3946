// SPDX-License-Identifier: Apache-2.0
//
// Portable sparse chunks: the sections of a sparse chunk behind an envelope, in the bytes of an ordinary
// chunk with one filter. HDF5 knows this filter by a plug-in, for which the chunk is dense.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"
#include "chunk/format/sparse_format.hpp"
#include "format/chunk_index/portable_chunk.hpp"

namespace filigree::chunk {

/// Everything but the envelope is done by SparseFormat.
///
/// Other writers may store a chunk without the filter, if a mask says so or at the edge of the extent. Such a
/// chunk is dense. As in chunks that the plug-in encodes, its elements are defined if they differ from the
/// fill value in any bit.
class PortableFormat final : public ChunkFormat, public DefinedElements, public OffsetCodec, public Envelope {
 public:
  /// `filter_partial_edges`: partial edge chunks have the filter. *Throws* Error(corrupt) for parameters that
  /// contradict each other.
  explicit PortableFormat(format::PortableParameters parameters, bool filter_partial_edges = true);

  // For the plug-in: chunks as HDF5 sees them.

  /// Returns so many bytes of memory, which are zero.
  using Allocate = FunctionRef<MutableBytes(std::size_t bytes)>;
  /// Decodes a chunk into memory that is allocated when most of it is known to be sound. *Throws* as
  /// decode().
  void decode_dense(Bytes stored, Allocate allocate) const;
  Buffer decode_dense(Bytes stored) const;
  /// A chunk of the elements that differ from the fill value. *Throws* Error(corrupt) for another size.
  Buffer encode_dense(Bytes dense) const;
  std::uint64_t dense_bytes() const { return dense_bytes_; }

  std::unique_ptr<DecodedChunk> blank() const override { return sparse_.blank(); }
  std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const override {
    return sparse_.copy(decoded);
  }
  std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const override;
  StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const override;
  void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
            const Values& values) const override {
    sparse_.read(decoded, runs, values);
  }
  void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             const Values& values) const override {
    sparse_.write(decoded, runs, values);
  }
  void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const override {
    sparse_.for_each_value(decoded, visit);
  }
  void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const override {
    sparse_.for_each_value(decoded, change);
  }
  void erase(DecodedChunk& decoded, const space::RunSet& elements) const override {
    sparse_.erase(decoded, elements);
  }
  FormatTraits traits(std::uint64_t chunk_bytes) const override;
  const DefinedElements* defined_elements() const override { return this; }
  const OffsetCodec* offset_codec() const override {
    return sparse_.offset_codec() != nullptr ? this : nullptr;
  }

  const Sections* sections() const override { return sparse_.sections(); }
  SectionSize section_size(std::size_t section, Bytes first) const override {
    return sparse_.section_size(section, first);
  }
  const Envelope* envelope() const override { return this; }

  SectionedChunk open(const StoredChunkView& stored) const override;
  StoredChunk close(StoredChunk sections, ChunkEdge edge) const override;
  bool is_from_hdf5(const StoredChunkView& start) const override;

  space::RunSet defined(const DecodedChunk& decoded) const override { return sparse_.defined(decoded); }
  std::uint64_t count(const DecodedChunk& decoded) const override { return sparse_.count(decoded); }
  Bytes values(const DecodedChunk& decoded, Buffer& buffer) const override {
    return sparse_.values(decoded, buffer);
  }
  TakenElements take(const DecodedChunk& decoded, std::span<const space::Run> wanted,
                     bool with_values) const override {
    return sparse_.take(decoded, wanted, with_values);
  }
  bool is_empty(const DecodedChunk& decoded) const override { return sparse_.is_empty(decoded); }
  /// The index does not say where the sections are.
  space::Run defined_part(const StoredChunkInfo&, std::uint64_t stored_bytes) const override {
    return {0, stored_bytes};
  }
  space::Run defined_part_of(const StoredChunkView& start) const override;
  space::RunSet decode_defined(const StoredChunkView& part) const override;
  TakenElements take_defined(const StoredChunkView& part, std::span<const space::Run> wanted) const override;
  std::size_t header_bytes() const override { return format::PortableEnvelope::bytes; }
  std::optional<std::uint64_t> declared_elements(const StoredChunkView& stored) const override;
  bool finds_values(ChunkEdge) const override { return false; }
  StoredValues find_values(const StoredChunkView& part, const space::RunSet& wanted) const override;
  std::unique_ptr<DecodedChunk> assemble(const StoredValues& found, Buffer values) const override {
    return sparse_.assemble(found, std::move(values));
  }

  StoredChunk encode_elements(std::span<const std::uint32_t> offsets, Bytes values,
                              ChunkEdge edge) const override;
  ChunkElements decode_elements(const StoredChunkView& stored) const override;
  ChunkElements list_elements(const DecodedChunk& decoded) const override {
    return sparse_.list_elements(decoded);
  }

 private:
  /// A chunk as a structured one.
  struct Opened : SectionedChunk {
    std::uint64_t defined = 0;
    bool empty = false;
  };
  bool is_stored_dense(const StoredChunkView& stored) const;
  Opened open_chunk(const StoredChunkView& stored) const;
  void check_defined(const Opened& opened, std::uint64_t found) const;
  StoredChunkView defined_view(const Opened& opened) const;
  /// The elements of a dense chunk that are defined.
  ChunkElements find_elements(Bytes dense) const;
  /// The dense chunk of some elements.
  Buffer expand(const ChunkElements& elements) const;
  StoredChunk wrap(StoredChunk sections, std::uint64_t defined, std::uint8_t flags = 0) const;

  Buffer fill_;  ///< one element
  std::uint64_t dense_bytes_;
  bool filter_partial_edges_;
  bool packed_;  ///< section 0 has the packed-selection filter
  SparseFormat sparse_;
};

std::unique_ptr<const ChunkFormat> make_portable_format(FormatSetup setup);

/// Whether chunks have the filter of portable chunks, and no other one.
bool is_portable(const format::PipelineMessage& pipeline);

}  // namespace filigree::chunk
