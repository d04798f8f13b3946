// SPDX-License-Identifier: Apache-2.0
//
// Finding the chunks that exist in a part of the extent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/table/chunk_table.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// The chunks that a box of the extent touches; both corners belong to it.
struct ChunkBox {
  ChunkBox(const space::ChunkGrid& grid, const space::Bounds& bounds);

  /// The largest number if that overflows.
  std::uint64_t chunks() const;
  bool contains(std::span<const std::uint64_t> coordinates) const;
  /// Coordinates of all chunks in row-major order, concatenated.
  std::vector<std::uint64_t> each() const;

  std::vector<std::uint64_t> first, last;
};

/// Up to so many chunks are looked up one by one; for more, the index is iterated.
inline constexpr std::uint64_t most_looked_up_chunks = 4096;

/// Gets the coordinates of a chunk, and either its decoded form, if that is newer than the file, or its
/// location.
using ChunkVisitor = FunctionRef<void(std::span<const std::uint64_t>, const index::ChunkLocation&,
                                      const DecodedChunkPointer&)>;

/// Visits the chunks that exist, stored or dirty, in a box of the extent; both corners belong to it. The cost
/// depends on the number of chunks that exist, however large the extent is.
void for_each_chunk(const ChunkTable& table, const space::Bounds& bounds, ChunkVisitor visit);
/// The same in the bounds of a selection.
void for_each_chunk(const ChunkTable& table, const space::Selection& selection, ChunkVisitor visit);
/// The same in the extent.
void for_each_chunk(const ChunkTable& table, ChunkVisitor visit);

/// The selection of all elements.
inline space::Selection all_elements(const ChunkTable& table) {
  return space::Selection::all(table.grid().extent());
}

}  // namespace filigree::chunk
