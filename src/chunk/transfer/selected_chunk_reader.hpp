// SPDX-License-Identifier: Apache-2.0
//
// Adds elements of chunks to a request.
#pragma once

#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/selected_group.hpp"
#include "chunk/transfer/selected_piece.hpp"
#include "chunk/transfer/staged_chunks.hpp"
#include "io/selection_batch.hpp"

namespace filigree::chunk {

/// Adds the elements of stored chunks to a request: selections of elements where chunks are unfiltered, and
/// all bytes of a chunk where only its format finds elements. Elements of cached chunks, and fill values, are
/// copied at once: the cache may be newer than the file.
///
/// *Thread safety*: as ChunkReader.
class SelectedChunkReader {
 public:
  /// `parallel`: several threads may use the conversion.
  SelectedChunkReader(ChunkTablePointer table, filter::Decoding decoding, bool parallel)
      : table_(std::move(table)), decoding_(decoding), parallel_(parallel) {}
  /// *Requires*: the memory, and the handler of `decoding`, live until the batch is sent.
  void read(const space::Matched& elements, const ValuesPointer& values, io::SelectionReads& batch) const;

 private:
  /// How the elements of a chunk are found.
  enum class Source : std::uint8_t { cache, elements, stored_bytes, nothing };
  struct Chunk {
    Source source = Source::cache;
    DecodedChunkPointer decoded{};
    index::ChunkLocation location{};
  };

  std::vector<Chunk> find(SelectedGroup& group) const;
  Chunk find_stored(std::uint64_t chunk, const index::ChunkLocation& at) const;
  void read_group(SelectedGroup& group, const ValuesPointer& values, io::SelectionReads& batch) const;

  const ChunkTablePointer table_;
  const filter::Decoding decoding_;
  const bool parallel_;
};

}  // namespace filigree::chunk
