// SPDX-License-Identifier: Apache-2.0
//
// Chunk write: prepare under the shared lock, commit under the exclusive lock if the dataset is unchanged.
//
// The caller holds the file's lock. Large writes hold it in shared mode, so that other threads go on while
// chunks are encoded; ExclusiveAccess upgrades it for the commit. Small writes, and conversions that write to
// the global heap, hold it exclusively from the start: then run() just runs, and nothing is prepared ahead.
//
//  1. A dataset that allocates late gets all its chunks first, unless everything is overwritten.
//  2. for_each_group() cuts the selections along the grid and into groups, as for a read. Each group is a
//     transaction of its own (write_group()); readers may see some groups written and others not.
//
//  prepare(), under the shared lock:
//  3. A piece that has all elements of its chunk inside of the extent is `covered`: nothing of the old chunk
//     remains, and the chunk bypasses the cache. Repeated points, partial conversions and callbacks for
//     replaced elements exclude that.
//  4. For a `partial` piece whose chunk exists neither in the cache nor in the file, a new chunk is made with
//     its elements (`fresh`). Other partial pieces wait for the commit.
//  5. Covered chunks with filters are encoded, on all cores.
//  6. Covered chunks without filters that are not in the index are set aside (`unallocated`), unless the
//     index preallocates its chunks.
//
//  write_unallocated(), first use of the exclusive lock, only if there are such chunks:
//  7. run() allocates their space. Back under the shared lock they are written there: nobody knows of that
//     space before it is in the index.
//
//  commit(), second use of the exclusive lock:
//  8. run() has checked that the dataset was neither resized nor reopened. Another writer may still have
//     stored some of the chunks meanwhile: ChunkTable::commit() looks them up again, and replaces them.
//  9. Unallocated chunks are entered into the index, filtered chunks are allocated, written and entered, and
//     existing unfiltered chunks are overwritten in place. Cached copies of all of these are dropped.
// 10. Partial pieces are merged into their chunks, which are looked up again: a fresh chunk is taken only if
//     its chunk still exists nowhere. The chunks become dirty in the cache. If the cache cannot hold an
//     unfiltered chunk, only its elements are written, in place.
// 11. The table is flushed if dirty chunks take too much of the cache.
//
//  release(), if run() returned false or anything threw before step 9 began:
// 12. The space of step 7 is freed, as a best effort. Once step 9 has begun, ChunkTable::commit() frees what
//     it could not enter.
#include "chunk/transfer/chunk_writer.hpp"

#include <algorithm>

#include "base/workspace.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/transfer/batches.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

bool ChunkWriter::write(const space::Selection& file, const space::Selection& memory, const Values& values,
                        bool parallel, ExclusiveAccess& access) {
  const bool covers_all = file.is_set() && file.elements() == table_.grid().extent().elements();
  if (table_.traits().allocates_late && !covers_all && !access.run([&] { allocate_before_write(table_); }))
    return false;
  return for_each_group(table_, file, memory, [&](Pieces group) {
    return write_group(group, values, parallel, file.is_set(), access);
  });
}

bool ChunkWriter::write_group(Pieces pieces, const Values& values, bool parallel, bool each_once,
                              ExclusiveAccess& access) {
  Plan plan = prepare(pieces, values, parallel, each_once, !access.is_held());
  try {
    if (write_unallocated(plan, values, parallel, access) &&
        access.run([&] { commit(plan, values, parallel); }))
      return true;
  } catch (...) {
    release(plan, access);
    throw;
  }
  release(plan, access);
  return false;
}

// Preparing, under the shared lock.

