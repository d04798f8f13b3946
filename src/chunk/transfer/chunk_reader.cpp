// SPDX-License-Identifier: Apache-2.0
//
// Chunk read. The caller holds the file's lock in shared mode; any number of reads run at the same time.
//
//  1. for_each_group() cuts both selections along the grid: a ChunkPiece has the runs of one chunk. Pieces
//     come in groups, so that the decoded chunks of a group fit into memory. Steps 2 to 9 are done for each
//     group (read_group()).
//  2. ChunkTable::lookup() finds the chunks that are cached; the index locates the others.
//  3. triage() decides for each missing chunk how it is read:
//     a. A chunk that is not stored is read as the blank chunk, or not at all if the dataset has no fill
//        value to read.
//     b. `ranged`: few elements of a large sparse chunk whose values are unfiltered. Only section 0 and the
//        byte ranges of the wanted values are read (step 5).
//     c. `streamed`: the chunk bypasses the cache. Either its runs are long and unfiltered, and go straight
//        into the caller's memory (`direct`), or all of it is read, which is not likely to be repeated soon.
//        Unfiltered chunks that the cache cannot hold are direct, too, also with a conversion.
//     d. `loaded`: all others. They are decoded and cached.
//  4. Streamed chunks are read in batches: one vectored request for a batch, on each core a batch of its own.
//     Chunks that are not direct are staged in a workspace and decoded from there.
//  5. Ranged chunks take two requests for all of them: one for the sections that say what is defined, one
//     for the values.
//  6. The prefetcher is notified of hits if nothing had to be loaded.
//  7. Loaded chunks are read in batches as in step 4. With a parallel conversion their elements are copied
//     out at once, while the chunk is in the cache of its core. A small read lets idle cores prefetch.
//  8. All other pieces are copied out of cached and blank chunks. A conversion that is not parallel sees all
//     pieces here, in their order.
//  9. Loaded chunks are put into the cache. Those that were read completely are the first to be evicted.
//
// An error in any step leaves the cache as it was before the group: nothing is cached before step 9, apart
// from prefetched chunks.
#include "chunk/transfer/chunk_reader.hpp"

#include <algorithm>

#include "base/workspace.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/transfer/batches.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Shorter runs of a part of a chunk are cheaper to copy from a decoded chunk.
constexpr std::uint64_t least_direct_part_bytes = 512;
/// Fewer elements are copied or converted by one core.
constexpr std::uint64_t least_parallel_elements = 16u << 10;
/// Smaller chunks are read completely, and cached.
constexpr std::uint64_t least_ranged_bytes = 16u << 10;

std::uint64_t elements_of(Pieces pieces) {
  std::uint64_t elements = 0;
  for (const space::ChunkPiece& piece : pieces) elements += piece.elements;
  return elements;
}

}  // namespace

void ChunkReader::read(const space::Selection& file, const space::Selection& memory, const Values& values,
                       bool parallel) const {
  for_each_group(table_, file, memory, [&](Pieces group) {
    read_group(group, values, parallel);
    return true;
  });
}

void ChunkReader::read_group(Pieces pieces, const Values& values, bool parallel) const {
  const std::vector<std::uint64_t> chunks = chunks_of(pieces);
  ChunkLookup found = table_.lookup(chunks);
  Triage reads = triage(pieces, found, values, parallel);
  if (!reads.streamed.empty()) table_.cache().count_bypass(reads.streamed.size());
  stream(reads.streamed, values);
  read_ranges(reads.ranged, values, parallel);
  if (reads.loaded.empty() && table_.traits().format.slow_to_decode) table_.prefetcher().note_hits(chunks);
  loader_.load_and_prefetch(reads.loaded, parallel ? &values : nullptr);
  if (!parallel)  // in the order of the pieces
    for (std::size_t i = 0; i < reads.loaded.size(); ++i)
      found.cached[reads.loaded_pieces[i]] = reads.loaded[i].decoded;
  // Waking another core takes longer than copying few elements.
  const bool copy_parallel = parallel && elements_of(pieces) >= least_parallel_elements;
  for_each(pieces.size(), copy_parallel, [&](std::size_t i) {
    if (found.cached[i]) format_.read(*found.cached[i], space::PieceRuns(pieces[i]).runs(), values);
  });
  // What a handler let pass is not what others expect of the chunk.
  if (decoding_.on_fault != nullptr) return;
  for (PendingRead& read : reads.loaded)
    table_.cache().put(table_.key(read.chunk), std::move(read.decoded), is_read_completely(read));
}

