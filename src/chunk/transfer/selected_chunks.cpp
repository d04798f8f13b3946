// SPDX-License-Identifier: Apache-2.0
//
// The chunk cache and the file stay coherent in this way:
//
//  1. A read takes every cached chunk from the cache, dirty or not, and asks the driver for all others.
//  2. A write to a dirty chunk changes the cached chunk. It stays dirty.
//  3. A write to any other stored chunk drops the cached copy, which is clean, and changes the file.
//  4. A write of all elements of a chunk changes the file. A dirty copy is dropped when the request is done.
//  5. A write of some elements of a chunk that exists nowhere makes a dirty chunk in the cache.
//
// Chunks of an unexpected size, and chunks beyond the end of the file, are left to ChunkLoader, which reports
// what is wrong.
#include "chunk/transfer/selected_chunks.hpp"

#include <algorithm>

#include "chunk/table/chunk_allocation.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "space/cursor.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Parts that are looked up together.
constexpr std::size_t parts_per_group = 4096;

/// Calls `work(group)` for the parts of a transfer; all consecutive parts of a chunk are in one group.
template <class Work>
void for_each_part_group(const ChunkTable& table, const space::Matched& elements, Work work) {
  space::ChunkSelections parts(table.grid(), elements.file, elements.memory);
  SelectedGroup group;
  for (space::ChunkSelection part; parts.next(part);) {
    if (group.size() >= parts_per_group && part.chunk != group.last_chunk()) {
      work(group);
      group.clear();
    }
    group.add(std::move(part));
  }
  if (!group.empty()) work(group);
}

std::vector<space::ChunkRun> runs_of(const space::ChunkSelection& part) {
  std::vector<space::ChunkRun> runs;
  space::MatchedCursor cursor(part.elements.file, part.elements.memory);
  for (space::MatchedRun run; cursor.next(run);)
    runs.push_back({part.chunk, run.first, part.memory_start + run.second, run.length});
  return runs;
}

bool is_as_expected(const ChunkTable& table, const index::ChunkLocation& at) {
  const std::uint64_t bytes = table.traits().chunk_bytes;
  return at.stored_bytes == bytes && table.store().available(at.address) >= bytes;
}

SelectedPiece piece_at(const ChunkTable& table, Address at, const space::ChunkSelection& part) {
  return {part.elements, part.memory_start, to_number(at),
          static_cast<std::uint32_t>(table.traits().element_bytes)};
}

DecodedChunkPointer load(const ChunkTable& table, std::uint64_t chunk, const index::ChunkLocation& at) {
  PendingRead read{chunk, at, table.geometry().edge(chunk), false, nullptr, {}};
  ChunkLoader(table).load(std::span(&read, 1), nullptr);
  return std::move(read.decoded);
}

}  // namespace

bool transfers_selections(const ChunkTable& table) {
  const ChunkFormat& format = table.format();
  return format.unfiltered(ChunkEdge::full) != nullptr && format.unfiltered(ChunkEdge::partial) != nullptr &&
         format.defined_elements() == nullptr && format.sections() == nullptr;
}

// Groups.

void SelectedGroup::clear() {
  parts_.clear();
  chunks_.clear();
}

void SelectedGroup::add(space::ChunkSelection part) {
  if (chunks_.empty() || chunks_.back() != part.chunk) chunks_.push_back(part.chunk);
  parts_.push_back(std::move(part));
}

const std::vector<std::uint64_t>& SelectedGroup::chunks() {
  std::ranges::sort(chunks_);
  chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
  return chunks_;
}

std::size_t SelectedGroup::index_of(std::uint64_t chunk) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(chunks_, chunk) - chunks_.begin());
}

// Reading.

void SelectedChunkReader::read(const space::Matched& elements, const ValuesPointer& values,
                               io::SelectionReads& batch) const {
  for_each_part_group(table_, elements, [&](SelectedGroup& group) { read_group(group, values, batch); });
}

void SelectedChunkReader::read_group(SelectedGroup& group, const ValuesPointer& values,
                                     io::SelectionReads& batch) const {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  ChunkLookup found = table_.lookup(chunks);
  std::vector<Address> addresses(chunks.size(), Address::undefined);
  for (std::size_t i = 0; i < found.missing.size(); ++i) {
    const std::size_t at = found.missing[i];
    const index::ChunkLocation& location = found.locations[i];
    if (!is_valid(location.address)) {
      if (table_.traits().reads_blank) found.cached[at] = table_.blank();
    } else if (is_as_expected(table_, location)) {
      addresses[at] = location.address;
    } else {
      found.cached[at] = load(table_, chunks[at], location);
    }
  }
  for (const space::ChunkSelection& part : group.parts()) {
    const std::size_t at = group.index_of(part.chunk);
    if (found.cached[at]) {
      table_.format().read(*found.cached[at], runs_of(part), *values);
    } else if (is_valid(addresses[at])) {
      add_read(batch, piece_at(table_, addresses[at], part), values);
      batch.send_if_full();
    }
  }
}

