// SPDX-License-Identifier: Apache-2.0
#include "model/layout/direct_chunks.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "chunk/raw/raw_chunks.hpp"
#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

using ChunkCoordinates = std::array<std::uint64_t, space::max_rank>;

/// Opens the chunks. The table is looked up again each time, because other threads may have changed it.
std::shared_ptr<chunk::ChunkTable> open_chunks(File& file, Address header) {
  file.store();  // throws if the file has been closed
  if (auto found = file.chunks().find(header)) return found;
  const Dataset dataset(file, header);
  return dataset.layout().open_chunks(dataset);
}

/// Opens the chunks of a dataset whose chunks have no sections.
std::shared_ptr<chunk::ChunkTable> open_dense_chunks(File& file, Address dataset) {
  auto chunks = open_chunks(file, dataset);
  if (chunks->index().layout().layout == format::LayoutClass::structured) {
    throw Error(ErrorKind::unsupported,
                "the chunks of this dataset have several sections: read and write them section by section");
  }
  return chunks;
}

/// Returns the chunk that contains the element.
ChunkCoordinates chunk_of(const space::ChunkGrid& grid, Coordinates element) {
  const auto& extent = grid.extent().dims();
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
    scaled[d] = element[d] / grid.chunk().dims()[d];
  }
  return scaled;
}

ChunkCoordinates chunk_at_corner(const space::ChunkGrid& grid, Coordinates corner) {
  const ChunkCoordinates scaled = chunk_of(grid, corner);
  for (std::size_t d = 0; d < corner.size(); ++d) {
    if (corner[d] == scaled[d] * grid.chunk().dims()[d]) continue;
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("({}) is not the first element of a chunk: coordinate {} must be a multiple of {}",
                    fmt::join(corner, ", "), d, grid.chunk().dims()[d]));
  }
  return scaled;
}

Coordinates of_rank(const ChunkCoordinates& scaled, Coordinates like) { return {scaled.data(), like.size()}; }

void flush_one(File& file, chunk::ChunkTable& chunks, Coordinates scaled) {
  if (!chunks.is_dirty(scaled)) return;
  const Change change(file, "write a chunk");
  chunks.flush_chunk(scaled);
}

/// Fills `info`, and reuses its memory.
void describe(const File& file, const chunk::ChunkTable& chunks, Coordinates scaled,
              const index::ChunkLocation& location, ChunkInfo& info) {
  const space::ChunkGrid& grid = chunks.grid();
  info.offset.resize(scaled.size());
  for (std::size_t d = 0; d < scaled.size(); ++d) info.offset[d] = scaled[d] * grid.chunk().dims()[d];
  info.filter_mask = location.filter_mask;
  info.address = file.store().base() + to_number(location.address);
  info.stored_bytes = location.stored_bytes;
  const format::LayoutMessage& layout = chunks.index().layout();
  info.sections.clear();
  if (layout.layout != format::LayoutClass::structured) return;
  const auto kinds = section_kinds(layout);
  const auto facts = chunk::ConstRawChunks(chunks).describe_sections(scaled, location);
  for (std::size_t i = 0; i < facts.size(); ++i)
    info.sections.push_back({kinds.at(i), facts[i].filter_mask, facts[i].bytes, facts[i].original_bytes});
}

/// Returns whether a regular selection has coordinates in [low, end) of this dimension.
bool intersects(const space::SlabDimension& dim, std::uint64_t low, std::uint64_t end) {
  if (dim.count == 0 || dim.block == 0 || dim.start >= end || dim.last() < low) return false;
  // The first block that ends after `low`.
  const std::uint64_t first_end = dim.start + dim.block;
  const std::uint64_t block = low < first_end ? 0 : (low - first_end) / dim.stride + 1;
  return block < dim.count && dim.start + block * dim.stride < end;
}

/// The chunks of a grid that contain selected elements.
class TouchedChunks {
 public:
  TouchedChunks(const space::ChunkGrid& grid, const space::Selection& selection)
      : grid_(grid),
        selection_(selection),
        regular_(selection.kind() == space::Selection::Kind::regular ||
                 selection.kind() == space::Selection::Kind::all) {
    if (regular_) return;
    const auto memory = space::Selection::all(space::Frame({selection.elements()}));
    space::Partition partition(grid, selection, memory);
    for (space::ChunkPiece piece; partition.next(piece);) chunks_.push_back(piece.chunk);
    std::ranges::sort(chunks_);
    chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
  }

  bool contains(Coordinates scaled) const {
    if (!grid_.chunks().contains(scaled)) return false;
    if (!regular_) return std::ranges::binary_search(chunks_, grid_.chunks().offset(scaled));
    for (std::size_t d = 0; d < scaled.size(); ++d) {
      const std::uint64_t dim = grid_.chunk().dims()[d];
      const std::uint64_t low = scaled[d] * dim;
      const std::uint64_t rest = grid_.extent().dims()[d] - low;
      if (!intersects(selection_.slab().dims()[d], low, low + std::min(dim, rest))) return false;
    }
    return true;
  }

