// SPDX-License-Identifier: Apache-2.0
//
// Chunks of an unexpected size, and chunks beyond the end of the file, are left to ChunkLoader, which reports
// what is wrong. See selected_chunk_writer.cpp for how the cache and the file stay coherent.
#include "chunk/transfer/selected_chunk_reader.hpp"

#include "chunk/transfer/chunk_loader.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

void SelectedChunkReader::read(const space::Matched& elements, const ValuesPointer& values,
                               io::SelectionReads& batch) const {
  for_each_part_group(*table_, elements, [&](SelectedGroup& group) { read_group(group, values, batch); });
}

SelectedChunkReader::Chunk SelectedChunkReader::find_stored(std::uint64_t chunk,
                                                            const index::ChunkLocation& at) const {
  const ChunkEdge edge = table_->geometry().edge(chunk);
  const bool is_in_file = table_->store().available(at.address) >= at.stored_bytes;
  if (is_in_file && !stores_elements(*table_, edge)) return {Source::stored_bytes, nullptr, at};
  if (is_in_file && at.stored_bytes == table_->traits().chunk_bytes) return {Source::elements, nullptr, at};
  PendingRead read{chunk, at, edge, false, nullptr, {}};
  ChunkLoader(*table_, decoding_).load(std::span(&read, 1), nullptr);
  return {Source::cache, std::move(read.decoded), {}};
}

std::vector<SelectedChunkReader::Chunk> SelectedChunkReader::find(SelectedGroup& group) const {
  const std::vector<std::uint64_t>& chunks = group.chunks();
  ChunkLookup found = table_->lookup(chunks);
  std::vector<Chunk> sources(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) sources[i].decoded = std::move(found.cached[i]);
  for (std::size_t i = 0; i < found.missing.size(); ++i) {
    Chunk& missing = sources[found.missing[i]];
    if (is_valid(found.locations[i].address)) {
      missing = find_stored(chunks[found.missing[i]], found.locations[i]);
    } else if (table_->traits().reads_blank) {
      missing.decoded = table_->blank();
    } else {
      missing.source = Source::nothing;
    }
  }
  return sources;
}

void SelectedChunkReader::read_group(SelectedGroup& group, const ValuesPointer& values,
                                     io::SelectionReads& batch) const {
  const std::vector<Chunk> chunks = find(group);
  const auto element_bytes = static_cast<std::uint32_t>(table_->traits().element_bytes);
  StagedChunks staged(table_, decoding_, parallel_);
  for (const space::ChunkSelection& part : group.parts()) {
    const Chunk& chunk = chunks[group.index_of(part.chunk)];
    switch (chunk.source) {
      case Source::cache:
        table_->format().read(*chunk.decoded, runs_of(part), *values);
        break;
      case Source::elements:
        add_read(batch, {part.elements, part.memory_start, to_number(chunk.location.address), element_bytes},
                 values);
        break;
      case Source::stored_bytes:
        staged.add(part.chunk, chunk.location, batch);
        staged.add_part(part);
        break;
      case Source::nothing:
        break;
    }
    if (!batch.is_full()) continue;
    staged.finish(values, batch);
    batch.send();
  }
  staged.finish(values, batch);
}

}  // namespace filigree::chunk
