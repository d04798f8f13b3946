// SPDX-License-Identifier: Apache-2.0
//
// Chunks that hold every element of their box.
#pragma once

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"
#include "filter/pipeline.hpp"

namespace filigree::chunk {

/// The constant properties of dense chunks of one dataset.
struct DenseShape {
  std::uint64_t elements = 0;  ///< of a chunk
  std::size_t element_bytes = 0;
  Buffer fill;                       ///< one element; empty: zeros
  bool filter_partial_edges = true;  ///< partial edge chunks are filtered like the others
};

class DenseFormat final : public ChunkFormat, public UnfilteredLayout {
 public:
  /// *Requires*: the pipeline was made for chunks of this shape. *Throws* Error(limit) for a chunk that
  /// memory cannot hold.
  DenseFormat(DenseShape shape, filter::Pipeline pipeline);

  std::unique_ptr<DecodedChunk> blank() const override;
  std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const override;
  std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const override;
  StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const override;
  void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
             const Values& values) const override;
  void read_stored(const StoredChunkView& stored, std::span<const space::ChunkRun> runs,
                   const Values& values) const override;
  StoredChunk write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                           ChunkEdge edge) const override;
  void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const override;
  void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const override;
  void erase(DecodedChunk& decoded, const space::RunSet& elements) const override;
  FormatTraits traits(std::uint64_t chunk_bytes) const override;
  const UnfilteredLayout* unfiltered(ChunkEdge edge) const override {
    return is_unfiltered(edge) ? this : nullptr;
  }

  std::unique_ptr<DecodedChunk> make_unread(std::uint64_t stored_bytes, MutableBytes& bytes) const override;
  std::unique_ptr<DecodedChunk> adopt(Buffer stored) const override;
  Bytes stored_bytes(const DecodedChunk& decoded) const override;
  void write_unfiltered(std::span<const space::ChunkRun> runs, const Values& values, ChunkEdge edge,
                        MutableBytes chunk) const override;

 private:
  bool is_unfiltered(ChunkEdge edge) const {
    return pipeline_.empty() || (edge == ChunkEdge::partial && !shape_.filter_partial_edges);
  }
  void read_runs(const std::byte* chunk, std::span<const space::ChunkRun> runs, const Values& values) const;
  void write_runs(std::byte* chunk, std::span<const space::ChunkRun> runs, const Values& values) const;
  void fill(MutableBytes elements) const;
  void require_unfiltered_size(std::size_t bytes) const;

  DenseShape shape_;
  filter::Pipeline pipeline_;
  std::size_t bytes_;
};

std::unique_ptr<const ChunkFormat> make_dense_format(FormatSetup setup);

}  // namespace filigree::chunk
