// SPDX-License-Identifier: Apache-2.0
//
// Transfers of chunks that are divided into selections, for requests that drivers receive undivided.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "space/chunk_selections.hpp"

namespace filigree::chunk {

/// Whether elements are stored as they are in memory, so that the driver can be asked for some of them.
bool stores_elements(const ChunkTable& table, ChunkEdge edge);
/// Whether this holds for all chunks.
bool transfers_selections(const ChunkTable& table);

/// The elements of a part as runs of the chunk.
std::vector<space::ChunkRun> runs_of(const space::ChunkSelection& part);

/// Parts of a transfer, all of some chunks, with the number of their elements.
class SelectedGroup {
 public:
  /// Parts that are looked up together.
  static constexpr std::size_t most_parts = 4096;

  void clear();
  void add(space::ChunkSelection part);
  bool empty() const { return parts_.empty(); }
  /// Whether the group ends before another chunk. `most_chunks` can be held in memory together.
  bool is_full(std::size_t most_chunks) const {
    return parts_.size() >= most_parts || chunks_.size() >= most_chunks;
  }
  std::uint64_t last_chunk() const { return parts_.back().chunk; }

  std::span<const space::ChunkSelection> parts() const { return parts_; }
  /// The chunks in ascending order, each once.
  const std::vector<std::uint64_t>& chunks();
  /// The index of a chunk in chunks(), which must have been called.
  std::size_t index_of(std::uint64_t chunk) const;

 private:
  std::vector<space::ChunkSelection> parts_;
  std::vector<std::uint64_t> chunks_;
  bool sorted_ = true;
};

/// Calls `work(group)` for the parts of a transfer; all consecutive parts of a chunk are in one group.
template <class Work>
void for_each_part_group(const ChunkTable& table, const space::Matched& elements, Work work) {
  space::ChunkSelections parts(table.grid(), elements.file, elements.memory);
  const std::size_t most_chunks = table.chunks_per_group();
  SelectedGroup group;
  for (space::ChunkSelection part; parts.next(part);) {
    if (group.is_full(most_chunks) && part.chunk != group.last_chunk()) {
      work(group);
      group.clear();
    }
    group.add(std::move(part));
  }
  if (!group.empty()) work(group);
}

}  // namespace filigree::chunk
