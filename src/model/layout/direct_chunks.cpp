// SPDX-License-Identifier: Apache-2.0
#include "model/layout/direct_chunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

std::shared_ptr<chunk::ChunkTable> DirectChunks::open() const {
  File& file = dataset_.file();
  file.store();  // throws if the file has been closed
  if (auto found = file.chunks().find(dataset_.header())) return found;
  const Dataset current(file, dataset_.header());
  return current.layout().open_chunks(current);
}

std::shared_ptr<chunk::ChunkTable> DirectChunks::open_dense() const {
  auto chunks = open();
  if (chunks->index().layout().layout == format::LayoutClass::structured) {
    throw Error(ErrorKind::unsupported,
                "the chunks of this dataset have several sections: read and write them section by section");
  }
  return chunks;
}

DirectChunks::ChunkCoordinates DirectChunks::chunk_of(const chunk::ChunkTable& chunks, Coordinates element) {
  const auto& extent = chunks.geometry().dims();
  if (element.size() != extent.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} coordinates for a dataset of {} dimensions", element.size(), extent.size()));
  }
  ChunkCoordinates scaled{};
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (element[d] >= extent[d]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("({}) lies outside of the dataset, whose dimensions are ({})",
                              fmt::join(element, ", "), fmt::join(extent, ", ")));
    }
    scaled[d] = element[d] / chunks.grid().chunk().dims()[d];
  }
  return scaled;
}

DirectChunks::ChunkCoordinates DirectChunks::chunk_at_corner(const chunk::ChunkTable& chunks,
                                                             Coordinates corner) {
  const ChunkCoordinates scaled = chunk_of(chunks, corner);
  const space::ChunkGrid& grid = chunks.grid();
  for (std::size_t d = 0; d < corner.size(); ++d) {
    if (corner[d] == scaled[d] * grid.chunk().dims()[d]) continue;
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("({}) is not the first element of a chunk: coordinate {} must be a multiple of {}",
                    fmt::join(corner, ", "), d, grid.chunk().dims()[d]));
  }
  return scaled;
}

void DirectChunks::flush_one(chunk::ChunkTable& chunks, Coordinates scaled) const {
  if (!chunks.is_dirty(scaled)) return;
  const Change change(dataset_.file(), "write a chunk");
  chunks.flush_chunk(scaled);
}

void DirectChunks::describe(const chunk::ChunkTable& chunks, Coordinates scaled,
                            const index::ChunkLocation& location, ChunkInfo& info) const {
  const space::ChunkGrid& grid = chunks.grid();
  info.offset.resize(scaled.size());
  for (std::size_t d = 0; d < scaled.size(); ++d) info.offset[d] = scaled[d] * grid.chunk().dims()[d];
  info.filter_mask = location.filter_mask;
  info.address = dataset_.file().store().base() + to_number(location.address);
  info.stored_bytes = location.stored_bytes;
  const format::LayoutMessage& layout = chunks.index().layout();
  info.sections.clear();
  if (layout.layout != format::LayoutClass::structured) return;
  const auto kinds = section_kinds(layout);
  const auto facts = chunk::ConstRawChunks(chunks).describe_sections(scaled, location);
  for (std::size_t i = 0; i < facts.size(); ++i)
    info.sections.push_back({kinds.at(i), facts[i].filter_mask, facts[i].bytes, facts[i].original_bytes});
}

bool DirectChunks::is_committed(Coordinates corner, const chunk::RawChunkAllocation& allocation) const {
  const auto chunks = open();
  ChunkCoordinates scaled{};
  try {
    scaled = chunk_at_corner(*chunks, corner);
  } catch (const Error&) {
    return false;  // the extent has shrunk
  }
  const auto now = chunk::ConstRawChunks(*chunks).find(of_rank(scaled, corner));
  return now && now->address == allocation.address;
}

void DirectChunks::release(Coordinates corner, const chunk::RawChunkAllocation& allocation) const {
  File& file = dataset_.file();
  try {
    const Change change(file, "free space");
    if (is_committed(corner, allocation)) return;
    file.store().space().release(store::SpaceKind::raw, allocation.address, allocation.bytes);
  } catch (...) {  // best effort: the original error is already being reported
  }
}

void DirectChunks::write(Coordinates corner, Bytes bytes, std::uint32_t filter_mask) const {
  File& file = dataset_.file();
  chunk::RawChunkAllocation allocation;
  {
    const Change change(file, "write a chunk");
    const auto chunks = open_dense();
    const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
    chunk::RawChunks raw(*chunks);
    allocation = raw.allocate(of_rank(scaled, corner), bytes.size());
    if (allocation.replaced_in_place) {
      // The lock is kept: otherwise another thread could move the chunk and reuse its space.
      file.store().write(allocation.address, bytes);
      raw.commit(of_rank(scaled, corner), allocation, {filter_mask, {}});
      return;
    }
  }
  try {
    file.store().write(allocation.address, bytes);
    const Change change(file, "write a chunk");
    const auto chunks = open_dense();
    // The extent may have changed meanwhile.
    const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
    chunk::RawChunks(*chunks).commit(of_rank(scaled, corner), allocation, {filter_mask, {}});
  } catch (...) {
    release(corner, allocation);
    throw;
  }
}