/// Also gives pieces of chunks that are not stored the blank chunk.
ChunkReader::Triage ChunkReader::triage(Pieces pieces, ChunkLookup& found, const Values& values,
                                        bool parallel) const {
  Triage reads;
  reads.streamed.reserve(found.missing.size());
  for (std::size_t i = 0; i < found.missing.size(); ++i) {
    const std::size_t at = found.missing[i];
    if (!is_valid(found.locations[i].address)) {
      if (table_.traits().reads_blank) found.cached[at] = table_.blank();
      continue;
    }
    const std::uint64_t chunk = pieces[at].chunk;
    PendingRead read{chunk, found.locations[i], table_.geometry().edge(chunk), false, &pieces[at], {}};
    if (reads_ranges(read)) {
      reads.ranged.push_back(std::move(read));
      continue;
    }
    read.direct = is_direct(read, values, parallel);
    const bool bypasses_cache =
        read.direct || (parallel && is_read_completely(read) && table_.cache().bypasses_whole_reads());
    if (!bypasses_cache) reads.loaded_pieces.push_back(at);
    (bypasses_cache ? reads.streamed : reads.loaded).push_back(std::move(read));
  }
  return reads;
}

bool ChunkReader::is_read_completely(const PendingRead& read) const {
  return read.piece->elements >= table_.geometry().elements_inside(read.chunk);
}

/// Whether the runs of an unfiltered chunk are long enough to be read straight into memory, or the chunk
/// could not be cached.
bool ChunkReader::is_direct(const PendingRead& read, const Values& values, bool parallel) const {
  const bool copies = values.conversion.traits().copies;
  if ((copies || parallel) && transfers_elements_only(table_, *read.piece, read.edge)) return true;
  if (!copies || format_.unfiltered(read.edge) == nullptr) return false;
  const std::uint64_t least =
      parallel && is_read_completely(read) ? least_direct_bytes : least_direct_part_bytes;
  return read.piece->elements * table_.traits().element_bytes / read.piece->run_count >= least;
}

/// Whether it is cheaper to find out first where the values are than to read all of the chunk.
bool ChunkReader::reads_ranges(const PendingRead& read) const {
  const DefinedElements* const defined = format_.defined_elements();
  return defined != nullptr && defined->finds_values(read.edge) &&
         read.location.stored_bytes >= least_ranged_bytes &&
         read.piece->elements < table_.geometry().elements_inside(read.chunk) / 2;
}

// Ranges of values.

/// The parts of the chunks that say which elements are defined, by one request.
std::vector<Buffer> ChunkReader::read_defined_parts(std::span<const PendingRead> reads) const {
  const DefinedElements& defined = *format_.defined_elements();
  std::vector<Buffer> parts(reads.size());
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const index::ChunkLocation& at = reads[i].location;
    const space::Run part = defined.defined_part(info_of(at), at.stored_bytes);
    parts[i].resize(part.length);
    extents.push_back({to_number(at.address) + part.start, parts[i]});
  }
  table_.store().read_raw(Address{0}, extents);
  return parts;
}

void ChunkReader::read_ranges(std::span<PendingRead> reads, const Values& values, bool parallel) const {
  if (reads.empty()) return;
  const DefinedElements& defined = *format_.defined_elements();
  std::vector<Buffer> bytes = read_defined_parts(reads);
  std::vector<StoredValues> found(reads.size());
  for_each(reads.size(), true, [&](std::size_t i) {
    std::vector<space::Run> runs;
    const space::PieceRuns wanted(*reads[i].piece);
    for (const space::ChunkRun& run : wanted.runs()) runs.push_back({run.chunk_offset, run.length});
    found[i] = defined.find_values(view_of(reads[i].location, bytes[i], reads[i].edge, decoding_),
                                   space::RunSet::of_runs(std::move(runs)));
  });
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::uint64_t all = 0;
    for (const space::Run& run : found[i].bytes) all += run.length;
    bytes[i].resize(all);
    MutableBytes rest = bytes[i];
    for (const space::Run& run : found[i].bytes) {
      add_extent(extents, to_number(reads[i].location.address) + run.start, rest.first(run.length));
      rest = rest.subspan(run.length);
    }
  }
  if (!extents.empty()) table_.store().read_raw(Address{0}, extents);
  for_each(reads.size(), parallel, [&](std::size_t i) {
    format_.read(*defined.assemble(found[i], std::move(bytes[i])), space::PieceRuns(*reads[i].piece).runs(),
                 values);
  });
}

