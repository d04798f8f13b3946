// SPDX-License-Identifier: Apache-2.0
#include "chunk/raw/resizer.hpp"

#include <algorithm>
#include <set>

#include <filigree/error.hpp>

#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/table/excerpt_table.hpp"
#include "chunk/transfer/batches.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

void Resizer::resize(std::span<const std::uint64_t> extent) {
  if (table_.store().swmr_writer() && table_.traits().format.partial_edges_differ) {
    // A SWMR reader could not tell by which extent the chunks at the edge were encoded.
    throw Error(ErrorKind::unsupported,
                "a dataset whose partial edge chunks are not filtered cannot be resized during SWMR writing");
  }
  table_.flush();
  table_.drop_cached();
  const ChunkGeometry before = table_.geometry();
  remove_outside(extent);
  table_.set_extent(extent);
  if (table_.geometry().is_huge()) {
    rewrite_one_by_one(before);
  } else {
    rewrite_in_groups(before);
  }
  table_.publish_layout();
}

void Resizer::rewrite_in_groups(const ChunkGeometry& before) {
  std::vector<std::uint64_t> cut;
  find_cut(before.dims(),
           [&](std::span<const std::uint64_t> at) { cut.push_back(table_.grid().chunks().offset(at)); });
  std::ranges::sort(cut);
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  const std::size_t most = table_.chunks_per_group();
  for (std::size_t first = 0; first < cut.size(); first += most)
    rewrite(std::span(cut).subspan(first, std::min(most, cut.size() - first)),
            [&](std::uint64_t chunk) { return before.edge_at(table_.geometry().coordinates(chunk)); });
}

/// Chunks of an extent of 2^64 elements or more have no numbers. Each gets one in an excerpt.
void Resizer::rewrite_one_by_one(const ChunkGeometry& before) {
  std::set<std::vector<std::uint64_t>> cut;
  find_cut(before.dims(), [&](std::span<const std::uint64_t> at) { cut.emplace(at.begin(), at.end()); });
  for (const std::vector<std::uint64_t>& at : cut) {
    std::vector<std::vector<space::Excerpt::Interval>> intervals;
    for (const std::uint64_t one : at) intervals.push_back({{one, one}});
    const auto excerpt = std::make_shared<const space::Excerpt>(
        table_.geometry().dims(), table_.grid().chunk().dims(), std::move(intervals));
    const auto table = make_excerpt_table(table_, excerpt);
    const std::uint64_t only = 0;
    Resizer(*table).rewrite({&only, 1}, [&](std::uint64_t) { return before.edge_at(at); });
  }
}

void Resizer::remove_outside(std::span<const std::uint64_t> extent) {
  const ChunkGeometry& before = table_.geometry();
  std::vector<PendingRead> removed;
  try {
    table_.index().resize(
        extent, [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location) {
          if (!table_.callbacks().elements_removed) {
            table_.store().space().release(store::SpaceKind::raw, location.address, location.stored_bytes);
            return;
          }
          ChunkGeometry::Coordinates coordinates{};
          std::ranges::copy(at, coordinates.begin());
          PendingRead& read = removed.emplace_back();
          read.location = location;
          read.edge = before.edge_at(coordinates);
        });
  } catch (...) {
    release(removed);
    throw;
  }
  release(removed);
}

/// Frees chunks that were removed from the index, and tells the owner of the table what was in them.
void Resizer::release(std::span<PendingRead> removed) {
  for (std::size_t i = 0; i < removed.size(); ++i) {
    try {
      ChunkLoader(table_).load(removed.subspan(i, 1), nullptr);
      table_.callbacks().elements_removed(all_values(*removed[i].decoded), {});
    } catch (const Error&) {
      // Heap values of a damaged chunk stay; the chunk is freed.
    }
    removed[i].decoded.reset();
    table_.store().space().release(store::SpaceKind::raw, removed[i].location.address,
                                   removed[i].location.stored_bytes);
  }
}

