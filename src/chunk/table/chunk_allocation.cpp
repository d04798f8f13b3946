// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/chunk_allocation.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Whether the extent `before` had elements of the chunk.
bool was_inside(const ChunkTable& table, std::uint64_t chunk, std::span<const std::uint64_t> before) {
  const auto at = table.geometry().coordinates(chunk);
  for (std::size_t d = 0; d < before.size(); ++d)
    if (at[d] * table.grid().chunk().dims()[d] >= before[d]) return false;
  return !before.empty();
}

/// A blank chunk for one write; no bytes where it is the one that full chunks share.
StoredChunk encode_blank(ChunkTable& table, const StoredChunk& full, ChunkEdge edge) {
  const ChunkFormat& format = table.format();
  if (table.callbacks().separate_values) {
    const DecodedChunkPointer decoded = format.blank();
    table.separate_values(decoded);
    return format.encode(*decoded, edge);
  }
  if (edge == ChunkEdge::partial) return format.encode(*table.blank(), edge);
  return {{}, full.info};
}

/// Whether chunks get space only: they have no filters, and unwritten elements have no value.
bool needs_no_bytes(const ChunkTable& table) {
  return !table.traits().reads_blank && !table.callbacks().separate_values &&
         table.format().unfiltered(ChunkEdge::full) != nullptr &&
         table.format().unfiltered(ChunkEdge::partial) != nullptr;
}

/// Allocates a group of chunks without writing them.
void reserve_chunks(ChunkTable& table, std::span<PendingWrite> writes) {
  for (PendingWrite& write : writes) write.stored_bytes = table.traits().chunk_bytes;
  table.commit(writes, [&] {
    std::uint64_t end = 0;
    for (const PendingWrite& write : writes)
      end = std::max(end, to_number(write.address) + write.stored_bytes);
    table.store().reach(end);
  });
}

}  // namespace

void allocate_all_chunks(ChunkTable& table, std::span<const std::uint64_t> before) {
  if (table.geometry().is_huge())
    throw Error(ErrorKind::limit, "all chunks of an extent of 2^64 elements or more cannot be allocated");
  const std::uint64_t chunks = table.geometry().chunks();
  if (chunks == 0) return;
  table.index().allocate();
  table.publish_layout();
  const bool only_space = needs_no_bytes(table);
  StoredChunk full;
  if (!only_space) full = table.format().encode(*table.blank(), ChunkEdge::full);
  const std::uint64_t most = table.chunks_per_group();
  for (std::uint64_t first = 0; first < chunks; first += most) {
    std::vector<PendingWrite> writes;
    for (std::uint64_t chunk = first; chunk < std::min(first + most, chunks); ++chunk) {
      if (was_inside(table, chunk, before)) continue;
      PendingWrite& write = writes.emplace_back();
      write.chunk = chunk;
      if (!only_space) write.stored = encode_blank(table, full, table.geometry().edge(chunk));
    }
    if (only_space) {
      reserve_chunks(table, writes);
      continue;
    }
    for (PendingWrite& write : writes)
      write.set_bytes(write.stored.bytes.empty() ? full.bytes : write.stored.bytes);
    table.commit(writes);
  }
}

void allocate_before_write(ChunkTable& table) {
  if (table.traits().allocates_late && !is_valid(table.index().layout().address)) allocate_all_chunks(table);
}

}  // namespace filigree::chunk
