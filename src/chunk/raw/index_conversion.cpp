// SPDX-License-Identifier: Apache-2.0
#include "chunk/raw/index_conversion.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/table/pending_chunks.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

constexpr std::size_t entries_per_batch = 4096;
constexpr std::uint64_t most_chunk_bytes = 0xffffffff;  // the size field of a version 1 B-tree

format::LayoutMessage old_layout(const format::LayoutMessage& now) {
  format::LayoutMessage layout;
  layout.version = 3;
  layout.layout = format::LayoutClass::chunked;
  layout.dims = now.dims;
  return layout;
}

void require_old_sizes(const index::IndexGrid& grid) {
  if (grid.chunk_bytes > most_chunk_bytes)
    throw Error(ErrorKind::limit, fmt::format("chunks have {} bytes, but the limit of the old format is {}",
                                              grid.chunk_bytes, most_chunk_bytes));
}

}  // namespace

IndexConversion::IndexConversion(ChunkTable& table, const index::DatasetFacts& facts)
    : table_(table), unfiltered_edges_(facts.filtered && table.index().layout().raw_partial_chunks) {
  require_old_sizes(table.index().grid());
  made_ = index::make_index(table.store(), old_layout(table.index().layout()), facts);
}

format::LayoutMessage IndexConversion::build() {
  if (!is_valid(table_.index().layout().address)) return made_->layout();
  try {
    made_->allocate();
    std::vector<std::uint64_t> from;
    for (bool more = true; more;)
      for (const Entry& entry : next_entries(from, more)) insert(entry);
  } catch (...) {
    undo();
    throw;
  }
  return made_->layout();
}

/// Returns some chunks that are not before `from`, and sets `from` to the next one. The index is not changed
/// while it is visited.
std::vector<IndexConversion::Entry> IndexConversion::next_entries(std::vector<std::uint64_t>& from,
                                                                  bool& more) const {
  std::vector<Entry> entries;
  more = false;
  table_.index().for_each(
      [&](index::ChunkCoordinates at, const index::ChunkLocation& location) {
        if (entries.size() == entries_per_batch) {
          from.assign(at.begin(), at.end());
          more = true;
          return false;
        }
        entries.push_back({{at.begin(), at.end()}, location});
        return true;
      },
      from);
  return entries;
}

void IndexConversion::insert(const Entry& entry) {
  made_->insert(entry.at, must_filter(entry) ? store_filtered(entry) : entry.location);
}

bool IndexConversion::must_filter(const Entry& entry) const {
  if (!unfiltered_edges_ || !table_.index().grid().inside(entry.at)) return false;
  return table_.geometry().edge_at(entry.at) == ChunkEdge::partial;
}

index::ChunkLocation IndexConversion::store_filtered(const Entry& entry) {
  store::FileStore& file = table_.store();
  const Buffer bytes = file.read(entry.location.address, entry.location.stored_bytes, "chunk");
  const auto decoded = table_.format().decode(view_of(entry.location, bytes, ChunkEdge::partial));
  const StoredChunk filtered = table_.format().encode(*decoded, ChunkEdge::full);
  index::ChunkLocation location{Address::undefined, filtered.bytes.size(), filtered.info.filter_mask, {}};
  location.address = file.space().allocate(store::SpaceKind::raw, filtered.bytes.size());
  added_.push_back(location);
  file.write(location.address, filtered.bytes);
  replaced_.push_back(entry.location);
  return location;
}

void IndexConversion::undo() {
  try {
    for (const index::ChunkLocation& chunk : added_)
      table_.store().space().release(store::SpaceKind::raw, chunk.address, chunk.stored_bytes);
    made_->destroy([](index::ChunkCoordinates, const index::ChunkLocation&) {});
  } catch (...) {  // best effort: the original error is already being reported
  }
}

void IndexConversion::finish() {
  if (!is_valid(table_.index().layout().address)) return;
  store::Space& space = table_.store().space();
  for (const index::ChunkLocation& chunk : replaced_)
    space.release(store::SpaceKind::raw, chunk.address, chunk.stored_bytes);
  if (table_.index().preallocates_chunks()) return release_unused_preallocated();
  table_.index().destroy([](index::ChunkCoordinates, const index::ChunkLocation&) {});
}

/// Frees the space of preallocated chunks beyond the extent, which the new index does not have.
void IndexConversion::release_unused_preallocated() {
  const index::IndexGrid& grid = table_.index().grid();
  std::uint64_t all = grid.chunk_bytes;
  for (const std::uint64_t count : grid.max_counts) all *= count;
  std::vector<std::uint64_t> used;
  made_->for_each([&](index::ChunkCoordinates, const index::ChunkLocation& location) {
    used.push_back(to_number(location.address));
    return true;
  });
  std::ranges::sort(used);
  std::uint64_t at = to_number(table_.index().layout().address);
  const std::uint64_t end = at + all;
  used.push_back(end);
  for (const std::uint64_t next : used) {
    if (next > at) table_.store().space().release(store::SpaceKind::raw, to_address(at), next - at);
    at = next + grid.chunk_bytes;
  }
}

}  // namespace filigree::chunk
