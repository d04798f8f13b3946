// SPDX-License-Identifier: Apache-2.0
//
// The chunk cache and the file stay coherent in this way:
//
//  1. A read takes every cached chunk from the cache, dirty or not, and asks the driver for all others.
//  2. A write of some elements of a chunk that is filtered or structured, is dirty, or exists nowhere,
//     changes the chunk in the cache, which is dirty then. Other such chunks are read first.
//  3. A write of some elements of any other chunk drops the cached copy, which is clean, and changes the
//     file.
//  4. A write of all elements of a chunk changes the file. A dirty copy is dropped when the request is done.
#include "chunk/transfer/selected_chunk_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/transfer/batches.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "chunk/transfer/staged_chunks.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// All parts of some chunks of a group as runs.
std::vector<std::vector<space::ChunkRun>> runs_of_chunks(SelectedGroup& group,
                                                         std::span<const std::size_t> chunks) {
  std::vector<std::vector<space::ChunkRun>> runs(chunks.size());
  for (const space::ChunkSelection& part : group.parts()) {
    const auto at = std::ranges::lower_bound(chunks, group.index_of(part.chunk));
    if (at == chunks.end() || *at != group.index_of(part.chunk)) continue;
    const auto more = runs_of(part);
    auto& all = runs[static_cast<std::size_t>(at - chunks.begin())];
    all.insert(all.end(), more.begin(), more.end());
  }
  return runs;
}

}  // namespace

/// A list of points never counts as complete: its parts may be in several groups.
bool SelectedChunkWriter::counts_as_set(const space::Matched& elements) const {
  return options_.replaces && elements.file.is_set();
}

void SelectedChunkWriter::read_merged(const space::Matched& elements, io::SelectionReads& batch) const {
  StagedChunks staged(table_, options_.decoding, true);
  std::uint64_t count = 0;
  for_each_part_group(*table_, elements, [&](SelectedGroup& group) {
    const std::vector<Target> targets = choose(group, counts_as_set(elements));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const index::ChunkLocation& at = targets[i].location;
      const std::uint64_t chunk = group.chunks()[i];
      if (targets[i].way != Way::merge || !is_valid(at.address)) continue;
      if (table_->cache().contains(table_->key(chunk))) continue;
      const auto bytes = try_multiply(++count, table_->traits().format.typical_bytes);
      if (!bytes || !table_->cache().fits(count, *bytes)) return;
      // load_merged() reports chunks that cannot be read.
      if (table_->store().available(at.address) < at.stored_bytes) continue;
      staged.add(chunk, at, batch);
      if (!batch.is_full()) continue;
      staged.finish(nullptr, batch);
      batch.send();
    }
  });
  staged.finish(nullptr, batch);
}

void SelectedChunkWriter::write(const space::Matched& elements, const Values& values,
                                io::SelectionWrites& batch) {
  const bool is_set = counts_as_set(elements);
  const bool covers_all = is_set && elements.file.elements() == table_->grid().extent().elements();
  if (!covers_all && !options_.only_overwrite) allocate_before_write(*table_);
  if (table_->index().preallocates_chunks() && !options_.only_overwrite) {
    table_->index().allocate();
    table_->publish_layout();
  }
  for_each_part_group(*table_, elements,
                      [&](SelectedGroup& group) { write_group(group, values, is_set, batch); });
  if (table_->cache().should_flush()) table_->flush();
}

SelectedChunkWriter::Way SelectedChunkWriter::choose_way(std::uint64_t chunk, const Target& target) const {
  if (!options_.replaces) return Way::merge;
  if (!stores_elements(*table_, table_->geometry().edge(chunk)))
    return target.covered ? Way::encode : Way::merge;
  if (!target.covered && table_->cache().dirty(table_->key(chunk))) return Way::merge;
  const bool is_usable =
      is_valid(target.location.address) && target.location.stored_bytes == table_->traits().chunk_bytes;
  if (is_usable) return Way::overwrite;
  return target.covered ? Way::allocate : Way::merge;
}

