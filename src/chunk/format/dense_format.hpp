// SPDX-License-Identifier: Apache-2.0
//
// Chunks that hold every element of their box.
#pragma once

#include "chunk/format/chunk_format.hpp"
#include "filter/pipeline.hpp"

namespace filigree::chunk {

/// What a dense chunk is made of.
struct DenseShape {
  std::uint64_t elements = 0;  ///< of a chunk
  std::size_t element_bytes = 0;
  Buffer fill;                    ///< one element; empty: zeros
  bool filter_cut_chunks = true;  ///< chunks that the extent cuts are filtered like the others
};

class DenseFormat final : public ChunkFormat {
 public:
  /// The pipeline was made for chunks of this shape. Throws Error(limit) for a chunk that memory cannot hold.
  DenseFormat(DenseShape shape, filter::Pipeline pipeline);

  std::unique_ptr<ChunkImage> blank() const override;
  std::unique_ptr<ChunkImage> copy(const ChunkImage& image) const override;
  std::unique_ptr<ChunkImage> decode(Bytes stored, const StoredForm& form, bool whole) const override;
  StoredChunk encode(const ChunkImage& image, bool whole) const override;
  std::unique_ptr<ChunkImage> take(Buffer stored, const StoredForm& form, bool whole) const override;
  std::unique_ptr<ChunkImage> make_unread(std::uint64_t stored_bytes, MutableBytes& bytes) const override;
  Bytes pack(const ChunkImage& image, bool whole, StoredChunk& room) const override;
  void read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  void write(ChunkImage& image, std::span<const space::ChunkRun> runs, const Values& values) const override;
  void read_stored(Bytes stored, const StoredForm& form, bool whole, std::span<const space::ChunkRun> runs,
                   const Values& values) const override;
  StoredChunk write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                           bool whole) const override;
  void for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const override;
  void for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const override;
  void erase(ChunkImage& image, const space::RunSet& elements) const override;
  bool slow_to_decode() const override { return !pipeline_.empty(); }
  bool plain(bool whole) const override { return pipeline_.empty() || !filters(whole); }
  void write_plain(std::span<const space::ChunkRun> runs, const Values& values, bool whole,
                   MutableBytes chunk) const override;
  space::RunSet defined(const ChunkImage&) const override { return all(); }
  space::RunSet decode_defined(Bytes, const StoredForm&, std::uint64_t, bool) const override { return all(); }

 private:
  space::RunSet all() const { return space::RunSet({0, shape_.elements}); }
  void read_runs(const std::byte* chunk, std::span<const space::ChunkRun> runs, const Values& values) const;
  void write_runs(std::byte* chunk, std::span<const space::ChunkRun> runs, const Values& values) const;
  void fill(MutableBytes elements) const;
  void require_plain_size(std::size_t bytes) const;
  bool filters(bool whole) const { return whole || shape_.filter_cut_chunks; }

  DenseShape shape_;
  filter::Pipeline pipeline_;
  std::size_t bytes_;
};

}  // namespace filigree::chunk