/// `ahead`: other threads have access until the commit.
ChunkWriter::Plan ChunkWriter::prepare(Pieces pieces, const Values& values, bool parallel, bool each_once,
                                       bool ahead) const {
  Plan plan;
  plan.each_once = each_once;
  const bool may_cover = each_once && !values.conversion.traits().partial && values.replaced == nullptr;
  plan.covered.reserve(pieces.size());
  for (const space::ChunkPiece& piece : pieces) {
    const bool covers = may_cover && piece.elements == table_.geometry().elements_inside(piece.chunk);
    (covers ? plan.covered : plan.partial).push_back(piece);
  }
  plan.fresh.resize(plan.partial.size());
  if (ahead) plan.fresh = make_fresh(plan.partial, values, parallel);
  prepare_covered(plan, values, parallel, ahead);
  return plan;
}

void ChunkWriter::prepare_covered(Plan& plan, const Values& values, bool parallel, bool ahead) const {
  if (plan.covered.empty()) return;
  (format_.unfiltered(ChunkEdge::full) != nullptr ? plan.unfiltered : plan.filtered)
      .reserve(plan.covered.size());
  for (const space::ChunkPiece& piece : plan.covered) {
    const ChunkEdge edge = table_.geometry().edge(piece.chunk);
    PendingWrite& write =
        (format_.unfiltered(edge) != nullptr ? plan.unfiltered : plan.filtered).emplace_back();
    write.chunk = piece.chunk;
    write.edge = edge;
    write.piece = &piece;
  }
  table_.cache().count_bypass(plan.covered.size());
  for_each(plan.filtered.size(), parallel, [&](std::size_t i) {
    PendingWrite& write = plan.filtered[i];
    write.stored = format_.write_stored(space::PieceRuns(*write.piece).runs(), values, write.edge);
    write.set_bytes(write.stored.bytes);
  });
  if (ahead) plan.unallocated = extract_unallocated(plan.unfiltered);
}

/// New chunks with the elements of those pieces whose chunks do not exist yet, null for the others.
std::vector<std::unique_ptr<DecodedChunk>> ChunkWriter::make_fresh(Pieces pieces, const Values& values,
                                                                   bool parallel) const {
  std::vector<std::unique_ptr<DecodedChunk>> fresh(pieces.size());
  const ChunkLookup found = table_.lookup(chunks_of(pieces));
  for_each(found.missing.size(), parallel, [&](std::size_t i) {
    if (is_valid(found.locations[i].address)) return;
    const std::size_t at = found.missing[i];
    fresh[at] = format_.blank();
    format_.write(*fresh[at], space::PieceRuns(pieces[at]).runs(), values);
  });
  return fresh;
}

/// Removes chunks from the list that are not in the index.
std::vector<PendingWrite> ChunkWriter::extract_unallocated(std::vector<PendingWrite>& writes) const {
  std::vector<PendingWrite> unallocated, allocated;
  if (writes.empty() || table_.index().preallocates_chunks()) return unallocated;
  std::vector<std::uint64_t> chunks(writes.size());
  std::ranges::transform(writes, chunks.begin(), &PendingWrite::chunk);
  const auto locations = table_.locate(chunks);
  const auto known = std::ranges::count_if(locations, [](const auto& at) { return is_valid(at.address); });
  if (known == 0) unallocated.swap(writes);
  if (known == 0 || static_cast<std::size_t>(known) == writes.size()) return unallocated;
  for (std::size_t i = 0; i < writes.size(); ++i)
    (is_valid(locations[i].address) ? allocated : unallocated).push_back(std::move(writes[i]));
  writes = std::move(allocated);
  return unallocated;
}

/// Allocates under the exclusive lock, writes under the shared lock. Returns false if access was refused.
bool ChunkWriter::write_unallocated(Plan& plan, const Values& values, bool parallel,
                                    ExclusiveAccess& access) {
  if (plan.unallocated.empty()) return true;
  const std::uint64_t chunk_bytes = table_.traits().chunk_bytes;
  const bool allocated = access.run([&] {
    table_.index().allocate();
    table_.publish_layout();
    for (PendingWrite& write : plan.unallocated) {
      write.stored_bytes = chunk_bytes;
      write.address = table_.store().space().allocate(store::SpaceKind::raw, chunk_bytes);
    }
  });
  if (allocated) write_unfiltered(plan.unallocated, values, parallel);
  return allocated;
}