index::ChunkLocation DirectChunks::find_stored(chunk::ChunkTable& chunks, Coordinates scaled,
                                               Coordinates corner) const {
  flush_one(chunks, scaled);
  if (const auto location = chunk::ConstRawChunks(chunks).find(scaled)) return *location;
  throw Error(ErrorKind::not_found,
              fmt::format("the chunk at ({}) was never written", fmt::join(corner, ", ")));
}

index::ChunkLocation DirectChunks::read_stored(chunk::ChunkTable& chunks, Coordinates scaled,
                                               Coordinates corner, Buffer& into) const {
  const index::ChunkLocation location = find_stored(chunks, scaled, corner);
  chunk::ConstRawChunks(chunks).read(location, into);
  return location;
}

std::uint32_t DirectChunks::read(Coordinates corner, Buffer& into) const {
  const auto chunks = open_dense();
  const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
  return read_stored(*chunks, of_rank(scaled, corner), corner, into).filter_mask;
}

std::vector<SectionKind> section_kinds(const format::LayoutMessage& layout) {
  if (layout.layout != format::LayoutClass::structured) return {};
  std::vector<SectionKind> kinds;
  if (layout.composition.sparse()) kinds.push_back(SectionKind::selection);
  kinds.push_back(SectionKind::elements);
  if (layout.composition.has_heap()) kinds.push_back(SectionKind::heap);
  return kinds;
}

std::vector<SectionKind> portable_section_kinds() { return {SectionKind::selection, SectionKind::elements}; }

void DirectChunks::write_sections(Coordinates corner, std::span<const SectionBytes> sections) const {
  File& file = dataset_.file();
  std::vector<chunk::RawSection> given;
  for (const SectionBytes& s : sections) given.push_back({s.bytes, s.filter_mask, s.original_bytes});
  auto chunks = open();
  Dataset(file, dataset_.header()).messages().require_known("write a chunk");
  const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
  const std::vector<std::uint64_t> extent = chunks->geometry().dims();
  chunk::StoredChunk encoded = chunk::ConstRawChunks(*chunks).assemble(of_rank(scaled, corner), given);

  const Change change(file, "write a chunk");
  chunks = open();
  if (chunks->geometry().dims() != extent) {  // resized meanwhile
    chunk_at_corner(*chunks, corner);
    encoded = chunk::ConstRawChunks(*chunks).assemble(of_rank(scaled, corner), given);
  }
  chunk::RawChunks raw(*chunks);
  const auto allocation = raw.allocate(of_rank(scaled, corner), encoded.bytes.size());
  try {
    file.store().write(allocation.address, encoded.bytes);
    raw.commit(of_rank(scaled, corner), allocation, encoded.info);
  } catch (...) {
    if (!allocation.replaced_in_place) release(corner, allocation);
    throw;
  }
}

std::vector<RawSection> DirectChunks::read_sections(Coordinates corner) const {
  const auto chunks = open();
  const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
  Buffer stored;
  const auto location = read_stored(*chunks, of_rank(scaled, corner), corner, stored);
  std::vector<RawSection> sections;
  for (const chunk::RawSection& s :
       chunk::ConstRawChunks(*chunks).split(stored, of_rank(scaled, corner), location))
    sections.push_back({{s.bytes.begin(), s.bytes.end()}, s.filter_mask, s.original_bytes});
  return sections;
}

std::vector<SectionInfo> DirectChunks::describe_sections(Coordinates corner) const {
  const auto chunks = open();
  const ChunkCoordinates scaled = chunk_at_corner(*chunks, corner);
  const auto location = find_stored(*chunks, of_rank(scaled, corner), corner);
  const bool portable = chunks->format().envelope() != nullptr;
  const auto kinds = portable ? portable_section_kinds() : section_kinds(chunks->index().layout());
  const auto facts = chunk::ConstRawChunks(*chunks).describe_split(of_rank(scaled, corner), location);
  std::vector<SectionInfo> info;
  for (std::size_t i = 0; i < facts.size(); ++i)
    info.push_back({kinds.at(i), facts[i].filter_mask, facts[i].bytes, facts[i].original_bytes});
  return info;
}

std::optional<ChunkInfo> DirectChunks::find(Coordinates element) const {
  const auto chunks = open();
  const ChunkCoordinates scaled = chunk_of(*chunks, element);
  flush_one(*chunks, of_rank(scaled, element));
  const auto location = chunk::ConstRawChunks(*chunks).find(of_rank(scaled, element));
  if (!location) return std::nullopt;
  ChunkInfo info;
  describe(*chunks, of_rank(scaled, element), *location, info);
  return info;
}

}  // namespace filigree::model
