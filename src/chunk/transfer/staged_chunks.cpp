// SPDX-License-Identifier: Apache-2.0
#include "chunk/transfer/staged_chunks.hpp"

#include "chunk/transfer/batches.hpp"
#include "chunk/transfer/selected_group.hpp"

namespace filigree::chunk {

void StagedChunks::add(std::uint64_t chunk, const index::ChunkLocation& at, io::SelectionReads& batch) {
  if (staged_.contains(chunk)) return;
  const MutableBytes bytes = batch.stage(at.stored_bytes);
  batch.add_bytes(to_number(at.address), bytes);
  staged_[chunk] = {chunk, at, bytes, {}};
}

void StagedChunks::finish(const ValuesPointer& values, io::SelectionReads& batch) {
  if (staged_.empty()) return;
  std::vector<StagedChunk> chunks;
  for (auto& [chunk, staged] : staged_) chunks.push_back(std::move(staged));
  staged_.clear();
  batch.then(
      [table = table_, decoding = decoding_, parallel = parallel_, values, chunks = std::move(chunks)] {
        for_each(chunks.size(), parallel,
                 [&](std::size_t i) { decode(*table, chunks[i], values.get(), decoding); });
      });
}

void StagedChunks::decode(const ChunkTable& table, const StagedChunk& staged, const Values* values,
                          filter::Decoding decoding) {
  const ChunkFormat& format = table.format();
  DecodedChunkPointer decoded =
      format.decode(view_of(staged.location, staged.bytes, table.geometry().edge(staged.chunk), decoding));
  std::uint64_t elements = 0;
  for (const space::ChunkSelection& part : staged.parts) {
    format.read(*decoded, runs_of(part), *values);
    elements += part.elements.file.elements();
  }
  // What a handler let pass is not what others expect of the chunk.
  if (decoding.on_fault != nullptr) return;
  const bool is_read_completely = elements >= table.geometry().elements_inside(staged.chunk);
  if (is_read_completely && table.cache().bypasses_whole_reads()) return table.cache().count_bypass(1);
  table.cache().put(table.key(staged.chunk), std::move(decoded), is_read_completely);
}

}  // namespace filigree::chunk