/// Visits the chunks whose stored bytes depend on the change of the extent, some of them several times.
void Resizer::find_cut(const std::vector<std::uint64_t>& before, CutVisitor visit) const {
  const std::vector<std::uint64_t>& extent = table_.geometry().dims();
  // The part that only the new extent has was never written, even if the index preallocates chunks.
  space::Bounds common{std::vector<std::uint64_t>(extent.size(), 0), {}};
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (before[d] == 0 || extent[d] == 0) return;
    common.high.push_back(std::min(before[d], extent[d]) - 1);
  }
  for (std::size_t d = 0; d < extent.size(); ++d) {
    const std::uint64_t dim = table_.grid().chunk().dims()[d];
    const std::uint64_t smaller = std::min(before[d], extent[d]);
    const bool matters =
        before[d] > extent[d] || (before[d] < extent[d] && table_.traits().format.partial_edges_differ);
    if (!matters || smaller % dim == 0) continue;
    // The row of chunks in which the smaller extent ends.
    auto last = common;
    last.low[d] = smaller / dim * dim;
    for_each_chunk(table_, last,
                   [&](std::span<const std::uint64_t> at, const index::ChunkLocation&,
                       const DecodedChunkPointer&) { visit(at); });
  }
}

/// The chunks as they are stored. Whether they are filtered depends on the former extent.
std::vector<PendingRead> Resizer::load_stored(std::span<const std::uint64_t> chunks,
                                              EdgeBefore edge_before) const {
  const auto locations = table_.locate(chunks);
  std::vector<PendingRead> reads;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!is_valid(locations[i].address)) continue;
    reads.push_back({chunks[i], locations[i], edge_before(chunks[i]), false, nullptr, {}});
  }
  ChunkLoader(table_).load(reads, nullptr);
  return reads;
}

void Resizer::rewrite(std::span<const std::uint64_t> chunks, EdgeBefore edge_before) {
  const std::vector<PendingRead> reads = load_stored(chunks, edge_before);
  const auto& elements_removed = table_.callbacks().elements_removed;
  std::vector<Buffer> values(elements_removed ? reads.size() : 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = all_values(*reads[i].decoded);
  for_each(reads.size(), true,
           [&](std::size_t i) { erase_outside(reads[i].chunk, writable(reads[i].decoded)); });
  for (const PendingRead& read : reads) table_.separate_values(read.decoded);
  std::vector<PendingWrite> writes(reads.size());
  for_each(reads.size(), true, [&](std::size_t i) {
    const DecodedChunk& decoded = *reads[i].decoded;
    writes[i].chunk = reads[i].chunk;
    if (!is_empty(decoded))
      writes[i].set_bytes(
          encode_view(format_, decoded, table_.geometry().edge(reads[i].chunk), writes[i].stored));
  });
  for (const PendingWrite& write : writes) {
    if (write.stored_bytes == 0)
      table_.remove({table_.geometry().coordinates(write.chunk).data(), table_.grid().chunk().rank()});
  }
  std::erase_if(writes, [](const PendingWrite& write) { return write.stored_bytes == 0; });
  table_.commit(writes);
  for (std::size_t i = 0; i < values.size(); ++i) elements_removed(values[i], all_values(*reads[i].decoded));
}

void Resizer::erase_outside(std::uint64_t chunk, DecodedChunk& decoded) const {
  const space::Frame& frame = table_.grid().chunk();
  const auto at = table_.geometry().coordinates(chunk);
  space::Bounds inside{std::vector<std::uint64_t>(frame.rank(), 0), {}};
  for (std::size_t d = 0; d < frame.rank(); ++d) {
    const std::uint64_t dim = table_.grid().extent().dims()[d] - at[d] * frame.dims()[d];
    inside.high.push_back(std::min(frame.dims()[d], dim) - 1);
  }
  const space::RunSet held = elements_held(format_, decoded, frame.elements());
  format_.erase(decoded,
                space::combine(held, space::SetOperator::subtract, elements_in_box(frame, held, inside)));
}

bool Resizer::is_empty(const DecodedChunk& decoded) const {
  const DefinedElements* const defined = format_.defined_elements();
  return defined != nullptr && defined->is_empty(decoded);
}

Buffer Resizer::all_values(const DecodedChunk& decoded) const {
  Buffer values;
  format_.for_each_value(decoded, [&](Bytes some) { values.insert(values.end(), some.begin(), some.end()); });
  return values;
}

}  // namespace filigree::chunk