 private:
  const space::ChunkGrid& grid_;
  const space::Selection& selection_;
  bool regular_;
  std::vector<std::uint64_t> chunks_;  ///< ascending; empty for regular selections
};

ChunkCacheCounters to_public(const chunk::ChunkCacheCounters& c) {
  return {c.hits, c.misses, c.evictions, c.bypasses, c.bytes, c.dirty_bytes};
}

/// Returns whether the index refers to this allocation.
bool is_committed(File& file, Address dataset, Coordinates corner,
                  const chunk::RawChunkAllocation& allocation) {
  const auto chunks = open_chunks(file, dataset);
  ChunkCoordinates scaled{};
  try {
    scaled = chunk_at_corner(chunks->grid(), corner);
  } catch (const Error&) {
    return false;  // the extent has shrunk
  }
  const auto now = chunk::ConstRawChunks(*chunks).find(of_rank(scaled, corner));
  return now && now->address == allocation.address;
}

/// Frees the space of a failed write, unless the index already refers to it.
/// Requires: the chunk is not replaced in place.
void release(File& file, Address dataset, Coordinates corner, const chunk::RawChunkAllocation& allocation) {
  try {
    const Change change(file, "free space");
    if (is_committed(file, dataset, corner, allocation)) return;
    file.store().space().release(store::SpaceKind::raw, allocation.address, allocation.bytes);
  } catch (...) {  // best effort: the original error is already being reported
  }
}

}  // namespace

void write_chunk(File& file, Address dataset, Coordinates corner, Bytes bytes, std::uint32_t filter_mask) {
  const FileLock::Shared shared(file.lock());
  chunk::RawChunkAllocation allocation;
  {
    const Change change(file, "write a chunk");
    const auto chunks = open_dense_chunks(file, dataset);
    const ChunkCoordinates scaled = chunk_at_corner(chunks->grid(), corner);
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
    const auto chunks = open_dense_chunks(file, dataset);
    // The extent may have changed meanwhile.
    const ChunkCoordinates scaled = chunk_at_corner(chunks->grid(), corner);
    chunk::RawChunks(*chunks).commit(of_rank(scaled, corner), allocation, {filter_mask, {}});
  } catch (...) {
    release(file, dataset, corner, allocation);
    throw;
  }
}

namespace {

index::ChunkLocation read_one(File& file, chunk::ChunkTable& chunks, Coordinates scaled, Coordinates corner,
                              Buffer& into) {
  flush_one(file, chunks, scaled);
  const chunk::ConstRawChunks raw(chunks);
  const auto location = raw.find(scaled);
  if (!location) {
    throw Error(ErrorKind::not_found,
                fmt::format("the chunk at ({}) was never written", fmt::join(corner, ", ")));
  }
  raw.read(*location, into);
  return *location;
}

}  // namespace

std::uint32_t read_chunk(File& file, Address dataset, Coordinates corner, Buffer& into) {
  const auto chunks = open_dense_chunks(file, dataset);
  const ChunkCoordinates scaled = chunk_at_corner(chunks->grid(), corner);
  return read_one(file, *chunks, of_rank(scaled, corner), corner, into).filter_mask;
}

std::vector<SectionKind> section_kinds(const format::LayoutMessage& layout) {
  if (layout.layout != format::LayoutClass::structured) return {};
  std::vector<SectionKind> kinds;
  if (layout.composition.sparse()) kinds.push_back(SectionKind::selection);
  kinds.push_back(SectionKind::elements);
  if (layout.composition.has_heap()) kinds.push_back(SectionKind::heap);
  return kinds;
}

void write_structured_chunk(File& file, Address dataset, Coordinates corner,
                            std::span<const SectionBytes> sections) {
  const FileLock::Shared shared(file.lock());
  std::vector<chunk::RawSection> given;
  for (const SectionBytes& s : sections) given.push_back({s.bytes, s.filter_mask, s.original_bytes});
  auto chunks = open_chunks(file, dataset);
  const ChunkCoordinates scaled = chunk_at_corner(chunks->grid(), corner);
  const std::vector<std::uint64_t> extent = chunks->grid().extent().dims();
  chunk::StoredChunk encoded = chunk::ConstRawChunks(*chunks).assemble(of_rank(scaled, corner), given);

  const Change change(file, "write a chunk");
  chunks = open_chunks(file, dataset);
  if (chunks->grid().extent().dims() != extent) {  // resized meanwhile
    chunk_at_corner(chunks->grid(), corner);
    encoded = chunk::ConstRawChunks(*chunks).assemble(of_rank(scaled, corner), given);
  }
  chunk::RawChunks raw(*chunks);
  const auto allocation = raw.allocate(of_rank(scaled, corner), encoded.bytes.size());
  try {
    file.store().write(allocation.address, encoded.bytes);
    raw.commit(of_rank(scaled, corner), allocation, encoded.info);
  } catch (...) {
    if (!allocation.replaced_in_place) release(file, dataset, corner, allocation);
    throw;
  }
}

