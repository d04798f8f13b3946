// SPDX-License-Identifier: Apache-2.0
//
// Chunks that are asked what they define. Only ChunkStore's own sources include this.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/short_list.hpp"
#include "chunk/table/chunk_store.hpp"

namespace filigree::chunk {

/// Bytes of chunks, unpacked, that are in memory at a time.
inline constexpr std::uint64_t most_fetched_bytes = 64u << 20;

/// A chunk of which is asked what it defines.
struct ChunkStore::Asked {
  std::uint64_t chunk = 0;
  ShortList<std::uint64_t, 4> at{};
  index::ChunkLocation location{};
  ImagePointer image{};
  Bytes bytes{};  ///< what was read of it

  /// In memory, unpacked.
  std::uint64_t weight() const {
    std::uint64_t bytes_unpacked = location.stored_bytes;
    for (const std::uint64_t section : location.sections.unfiltered_bytes)
      bytes_unpacked += std::min(section, most_fetched_bytes);
    return image ? image->memory_bytes() : bytes_unpacked;
  }
};

/// Chunks whose elements come one behind the other, and what was found in them.
struct ChunkStore::Band {
  std::span<Asked> chunks;
  space::RunSet places{};
  Buffer values{};  ///< in the order of the places, as in memory

  std::uint64_t weight() const {
    std::uint64_t sum = 0;
    for (const Asked& one : chunks) sum += one.weight();
    return sum;
  }
};

}  // namespace filigree::chunk
