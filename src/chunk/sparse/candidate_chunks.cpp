// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/candidate_chunks.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "base/workspace.hpp"
#include "chunk/sparse/stripe_grid.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/transfer/batches.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Bytes of chunks, decoded, that are in memory at a time.
constexpr std::uint64_t most_fetched_bytes = 64u << 20;

/// Only chunks that are not cached are looked up in the index.
std::vector<CandidateChunk> look_up(const ChunkTable& table, std::span<const std::uint64_t> coordinates) {
  const space::ChunkGrid& grid = table.grid();
  const std::size_t rank = grid.chunks().rank(), count = coordinates.size() / rank;
  const auto nth = [&](std::size_t i) { return coordinates.subspan(i * rank, rank); };
  std::vector<std::uint64_t> chunks(count);
  for (std::size_t i = 0; i < count; ++i) chunks[i] = grid.chunks().offset(nth(i));
  auto cached = table.cache().find_held(table.cache_owner(), chunks);
  std::vector<std::uint64_t> others;
  for (std::size_t i = 0; i < count; ++i)
    if (!cached[i]) others.insert(others.end(), nth(i).begin(), nth(i).end());
  std::vector<index::ChunkLocation> found(others.size() / rank);
  table.index().find(others, found);
  std::vector<CandidateChunk> candidates;
  candidates.reserve(count);
  std::size_t missed = 0;
  for (std::size_t i = 0, next = 0; i < count; ++i) {
    index::ChunkLocation location;
    if (!cached[i]) location = found[next++];
    if (!cached[i] && !is_valid(location.address)) continue;
    missed += !cached[i];
    candidates.push_back({chunks[i], {nth(i).begin(), nth(i).end()}, location, std::move(cached[i]), {}});
  }
  table.cache().count_misses(missed);
  return candidates;
}

/// Fewer bytes of a chunk with a header are read at once, instead of the header first.
constexpr std::uint64_t least_start_bytes = 4096;

/// What is read of a chunk by the first request. A header may show that more is needed.
space::Run part_of(const CandidateChunk& candidate, FetchedPart part, const ChunkFormat& format) {
  if (candidate.decoded || candidate.is_skipped) return {};
  const index::ChunkLocation& location = candidate.location;
  if (part == FetchedPart::everything) return {0, location.stored_bytes};
  const DefinedElements& defined = *format.defined_elements();
  if (const std::uint64_t header_bytes = defined.header_bytes(); header_bytes != 0)
    return {0, std::min(std::max(header_bytes, least_start_bytes), location.stored_bytes)};
  return defined.defined_part(info_of(location), location.stored_bytes);
}

/// One request for everything that is not cached.
void fetch(const ChunkTable& table, std::span<Stripe> stripes, FetchedPart part, Workspace& workspace) {
  const ChunkFormat& format = table.format();
  std::uint64_t bytes = 0;
  for (const Stripe& stripe : stripes)
    for (const CandidateChunk& one : stripe.chunks) bytes += part_of(one, part, format).length;
  MutableBytes rest = workspace.allocate(static_cast<std::size_t>(bytes));
  std::vector<io::ReadExtent> extents;
  for (Stripe& stripe : stripes) {
    for (CandidateChunk& one : stripe.chunks) {
      const space::Run range = part_of(one, part, format);
      one.bytes = rest.first(range.length);
      if (range.length > 0)
        add_extent(extents, to_number(one.location.address) + range.start, rest.first(range.length));
      rest = rest.subspan(range.length);
    }
  }
  if (!extents.empty()) table.store().read_raw(Address{0}, extents);
}

/// A second request for chunks whose headers say that more is needed than was read.
void fetch_rest(const ChunkTable& table, std::span<Stripe> stripes, Workspace& workspace) {
  const DefinedElements& defined = *table.format().defined_elements();
  std::vector<std::pair<CandidateChunk*, std::size_t>> longer;
  std::size_t bytes = 0;
  for (Stripe& stripe : stripes) {
    for (CandidateChunk& one : stripe.chunks) {
      if (one.bytes.empty()) continue;
      const ChunkEdge edge = table.geometry().edge(one.chunk);
      const auto needed =
          static_cast<std::size_t>(defined.defined_part_of(view_of(one.location, one.bytes, edge)).length);
      if (needed <= one.bytes.size()) continue;
      longer.emplace_back(&one, needed);
      bytes += needed;
    }
  }
  if (longer.empty()) return;
  MutableBytes rest = workspace.allocate(bytes);
  std::vector<io::ReadExtent> extents;
  for (const auto& [one, needed] : longer) {
    const MutableBytes into = rest.first(needed);
    rest = rest.subspan(needed);
    std::ranges::copy(one->bytes, into.begin());
    const std::size_t read = one->bytes.size();
    add_extent(extents, to_number(one->location.address) + read, into.subspan(read));
    one->bytes = into;
  }
  table.store().read_raw(Address{0}, extents);
}

}  // namespace

