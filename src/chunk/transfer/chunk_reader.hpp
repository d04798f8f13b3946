// SPDX-License-Identifier: Apache-2.0
//
// Reads elements of chunks into memory.
#pragma once

#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/chunk_groups.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// *Thread safety*: any number of threads, under the shared lock.
class ChunkReader {
 public:
  explicit ChunkReader(const ChunkTable& table, filter::Decoding decoding = {})
      : table_(table), format_(table.format()), decoding_(decoding), loader_(table, decoding) {}

  /// *Requires*: `file` selects from the extent and has as many elements as `memory`. `parallel`: several
  /// threads may use the conversion. *Throws* Error for chunks that cannot be read or decoded; some elements
  /// may have been read by then.
  void read(const space::Selection& file, const space::Selection& memory, const Values& values,
            bool parallel) const;

  /// Visits the elements of all chunks that exist, in the file's type, many at a time.
  void for_each_value(FunctionRef<void(Bytes)> visit) const;

 private:
  /// The missing chunks of a group by the way in which they are read.
  struct Triage {
    std::vector<PendingRead> streamed, ranged, loaded;
    std::vector<std::size_t> loaded_pieces;  ///< which pieces need the loaded chunks
  };

  void read_group(Pieces pieces, const Values& values, bool parallel) const;
  Triage triage(Pieces pieces, ChunkLookup& found, const Values& values, bool parallel) const;
  bool is_read_completely(const PendingRead& read) const;
  bool is_direct(const PendingRead& read, const Values& values, bool parallel) const;
  bool reads_ranges(const PendingRead& read) const;
  void read_ranges(std::span<PendingRead> reads, const Values& values, bool parallel) const;
  std::vector<Buffer> read_defined_parts(std::span<const PendingRead> reads) const;
  void stream(std::span<const PendingRead> reads, const Values& values) const;
  void stream_batch(std::span<const PendingRead> reads, const Values& values, bool parallel) const;
  void convert_runs(Bytes elements, std::span<const space::ChunkRun> runs, const Values& values) const;

  const ChunkTable& table_;
  const ChunkFormat& format_;
  const filter::Decoding decoding_;
  ChunkLoader loader_;
};

}  // namespace filigree::chunk
