// SPDX-License-Identifier: Apache-2.0
//
// Transfers of unfiltered chunks as selections, for drivers that accept them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/selected_piece.hpp"
#include "io/selection_batch.hpp"
#include "space/chunk_selections.hpp"

namespace filigree::chunk {

/// Whether all chunks are stored as they are in memory, so that the driver can be asked for their elements.
bool transfers_selections(const ChunkTable& table);

/// Parts of a transfer, all of some chunks, with the number of their elements.
class SelectedGroup {
 public:
  void clear();
  void add(space::ChunkSelection part);
  bool empty() const { return parts_.empty(); }
  std::size_t size() const { return parts_.size(); }
  std::uint64_t last_chunk() const { return parts_.back().chunk; }

  std::span<const space::ChunkSelection> parts() const { return parts_; }
  /// The chunks in ascending order, each once.
  const std::vector<std::uint64_t>& chunks();
  /// The index of a chunk in chunks().
  std::size_t index_of(std::uint64_t chunk) const;

 private:
  std::vector<space::ChunkSelection> parts_;
  std::vector<std::uint64_t> chunks_;
};

/// Adds the elements of stored chunks to a request. Elements of cached chunks, and fill values, are copied at
/// once: the cache may be newer than the file.
///
/// *Thread safety*: as ChunkReader.
class SelectedChunkReader {
 public:
  explicit SelectedChunkReader(const ChunkTable& table) : table_(table) {}
  /// *Requires*: transfers_selections(); the memory lives until the batch is sent.
  void read(const space::Matched& elements, const ValuesPointer& values, io::SelectionReads& batch) const;

 private:
  void read_group(SelectedGroup& group, const ValuesPointer& values, io::SelectionReads& batch) const;

  const ChunkTable& table_;
};

/// Adds elements to a request that overwrites those of stored chunks. New chunks that are written completely
/// get space first, and are entered into the index when the request is done. Parts of chunks that the file
/// does not have, or that are dirty, are merged in the cache.
///
/// *Thread safety*: the caller holds the exclusive lock until the batch is sent.
class SelectedChunkWriter {
 public:
  explicit SelectedChunkWriter(std::shared_ptr<ChunkTable> table) : table_(std::move(table)) {}
  /// *Requires*: transfers_selections(), no element of the file twice, a conversion of whole elements.
  void write(const space::Matched& elements, const Values& values, io::SelectionWrites& batch);

 private:
  /// What happens to a chunk.
  enum class Way : std::uint8_t { overwrite, allocate, merge };
  struct Target {
    Way way = Way::merge;
    index::ChunkLocation location{};
    std::uint64_t elements = 0;  ///< that are written
    bool covered = false;        ///< all of the extent
  };

  void write_group(SelectedGroup& group, const Values& values, bool is_set, io::SelectionWrites& batch);
  std::vector<Target> choose(SelectedGroup& group, bool is_set) const;
  void allocate(SelectedGroup& group, std::span<Target> targets, io::SelectionWrites& batch);
  void merge(SelectedGroup& group, std::span<const Target> targets, const Values& values);
  void write_edge(SelectedGroup& group, std::size_t chunk, const Target& target, const Values& values,
                  io::SelectionWrites& batch);

  std::shared_ptr<ChunkTable> table_;
};

}  // namespace filigree::chunk
