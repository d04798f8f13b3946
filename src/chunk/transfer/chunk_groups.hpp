// SPDX-License-Identifier: Apache-2.0
//
// A transfer, cut along the chunks of the grid and into groups of chunks that fit into memory.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "space/box_partition.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

using Pieces = std::span<const space::ChunkPiece>;

inline std::vector<std::uint64_t> chunks_of(Pieces pieces) {
  std::vector<std::uint64_t> chunks(pieces.size());
  std::ranges::transform(pieces, chunks.begin(), &space::ChunkPiece::chunk);
  return chunks;
}

/// Calls `work(pieces)` for each group of chunks until it returns false; returns whether it never did.
/// Selections that are boxes in file and memory are cut by BoxPartition, all others by ParallelPartition.
template <class Work>
bool for_each_group(const ChunkTable& table, const space::Selection& file, const space::Selection& memory,
                    Work work) {
  std::vector<space::ChunkPiece> pieces;
  const std::size_t most = table.chunks_per_group();
  if (auto box = space::BoxPartition::find(table.grid(), file, memory)) {
    while (box->next_batch(most, pieces))
      if (!work(Pieces(pieces))) return false;
    return true;
  }
  space::ParallelPartition partition(table.grid(), file, memory);
  while (partition.next_batch(pieces)) {
    for (std::size_t first = 0; first < pieces.size(); first += most)
      if (!work(Pieces(pieces).subspan(first, std::min(most, pieces.size() - first)))) return false;
  }
  return true;
}

}  // namespace filigree::chunk