// Committing, under the exclusive lock.

void ChunkWriter::commit(Plan& plan, const Values& values, bool parallel) {
  plan.committing = true;
  table_.commit(plan.unallocated, [] {});
  table_.commit(plan.filtered);
  commit_unfiltered(plan.unfiltered, values, parallel);
  table_.cache().forget(table_.cache_owner(), chunks_of(plan.covered));
  commit_partial(plan, values, parallel);
  if (table_.should_flush()) table_.flush();
}

/// Frees what write_unallocated() allocated, unless the commit has taken it over.
void ChunkWriter::release(const Plan& plan, ExclusiveAccess& access) {
  const auto is_allocated = [](const PendingWrite& write) { return is_valid(write.address); };
  if (plan.committing || std::ranges::none_of(plan.unallocated, is_allocated)) return;
  access.run_best_effort([&] {
    for (const PendingWrite& write : plan.unallocated)
      if (is_allocated(write))
        table_.store().space().release(store::SpaceKind::raw, write.address, write.stored_bytes);
  });
}

/// Sizes are known beforehand, so that each core gathers and writes chunks while others do the same. Members
/// of a communicator make each request together: on this thread, and in the same portions on all of them.
void ChunkWriter::commit_unfiltered(std::span<PendingWrite> writes, const Values& values, bool parallel) {
  for (PendingWrite& write : writes) write.stored_bytes = table_.traits().chunk_bytes;
  table_.commit(writes, [&] { write_unfiltered(writes, values, parallel); });
}

void ChunkWriter::write_unfiltered(std::span<const PendingWrite> writes, const Values& values,
                                   bool parallel) {
  const bool together = table_.has_members();
  for_each_request(
      table_.store(), writes, parallel && !together, together ? high_latency_batch : written_batch,
      [this](const PendingWrite&) { return table_.traits().chunk_bytes; },
      [&](std::span<const PendingWrite> batch, bool gather_parallel) {
        write_unfiltered_batch(batch, values, gather_parallel || (together && parallel));
      });
}

/// Long runs are written straight from memory; chunks of short runs are gathered first.
void ChunkWriter::write_unfiltered_batch(std::span<const PendingWrite> writes, const Values& values,
                                         bool parallel) {
  const std::uint64_t chunk_bytes = table_.traits().chunk_bytes;
  const std::size_t element_bytes = table_.traits().element_bytes;
  const auto is_direct = [&](const PendingWrite& write) {
    return write.edge == ChunkEdge::full && values.conversion.traits().copies &&
           chunk_bytes / write.piece->run_count >= least_direct_bytes;
  };
  const auto staged = std::ranges::count_if(writes, [&](const auto& write) { return !is_direct(write); });
  Workspace workspace;
  MutableBytes staging = workspace.allocate(static_cast<std::size_t>(staged) * chunk_bytes);
  std::vector<MutableBytes> gathered(writes.size());
  std::vector<io::WriteExtent> extents;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const std::uint64_t offset = to_number(writes[i].address);
    if (!is_direct(writes[i])) {
      gathered[i] = staging.first(chunk_bytes);
      staging = staging.subspan(chunk_bytes);
      add_extent(extents, offset, gathered[i]);
      continue;
    }
    const space::PieceRuns piece(*writes[i].piece);
    for (const space::ChunkRun& run : piece.runs()) {
      add_extent(extents, offset + run.chunk_offset * element_bytes,
                 {values.memory + run.memory * element_bytes, run.length * element_bytes});
    }
  }
  for_each(writes.size(), parallel, [&](std::size_t i) {
    if (gathered[i].empty()) return;
    format_.unfiltered(writes[i].edge)
        ->write_unfiltered(space::PieceRuns(*writes[i].piece).runs(), values, writes[i].edge, gathered[i]);
  });
  table_.store().write_raw(Address{0}, extents);
}