std::vector<SelectedChunkWriter::Target> SelectedChunkWriter::choose(SelectedGroup& group,
                                                                     bool is_set) const {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  std::vector<Target> targets(chunks.size());
  for (const space::ChunkSelection& part : group.parts())
    targets[group.index_of(part.chunk)].elements += part.elements.file.elements();
  const std::vector<index::ChunkLocation> locations = table_->locate(chunks);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    Target& target = targets[i];
    target.location = locations[i];
    target.covered = is_set && target.elements == table_->geometry().elements_inside(chunks[i]);
    target.way = choose_way(chunks[i], target);
  }
  return targets;
}

void SelectedChunkWriter::write_group(SelectedGroup& group, const Values& values, bool is_set,
                                      io::SelectionWrites& batch) {
  std::vector<Target> targets = choose(group, is_set);
  if (options_.only_overwrite) require_overwrite(group, targets);
  merge(group, targets, values);
  allocate(group, targets, batch);
  drop_cached(group, targets, batch);
  const auto is_new_edge = [&](std::uint64_t chunk, const Target& target) {
    return target.way == Way::allocate && table_->geometry().edge(chunk) == ChunkEdge::partial;
  };
  const auto element_bytes = static_cast<std::uint32_t>(table_->traits().element_bytes);
  for (const space::ChunkSelection& part : group.parts()) {
    const Target& target = targets[group.index_of(part.chunk)];
    if (target.way == Way::merge || target.way == Way::encode || is_new_edge(part.chunk, target)) continue;
    add_write(batch, {part.elements, part.memory_start, to_number(target.location.address), element_bytes},
              values);
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (is_new_edge(group.chunks()[i], targets[i])) write_edge(group, i, targets[i], values, batch);
  encode(group, targets, values, batch);
  batch.send_if_full();
}

void SelectedChunkWriter::require_overwrite(SelectedGroup& group, std::span<const Target> targets) const {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].way == Way::overwrite) continue;
    throw Error(ErrorKind::unsupported,
                fmt::format("chunk {} has no space yet, and a file that several processes use gets chunks by "
                            "early allocation only",
                            group.chunks()[i]));
  }
}

/// Drops the cached copies of chunks that are written to the file. Dirty ones are needed if that fails.
void SelectedChunkWriter::drop_cached(SelectedGroup& group, std::span<const Target> targets,
                                      io::SelectionWrites& batch) {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  std::vector<std::uint64_t> dirty;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (targets[i].way == Way::merge) continue;
    if (table_->cache().dirty(table_->key(chunks[i]))) {
      dirty.push_back(chunks[i]);
    } else {
      table_->cache().forget(table_->key(chunks[i]));
    }
  }
  if (dirty.empty()) return;
  batch.then(
      [table = table_, dirty = std::move(dirty)] { table->cache().forget(table->cache_owner(), dirty); });
}

/// A new partial edge chunk is stored with its elements outside of the extent.
void SelectedChunkWriter::write_edge(SelectedGroup& group, std::size_t chunk, const Target& target,
                                     const Values& values, io::SelectionWrites& batch) {
  const auto runs = runs_of_chunks(group, std::span(&chunk, 1));
  const ChunkTableTraits& traits = table_->traits();
  const MutableBytes staged = batch.stage(traits.chunk_bytes);
  table_->format()
      .unfiltered(ChunkEdge::partial)
      ->write_unfiltered(runs[0], values, ChunkEdge::partial, staged);
  const auto all = space::Selection::all(table_->grid().chunk());
  batch.add({all, all},
            {to_number(target.location.address), static_cast<std::uint32_t>(traits.element_bytes)}, staged);
}

/// Gives new unfiltered chunks their space.
void SelectedChunkWriter::allocate(SelectedGroup& group, std::span<Target> targets,
                                   io::SelectionWrites& batch) {
  const auto made = std::make_shared<std::vector<PendingWrite>>();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].way != Way::allocate) continue;
    PendingWrite& write = made->emplace_back();
    write.chunk = group.chunks()[i];
    write.edge = table_->geometry().edge(write.chunk);
    write.stored_bytes = table_->traits().chunk_bytes;
  }
  enter_when_sent(made, batch);
  auto next = made->begin();
  for (Target& target : targets)
    if (target.way == Way::allocate)
      target.location = {(next++)->address, table_->traits().chunk_bytes, 0, {}};
}

