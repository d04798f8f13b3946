// SPDX-License-Identifier: Apache-2.0
#include "chunk/raw/release_chunks.hpp"

#include <algorithm>
#include <vector>

#include <filigree/error.hpp>

#include "store/file_store.hpp"

namespace filigree::chunk {

void release_chunks(store::FileStore& store, index::ChunkIndex& index) {
  std::vector<index::ChunkLocation> chunks;
  index.destroy([&](std::span<const std::uint64_t>, const index::ChunkLocation& location) {
    chunks.push_back(location);
  });
  std::ranges::sort(chunks, {}, &index::ChunkLocation::address);
  std::uint64_t last_end = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::uint64_t at = to_number(chunks[i].address);
    const std::uint64_t end = at + chunks[i].stored_bytes;
    const bool overlaps = at < last_end || (i + 1 < chunks.size() && end > to_number(chunks[i + 1].address));
    last_end = std::max(last_end, end);
    if (overlaps) continue;
    try {
      store.space().release(store::SpaceKind::raw, chunks[i].address, chunks[i].stored_bytes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::corrupt) throw;
    }
  }
}

void release_chunks(ChunkTable& table) {
  table.cache().forget_owner(table.cache_owner());
  release_chunks(table.store(), table.index());
  table.publish_layout();
}

}  // namespace filigree::chunk
