// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/eraser.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/sparse/selection_shape.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/transfer/chunk_loader.hpp"

namespace filigree::chunk {

void Eraser::erase(const space::Selection& selection) {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  std::vector<CandidateChunk> chunks;
  for_each_chunk(
      table_, selection,
      [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location,
          const DecodedChunkPointer& newer) {
        chunks.push_back({table_.grid().chunks().offset(at), {at.begin(), at.end()}, location, newer, {}});
      });
  if (is_large_pattern(selection)) return erase_pattern(selection.slab(), chunks);
  if (is_box(selection, *bounds)) return erase_box(*bounds, chunks);
  erase_pieces(selection, chunks);
}

void Eraser::erase_box(const space::Bounds& bounds, std::span<const CandidateChunk> chunks) {
  for (const CandidateChunk& one : chunks) {
    const space::Bounds box = box_in_chunk(table_.grid(), one.at, bounds);
    erase_part(one, elements_of(box),
               [&](const space::RunSet& all) { return elements_in_box(table_.grid().chunk(), all, box); });
  }
}

void Eraser::erase_pattern(const space::Slab& slab, std::span<const CandidateChunk> chunks) {
  const space::Frame& chunk = table_.grid().chunk();
  for (const CandidateChunk& one : chunks) {
    std::vector<std::uint64_t> corner(one.at.begin(), one.at.end());
    for (std::size_t d = 0; d < corner.size(); ++d) corner[d] *= chunk.dims()[d];
    erase_part(one, 0, [&](const space::RunSet& all) { return elements_in_slab(chunk, all, corner, slab); });
  }
}

void Eraser::erase_pieces(const space::Selection& selection, std::span<CandidateChunk> chunks) {
  std::ranges::sort(chunks, {}, &CandidateChunk::chunk);
  std::vector<space::RunSet> selected(chunks.size());
  const space::Selection memory = space::Selection::all(space::Frame({selection.elements()}));
  space::Partition partition(table_.grid(), selection, memory);
  for (std::vector<space::ChunkPiece> pieces; partition.next_batch(pieces);) {
    for (const space::ChunkPiece& piece : pieces) {
      const auto one = std::ranges::lower_bound(chunks, piece.chunk, {}, &CandidateChunk::chunk);
      if (one == chunks.end() || one->chunk != piece.chunk) continue;
      std::vector<space::Run> runs;
      for (const space::ChunkRun& run : piece.runs) runs.push_back({run.chunk_offset, run.length});
      space::RunSet& set = selected[static_cast<std::size_t>(one - chunks.begin())];
      set = space::combine(set, space::SetOperator::unite, space::RunSet::of_runs(std::move(runs)));
    }
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!selected[i].empty())
      erase_part(chunks[i], selected[i].elements(), [&](const space::RunSet&) { return selected[i]; });
  }
}

void Eraser::erase_part(const CandidateChunk& one, std::uint64_t selected, Choose choose) {
  if (selected == table_.geometry().elements_inside(one.chunk)) return table_.remove(one.at);
  std::array<PendingRead, 1> read{
      {{one.chunk, one.location, table_.geometry().edge(one.chunk), false, nullptr, one.decoded}}};
  if (!one.decoded) ChunkLoader(table_).load(read, nullptr);
  const space::RunSet erased = choose(defined_.defined(*read[0].decoded));
  if (erased.empty()) return;
  auto changed = table_.format().copy(*read[0].decoded);
  table_.format().erase(*changed, erased);
  if (defined_.is_empty(*changed)) return table_.remove(one.at);
  table_.cache().put_dirty(table_.key(one.chunk), std::move(changed));
}

}  // namespace filigree::chunk