// Writing.

void SelectedChunkWriter::write(const space::Matched& elements, const Values& values,
                                io::SelectionWrites& batch) {
  const bool is_set = elements.file.is_set();
  const bool covers_all = is_set && elements.file.elements() == table_->grid().extent().elements();
  if (!covers_all) allocate_before_write(*table_);
  if (table_->index().preallocates_chunks()) {
    table_->index().allocate();
    table_->publish_layout();
  }
  for_each_part_group(*table_, elements,
                      [&](SelectedGroup& group) { write_group(group, values, is_set, batch); });
  if (table_->cache().should_flush()) table_->flush();
}

/// A list of points never counts as complete: its parts may be in several groups.
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
    if (table_->cache().dirty(table_->key(chunks[i])) && !target.covered) continue;
    const bool usable =
        is_valid(target.location.address) && target.location.stored_bytes == table_->traits().chunk_bytes;
    if (usable) {
      target.way = Way::overwrite;
    } else if (target.covered) {
      target.way = Way::allocate;
    }
  }
  return targets;
}

void SelectedChunkWriter::write_group(SelectedGroup& group, const Values& values, bool is_set,
                                      io::SelectionWrites& batch) {
  std::vector<Target> targets = choose(group, is_set);
  merge(group, targets, values);
  allocate(group, targets, batch);
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
  if (!dirty.empty())
    batch.then(
        [table = table_, dirty = std::move(dirty)] { table->cache().forget(table->cache_owner(), dirty); });
  for (const space::ChunkSelection& part : group.parts()) {
    const Target& target = targets[group.index_of(part.chunk)];
    if (target.way == Way::merge) continue;
    const bool is_edge =
        target.way == Way::allocate && table_->geometry().edge(part.chunk) == ChunkEdge::partial;
    if (!is_edge) add_write(batch, piece_at(*table_, target.location.address, part), values);
  }
  for (std::size_t i = 0; i < chunks.size(); ++i)
    if (targets[i].way == Way::allocate && table_->geometry().edge(chunks[i]) == ChunkEdge::partial)
      write_edge(group, i, targets[i], values, batch);
  batch.send_if_full();
}

/// A new partial edge chunk is stored with its elements outside of the extent.
void SelectedChunkWriter::write_edge(SelectedGroup& group, std::size_t chunk, const Target& target,
                                     const Values& values, io::SelectionWrites& batch) {
  std::vector<space::ChunkRun> runs;
  for (const space::ChunkSelection& part : group.parts()) {
    if (group.index_of(part.chunk) != chunk) continue;
    const auto more = runs_of(part);
    runs.insert(runs.end(), more.begin(), more.end());
  }
  const ChunkTableTraits& traits = table_->traits();
  const MutableBytes staged = batch.stage(traits.chunk_bytes);
  table_->format().unfiltered(ChunkEdge::partial)->write_unfiltered(runs, values, ChunkEdge::partial, staged);
  const auto all = space::Selection::all(table_->grid().chunk());
  batch.add({all, all},
            {to_number(target.location.address), static_cast<std::uint32_t>(traits.element_bytes)}, staged);
}

/// Gives new chunks their space. They are entered into the index when they have been written.
void SelectedChunkWriter::allocate(SelectedGroup& group, std::span<Target> targets,
                                   io::SelectionWrites& batch) {
  const auto made = std::make_shared<std::vector<PendingWrite>>();
  const auto release = [table = table_, made] {
    for (const PendingWrite& write : *made)
      table->store().space().release(store::SpaceKind::raw, write.address, write.stored_bytes);
  };
  const std::uint64_t chunk_bytes = table_->traits().chunk_bytes;
  try {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].way != Way::allocate) continue;
      const Address at = table_->store().space().allocate(store::SpaceKind::raw, chunk_bytes);
      targets[i].location = {at, chunk_bytes, 0, {}};
      PendingWrite& write = made->emplace_back();
      write.chunk = group.chunks()[i];
      write.edge = table_->geometry().edge(write.chunk);
      write.stored_bytes = chunk_bytes;
      write.address = at;
    }
  } catch (...) {
    release();
    throw;
  }
  if (!made->empty()) batch.then([table = table_, made] { table->commit(*made, [] {}); }, release);
}

void SelectedChunkWriter::merge(SelectedGroup& group, std::span<const Target> targets, const Values& values) {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  std::vector<DecodedChunkPointer> decoded(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (targets[i].way != Way::merge) continue;
    decoded[i] = table_->cache().find(table_->key(chunks[i]));
    if (decoded[i]) continue;
    if (is_valid(targets[i].location.address)) {
      decoded[i] = load(*table_, chunks[i], targets[i].location);
    } else {
      decoded[i] = table_->format().blank();
    }
  }
  const auto keep = [&] {
    for (std::size_t i = 0; i < chunks.size(); ++i)
      if (decoded[i]) table_->cache().put_dirty(table_->key(chunks[i]), std::move(decoded[i]));
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