// Chunks that bypass the cache.

void ChunkReader::stream(std::span<const PendingRead> reads, const Values& values) const {
  const std::uint64_t typical_bytes = table_.traits().format.typical_bytes;
  for_each_request(
      table_.store(), reads, true, {},
      [&](const PendingRead& read) { return std::max(typical_bytes, read.location.stored_bytes); },
      [&](std::span<const PendingRead> batch, bool parallel) { stream_batch(batch, values, parallel); });
}

void ChunkReader::stream_batch(std::span<const PendingRead> reads, const Values& values,
                               bool parallel) const {
  const std::size_t element_bytes = table_.traits().element_bytes;
  const bool copies = values.conversion.traits().copies;
  std::uint64_t staged = 0;
  for (const PendingRead& read : reads)
    staged += !read.direct ? read.location.stored_bytes : copies ? 0 : read.piece->elements * element_bytes;
  Workspace workspace;
  MutableBytes staging = workspace.allocate(static_cast<std::size_t>(staged));
  std::vector<Bytes> stored(reads.size());
  std::vector<io::ReadExtent> extents;
  const auto stage = [&](std::uint64_t bytes) {
    const MutableBytes into = staging.first(static_cast<std::size_t>(bytes));
    staging = staging.subspan(into.size());
    return into;
  };
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const PendingRead& read = reads[i];
    const std::uint64_t offset = to_number(read.location.address);
    if (!read.direct) {
      const MutableBytes into = stage(read.location.stored_bytes);
      add_extent(extents, offset, into);
      stored[i] = into;
      continue;
    }
    const space::PieceRuns piece(*read.piece);
    if (!copies) stored[i] = Bytes(staging).first(read.piece->elements * element_bytes);
    for (const space::ChunkRun& run : piece.runs()) {
      const std::uint64_t bytes = run.length * element_bytes;
      add_extent(extents, offset + run.chunk_offset * element_bytes,
                 copies ? MutableBytes(values.memory + run.memory * element_bytes, bytes) : stage(bytes));
    }
  }
  table_.store().read_raw(Address{0}, extents);
  for_each(reads.size(), parallel, [&](std::size_t i) {
    const PendingRead& read = reads[i];
    if (read.direct) {
      if (!copies) convert_runs(stored[i], space::PieceRuns(*read.piece).runs(), values);
      return;
    }
    format_.read_stored(view_of(read.location, stored[i], read.edge, decoding_),
                        space::PieceRuns(*read.piece).runs(), values);
  });
}

/// Converts the elements of runs, which are contiguous in `elements`.
void ChunkReader::convert_runs(Bytes elements, std::span<const space::ChunkRun> runs,
                               const Values& values) const {
  const std::size_t element_bytes = table_.traits().element_bytes;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply(
        {elements.data(), element_bytes, values.memory + run.memory * values.element_bytes,
         values.element_bytes, run.length},
        values.context);
    elements = elements.subspan(run.length * element_bytes);
  }
}

void ChunkReader::for_each_value(FunctionRef<void(Bytes)> visit) const {
  for_each_chunk(table_, [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location,
                             const DecodedChunkPointer& newer) {
    if (newer) return format_.for_each_value(*newer, visit);
    std::array<PendingRead, 1> reads{{{0, location, table_.geometry().edge_at(at), false, nullptr, {}}}};
    loader_.load(reads, nullptr);
    format_.for_each_value(*reads[0].decoded, visit);
  });
}

}  // namespace filigree::chunk
