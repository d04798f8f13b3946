// SPDX-License-Identifier: Apache-2.0
//
// Stored chunks that a request reads completely, because only their format finds elements in them: filtered
// and structured ones.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/selected_piece.hpp"
#include "io/selection_batch.hpp"
#include "space/chunk_selections.hpp"

namespace filigree::chunk {

using ChunkTablePointer = std::shared_ptr<const ChunkTable>;

/// Collects chunks. They are decoded when the request is done; then their elements are copied out, and the
/// cache gets those chunks that it would also get from ChunkReader.
///
/// *Thread safety*: as ChunkReader.
class StagedChunks {
 public:
  /// `parallel`: several threads may use the conversion of the values.
  StagedChunks(ChunkTablePointer table, filter::Decoding decoding, bool parallel)
      : table_(std::move(table)), decoding_(decoding), parallel_(parallel) {}

  /// Adds a chunk to the request, unless it is there already. *Requires*: the file holds its bytes.
  void add(std::uint64_t chunk, const index::ChunkLocation& at, io::SelectionReads& batch);
  /// Notes elements to be read from a chunk that was added.
  void add_part(const space::ChunkSelection& part) { staged_.at(part.chunk).parts.push_back(part); }
  /// Adds the step that decodes the chunks so far. `values` is null if no parts were added: then all chunks
  /// go to the cache. *Requires*: called before the batch is sent.
  void finish(const ValuesPointer& values, io::SelectionReads& batch);

 private:
  struct StagedChunk {
    std::uint64_t chunk = 0;
    index::ChunkLocation location{};
    Bytes bytes{};                               ///< memory of the batch
    std::vector<space::ChunkSelection> parts{};  ///< the elements that are wanted
  };
  static void decode(const ChunkTable& table, const StagedChunk& staged, const Values* values,
                     filter::Decoding decoding);

  const ChunkTablePointer table_;
  const filter::Decoding decoding_;
  const bool parallel_;
  std::map<std::uint64_t, StagedChunk> staged_;
};

}  // namespace filigree::chunk
