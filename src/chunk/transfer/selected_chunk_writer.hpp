// SPDX-License-Identifier: Apache-2.0
//
// Adds elements of chunks to a request that writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/selected_group.hpp"
#include "chunk/transfer/selected_piece.hpp"
#include "io/selection_batch.hpp"

namespace filigree::chunk {

/// How a write of selected elements may be done.
struct SelectedWriteOptions {
  /// Elements replace those that are stored; otherwise they are merged with them, as with a conversion of
  /// some members only, and callbacks for replaced elements.
  bool replaces = true;
  bool parallel = true;            ///< several threads may use the conversion
  filter::Decoding decoding = {};  ///< of chunks that elements are merged into
  /// All chunks must be stored already, without filters. *Throws*: Error(unsupported) for all others, before
  /// anything of their group is written.
  bool only_overwrite = false;
};

/// Adds elements to a request. Elements of stored unfiltered chunks are overwritten. New unfiltered chunks
/// and filtered chunks that are written completely get space first, and are entered into the index when the
/// request is done. All other elements are merged into their chunks in the cache.
///
/// *Thread safety*: the caller holds the exclusive lock until the batch is sent.
class SelectedChunkWriter {
 public:
  SelectedChunkWriter(std::shared_ptr<ChunkTable> table, const SelectedWriteOptions& options)
      : table_(std::move(table)), options_(options) {}
  /// Adds the stored chunks that write() merges elements into to a request that precedes it. They are in the
  /// cache when that request is done, unless the cache is too small for them.
  void read_merged(const space::Matched& elements, io::SelectionReads& batch) const;
  void write(const space::Matched& elements, const Values& values, io::SelectionWrites& batch);

 private:
  /// What happens to a chunk.
  enum class Way : std::uint8_t { overwrite, allocate, encode, merge };
  struct Target {
    Way way = Way::merge;
    index::ChunkLocation location{};
    std::uint64_t elements = 0;  ///< that are written
    bool covered = false;        ///< all of the extent
  };
  using PendingWrites = std::shared_ptr<std::vector<PendingWrite>>;

  bool counts_as_set(const space::Matched& elements) const;
  Way choose_way(std::uint64_t chunk, const Target& target) const;
  std::vector<Target> choose(SelectedGroup& group, bool is_set) const;
  void write_group(SelectedGroup& group, const Values& values, bool is_set, io::SelectionWrites& batch);
  void drop_cached(SelectedGroup& group, std::span<const Target> targets, io::SelectionWrites& batch);
  void require_overwrite(SelectedGroup& group, std::span<const Target> targets) const;
  void allocate(SelectedGroup& group, std::span<Target> targets, io::SelectionWrites& batch);
  void encode(SelectedGroup& group, std::span<const Target> targets, const Values& values,
              io::SelectionWrites& batch);
  void enter_when_sent(const PendingWrites& made, io::SelectionWrites& batch);
  void merge(SelectedGroup& group, std::span<const Target> targets, const Values& values);
  std::vector<DecodedChunkPointer> load_merged(SelectedGroup& group, std::span<const Target> targets) const;
  void write_edge(SelectedGroup& group, std::size_t chunk, const Target& target, const Values& values,
                  io::SelectionWrites& batch);

  std::shared_ptr<ChunkTable> table_;
  const SelectedWriteOptions options_;
};

}  // namespace filigree::chunk