std::vector<RawSection> read_structured_chunk(File& file, Address dataset, Coordinates corner) {
  const auto chunks = open_chunks(file, dataset);
  const ChunkCoordinates scaled = chunk_at_corner(chunks->grid(), corner);
  Buffer stored;
  const auto location = read_one(file, *chunks, of_rank(scaled, corner), corner, stored);
  std::vector<RawSection> sections;
  for (const chunk::RawSection& s :
       chunk::ConstRawChunks(*chunks).split(stored, of_rank(scaled, corner), location))
    sections.push_back({{s.bytes.begin(), s.bytes.end()}, s.filter_mask, s.original_bytes});
  return sections;
}

std::optional<ChunkInfo> find_chunk(File& file, Address dataset, Coordinates element) {
  const auto chunks = open_chunks(file, dataset);
  const ChunkCoordinates scaled = chunk_of(chunks->grid(), element);
  flush_one(file, *chunks, of_rank(scaled, element));
  const auto location = chunk::ConstRawChunks(*chunks).find(of_rank(scaled, element));
  if (!location) return std::nullopt;
  ChunkInfo info;
  describe(file, *chunks, of_rank(scaled, element), *location, info);
  return info;
}

namespace {

/// Chunks are looked up in batches before they are visited, so that the visitor may change the file.
constexpr std::size_t chunks_per_batch = 256;

/// Advances to the next chunk of the grid. Returns false at the end.
bool advance(const space::ChunkGrid& grid, std::vector<std::uint64_t>& at) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < grid.chunks().dims()[d]) return true;
    if (d > 0) at[d] = 0;
  }
  return false;
}

/// Visits the chunks from `first` to `last`; an empty bound is no bound.
bool visit_chunks(File& file, Address dataset, const TouchedChunks* touched, Coordinates first,
                  Coordinates last, FunctionRef<bool(const ChunkInfo&)> visit) {
  std::vector<std::uint64_t> from(first.begin(), first.end());
  std::vector<ChunkInfo> batch(chunks_per_batch);
  for (bool more = true; more;) {
    const auto chunks = open_chunks(file, dataset);
    std::size_t found = 0;
    more = false;
    chunks->index().for_each(
        [&](Coordinates at, const index::ChunkLocation& location) {
          if (!last.empty() && std::lexicographical_compare(last.begin(), last.end(), at.begin(), at.end()))
            return false;
          if (touched != nullptr && !touched->contains(at)) return true;
          describe(file, *chunks, at, location, batch[found++]);
          if (found < batch.size()) return true;
          from.assign(at.begin(), at.end());
          more = advance(chunks->grid(), from);
          return false;
        },
        from);
    for (std::size_t i = 0; i < found; ++i)
      if (!visit(batch[i])) return false;
  }
  return true;
}

}  // namespace

bool for_each_chunk(File& file, Address dataset, const space::Selection* selection,
                    FunctionRef<bool(const ChunkInfo&)> visit) {
  const auto chunks = open_chunks(file, dataset);
  flush_chunks(file, *chunks);
  const space::ChunkGrid& grid = chunks->grid();
  if (selection == nullptr) return visit_chunks(file, dataset, nullptr, {}, {}, visit);
  const auto bounds = selection->bounds();
  if (!bounds) return true;
  const TouchedChunks touched(grid, *selection);
  const ChunkCoordinates first = chunk_of(grid, bounds->low);
  const ChunkCoordinates last = chunk_of(grid, bounds->high);
  return visit_chunks(file, dataset, &touched, of_rank(first, bounds->low), of_rank(last, bounds->low),
                      visit);
}

std::uint64_t count_chunks(File& file, Address dataset) {
  const auto chunks = open_chunks(file, dataset);
  flush_chunks(file, *chunks);
  return chunks->index().count();
}

void set_chunk_cache(File& file, Address dataset, const std::optional<ChunkCacheOptions>& options) {
  std::optional<chunk::ChunkCacheLimits> limits;
  if (options) {
    limits.emplace();
    limits->bytes = options->bytes.value_or(chunk::ChunkCache::shared().budget_bytes());
    limits->chunks = options->chunks.value_or(limits->chunks);
    limits->preemption = options->preemption.value_or(limits->preemption);
    if (!(limits->preemption >= 0 && limits->preemption <= 1))
      throw Error(ErrorKind::invalid_argument, "the preemption of a cache is from 0 to 1");
    // As in HDF5, a limit of zero chunks or bytes turns the cache off.
    if (limits->chunks == 0) limits->bytes = 0;
  }
  const FileLock::Exclusive exclusive(file.lock());
  file.store();  // throws if the file has been closed
  if (const auto chunks = file.chunks().find(dataset)) flush_chunks(file, *chunks);
  file.chunks().set_cache(dataset, limits);
}

ChunkCacheCounters dataset_cache_counters(File& file, Address dataset) {
  return to_public(open_chunks(file, dataset)->cache().counters());
}

ChunkCacheCounters shared_cache_counters() { return to_public(chunk::ChunkCache::shared().counters()); }
std::size_t shared_cache_bytes() { return chunk::ChunkCache::shared().budget_bytes(); }
void set_shared_cache_bytes(std::size_t bytes) { chunk::ChunkCache::shared().set_budget(bytes); }

}  // namespace filigree::model