/// Whether only the elements of a piece are written, and the rest of its chunk is not read.
bool ChunkWriter::writes_in_place(const Plan& plan, const space::ChunkPiece& piece,
                                  const Values& values) const {
  return !table_.has_members() && plan.each_once && values.replaced == nullptr &&
         !values.conversion.traits().partial &&
         transfers_elements_only(table_, piece, table_.geometry().edge(piece.chunk));
}

/// Overwrites elements of stored chunks that are not cached.
void ChunkWriter::write_in_place(std::span<const PendingRead> chunks, const Values& values) {
  if (chunks.empty()) return;
  const std::size_t element_bytes = table_.traits().element_bytes;
  const bool copies = values.conversion.traits().copies;
  std::uint64_t staged = 0;
  for (const PendingRead& chunk : chunks) staged += copies ? 0 : chunk.piece->elements * element_bytes;
  Workspace workspace;
  MutableBytes staging = workspace.allocate(static_cast<std::size_t>(staged));
  std::vector<io::WriteExtent> extents;
  for (const PendingRead& chunk : chunks) {
    const space::PieceRuns piece(*chunk.piece);
    for (const space::ChunkRun& run : piece.runs()) {
      Bytes bytes(values.memory + run.memory * values.element_bytes, run.length * element_bytes);
      if (!copies) {
        bytes = staging.first(bytes.size());
        values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                                 staging.data(), element_bytes, run.length},
                                values.context);
        staging = staging.subspan(bytes.size());
      }
      add_extent(extents, to_number(chunk.location.address) + run.chunk_offset * element_bytes, bytes);
    }
  }
  table_.store().write_raw(Address{0}, extents);
}

/// Merges pieces into their chunks, which stay in the cache. Takes chunks of `fresh` where no other thread
/// has written to the chunk meanwhile. Chunks that the cache cannot keep are written in place.
void ChunkWriter::commit_partial(Plan& plan, const Values& values, bool parallel) {
  const Pieces pieces = plan.partial;
  if (pieces.empty()) return;
  ChunkLookup found = table_.lookup(chunks_of(pieces));
  std::vector<DecodedChunkPointer>& decoded = found.cached;
  std::vector<PendingRead> reads, in_place;
  std::vector<std::size_t> read_pieces;
  std::vector<char> is_written(pieces.size(), false);
  for (std::size_t i = 0; i < found.missing.size(); ++i) {
    const std::size_t at = found.missing[i];
    if (is_valid(found.locations[i].address)) {
      const std::uint64_t chunk = pieces[at].chunk;
      PendingRead read{chunk, found.locations[i], table_.geometry().edge(chunk), false, &pieces[at], {}};
      is_written[at] = writes_in_place(plan, pieces[at], values);
      (is_written[at] ? in_place : reads).push_back(std::move(read));
      if (!is_written[at]) read_pieces.push_back(at);
    } else if (plan.fresh[at]) {
      decoded[at] = std::move(plan.fresh[at]);
      is_written[at] = true;
    }
  }
  write_in_place(in_place, values);
  ChunkLoader(table_, decoding_).load(reads, nullptr);
  for (std::size_t i = 0; i < reads.size(); ++i) decoded[read_pieces[i]] = std::move(reads[i].decoded);
  const auto put = [&] {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (decoded[i]) table_.cache().put_dirty(table_.key(pieces[i].chunk), std::move(decoded[i]));
  };
  try {
    for_each(pieces.size(), parallel, [&](std::size_t i) {
      if (is_written[i]) return;
      if (!decoded[i]) decoded[i] = format_.blank();
      format_.write(writable(decoded[i]), space::PieceRuns(pieces[i]).runs(), values);
    });
  } catch (...) {
    put();  // some have changed
    throw;
  }
  put();
}

}  // namespace filigree::chunk