std::uint64_t CandidateChunk::memory_bytes() const {
  std::uint64_t unfiltered = location.stored_bytes;
  for (const std::uint64_t section : location.sections.unfiltered_bytes)
    unfiltered += std::min(section, most_fetched_bytes);
  return decoded ? decoded->memory_bytes() : unfiltered;
}

std::uint64_t Stripe::memory_bytes() const {
  std::uint64_t sum = 0;
  for (const CandidateChunk& one : chunks) sum += one.memory_bytes();
  return sum;
}

std::vector<CandidateChunk> find_candidates(const ChunkTable& table, const space::Selection& selection) {
  const auto bounds = selection.bounds();
  if (!bounds) return {};
  if (const ChunkBox box(table.grid(), *bounds); box.chunks() <= most_looked_up_chunks)
    return look_up(table, box.each());
  std::vector<CandidateChunk> candidates;
  for_each_chunk(table, selection,
                 [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location,
                     const DecodedChunkPointer& newer) {
                   const std::uint64_t chunk = table.grid().chunks().offset(at);
                   candidates.push_back({chunk,
                                         {at.begin(), at.end()},
                                         location,
                                         newer ? newer : table.cache().find(table.key(chunk)),
                                         {}});
                 });
  std::ranges::sort(candidates, {}, &CandidateChunk::chunk);
  return candidates;
}

std::uint64_t estimated_elements(const ChunkTable& table, const CandidateChunk& one) {
  if (const auto declared = declared_elements(table, one)) return *declared;
  // A compressed element takes about a byte.
  return std::min(one.location.stored_bytes, table.grid().chunk().elements());
}

std::optional<std::uint64_t> declared_elements(const ChunkTable& table, const CandidateChunk& one) {
  const DefinedElements& defined = require_defined_elements(table);
  if (one.decoded) return defined.count(*one.decoded);
  return defined.declared_elements(view_of(one.location, one.bytes, table.geometry().edge(one.chunk)));
}

Buffer fetch_headers(const ChunkTable& table, std::span<CandidateChunk> candidates) {
  const std::uint64_t header_bytes = require_defined_elements(table).header_bytes();
  if (header_bytes == 0) return {};
  Buffer headers(candidates.size() * header_bytes);
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    CandidateChunk& one = candidates[i];
    if (one.decoded) continue;
    const auto bytes = static_cast<std::size_t>(std::min(header_bytes, one.location.stored_bytes));
    const MutableBytes into = MutableBytes(headers).subspan(i * header_bytes, bytes);
    one.bytes = into;
    extents.push_back({to_number(one.location.address), into});
  }
  table.store().read_raw(Address{0}, extents);
  return headers;
}

std::vector<Stripe> make_stripes(const ChunkTable& table, std::span<CandidateChunk> chunks) {
  const std::uint64_t along = StripeGrid(table.grid()).chunks();
  std::vector<Stripe> stripes;
  for (std::size_t first = 0, end = 0; first < chunks.size(); first = end) {
    while (end < chunks.size() && chunks[end].chunk / along == chunks[first].chunk / along) ++end;
    stripes.push_back({chunks.subspan(first, end - first)});
  }
  return stripes;
}

void for_each_fetched(const ChunkTable& table, std::span<Stripe> stripes, FetchedPart part,
                      const StripeSteps& steps) {
  const DefinedElements* const defined = table.format().defined_elements();
  const bool has_headers = defined != nullptr && defined->header_bytes() != 0;
  for (std::size_t first = 0, end = 0; first < stripes.size(); first = end) {
    std::uint64_t bytes = 0;
    while (end < stripes.size() && (end == first || bytes < most_fetched_bytes))
      bytes += stripes[end++].memory_bytes();
    const auto some = stripes.subspan(first, end - first);
    for_each_batch(
        some, true, [](const Stripe& stripe) { return stripe.memory_bytes(); },
        [&](std::span<Stripe> batch) {
          Workspace workspace, longer;
          for (Stripe& stripe : batch) steps.prepare(stripe);
          fetch(table, batch, part, workspace);
          if (part == FetchedPart::defined_part && has_headers) fetch_rest(table, batch, longer);
          for (Stripe& stripe : batch) steps.work(stripe);
        });
    steps.then(some);
  }
}

const DefinedElements& require_defined_elements(const ChunkTable& table) {
  const DefinedElements* const defined = table.format().defined_elements();
  if (defined == nullptr)
    throw Error(ErrorKind::unsupported, "the chunks of this dataset define all elements");
  return *defined;
}

}  // namespace filigree::chunk