/// Encodes filtered chunks, and adds their bytes to the request.
void SelectedChunkWriter::encode(SelectedGroup& group, std::span<const Target> targets, const Values& values,
                                 io::SelectionWrites& batch) {
  std::vector<std::size_t> chunks;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].way == Way::encode) chunks.push_back(i);
  const auto runs = runs_of_chunks(group, chunks);
  const auto made = std::make_shared<std::vector<PendingWrite>>(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    (*made)[i].chunk = group.chunks()[chunks[i]];
    (*made)[i].edge = table_->geometry().edge((*made)[i].chunk);
    (*made)[i].before = targets[chunks[i]].location;
  }
  for_each(chunks.size(), options_.parallel, [&](std::size_t i) {
    PendingWrite& write = (*made)[i];
    write.stored = table_->format().write_stored(runs[i], values, write.edge);
    write.set_bytes(write.stored.bytes);
  });
  enter_when_sent(made, batch);
  for (const PendingWrite& write : *made) {
    batch.count_staged(write.bytes.size());
    batch.add_bytes(to_number(write.address), write.bytes);
  }
}

/// Gives chunks their space. They are entered into the index when they have been written. A chunk keeps its
/// address while its size stays the same.
void SelectedChunkWriter::enter_when_sent(const PendingWrites& made, io::SelectionWrites& batch) {
  if (made->empty()) return;
  const auto release = [table = table_, made] {
    for (const PendingWrite& write : *made)
      if (is_valid(write.address) && write.address != write.before.address)
        table->store().space().release(store::SpaceKind::raw, write.address, write.stored_bytes);
  };
  try {
    for (PendingWrite& write : *made) {
      const bool stays = is_valid(write.before.address) && write.before.stored_bytes == write.stored_bytes &&
                         table_->is_overwritable(write.edge);
      write.address = stays ? write.before.address
                            : table_->store().space().allocate(store::SpaceKind::raw, write.stored_bytes);
    }
  } catch (...) {
    release();
    throw;
  }
  batch.then([table = table_, made] { table->commit(*made, [] {}); }, release);
}

/// The chunks that elements are merged into, null for all others. Those that the cache does not have are read
/// together.
std::vector<DecodedChunkPointer> SelectedChunkWriter::load_merged(SelectedGroup& group,
                                                                  std::span<const Target> targets) const {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  std::vector<DecodedChunkPointer> decoded(chunks.size());
  std::vector<PendingRead> reads;
  std::vector<std::size_t> read_chunks;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (targets[i].way != Way::merge) continue;
    decoded[i] = table_->cache().find(table_->key(chunks[i]));
    if (decoded[i]) continue;
    if (!is_valid(targets[i].location.address)) {
      decoded[i] = table_->format().blank();
      continue;
    }
    reads.push_back({chunks[i], targets[i].location, table_->geometry().edge(chunks[i]), false, nullptr, {}});
    read_chunks.push_back(i);
  }
  ChunkLoader(*table_, options_.decoding).load(reads, nullptr);
  for (std::size_t i = 0; i < reads.size(); ++i) decoded[read_chunks[i]] = std::move(reads[i].decoded);
  return decoded;
}

void SelectedChunkWriter::merge(SelectedGroup& group, std::span<const Target> targets, const Values& values) {
  std::vector<DecodedChunkPointer> decoded = load_merged(group, targets);
  const auto keep = [&] {
    for (std::size_t i = 0; i < decoded.size(); ++i)
      if (decoded[i]) table_->cache().put_dirty(table_->key(group.chunks()[i]), std::move(decoded[i]));
  };
  try {
    for (const space::ChunkSelection& part : group.parts()) {
      const std::size_t at = group.index_of(part.chunk);
      if (decoded[at]) table_->format().write(writable(decoded[at]), runs_of(part), values);
    }
  } catch (...) {
    keep();  // some have changed
    throw;
  }
  keep();
}

}  // namespace filigree::chunk
