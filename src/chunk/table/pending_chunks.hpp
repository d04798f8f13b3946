// SPDX-License-Identifier: Apache-2.0
//
// Chunks on their way between file, cache and memory.
#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "chunk/cache/chunk_cache.hpp"
#include "chunk/format/chunk_format.hpp"
#include "index/chunk_index.hpp"
#include "space/partition.hpp"

namespace filigree::chunk {

/// A stored chunk that an operation needs and the cache does not have.
struct PendingRead {
  std::uint64_t chunk = 0;
  index::ChunkLocation location{};
  ChunkEdge edge = ChunkEdge::partial;
  bool direct = false;                       ///< its runs are read straight into memory
  const space::ChunkPiece* piece = nullptr;  ///< the elements that are wanted, if not all
  DecodedChunkPointer decoded{};             ///< the result
};

/// A chunk that is written to the file. ChunkTable::commit() completes it.
struct PendingWrite {
  std::uint64_t chunk = 0;
  StoredChunk stored{};
  Bytes bytes{};  ///< of `stored`, of a decoded chunk, or of a caller
  std::uint64_t stored_bytes = 0;
  ChunkEdge edge = ChunkEdge::partial;
  const space::ChunkPiece* piece = nullptr;  ///< the elements, where `bytes` are made when they are written
  index::ChunkLocation before{};             ///< of the chunk that it replaces
  Address address = Address::undefined;      ///< may be allocated before the commit

  void set_bytes(Bytes all) {
    bytes = all;
    stored_bytes = all.size();
  }
};

inline StoredChunkInfo info_of(const index::ChunkLocation& location) {
  return {location.filter_mask, location.sections};
}

/// *Requires*: `bytes` were read from there.
inline StoredChunkView view_of(const index::ChunkLocation& location, Bytes bytes, ChunkEdge edge,
                               filter::Decoding decoding = {}) {
  StoredChunkInfo info = info_of(location);
  info.decoding = decoding;
  return {bytes, info, edge, location.stored_bytes};
}

/// *Requires*: the exclusive lock, so that no other thread looks at a decoded chunk of the dataset.
inline DecodedChunk& writable(const DecodedChunkPointer& decoded) {
  return const_cast<DecodedChunk&>(*decoded);
}

}  // namespace filigree::chunk
