// SPDX-License-Identifier: Apache-2.0
//
// Raw chunks and the chunk cache.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/chunks.hpp>
#include <filigree/dataset.hpp>
#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "api/with_dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/chunk_cache_options.hpp"
#include "model/layout/direct_chunks.hpp"
#include "model/object/object.hpp"

namespace filigree {

using api::with_dataset;
using model::DirectChunks;

namespace {

using Coordinates = std::span<const std::uint64_t>;

}  // namespace

void Dataset::write_chunk(Coordinates offset, std::span<const std::byte> bytes, std::uint32_t filter_mask) {
  with_dataset(*impl_, "writing a chunk of", [&](const model::Dataset& dataset) {
    DirectChunks(dataset).write(offset, bytes, filter_mask);
  });
}

std::uint32_t Dataset::read_chunk_into(Coordinates offset, std::vector<std::byte>& bytes) const {
  return with_dataset(*impl_, "reading a chunk of", [&](const model::Dataset& dataset) {
    return DirectChunks(dataset).read(offset, bytes);
  });
}

RawChunk Dataset::read_chunk(Coordinates offset) const {
  RawChunk chunk;
  chunk.filter_mask = read_chunk_into(offset, chunk.bytes);
  return chunk;
}

void Dataset::write_structured_chunk(Coordinates offset, std::span<const SectionBytes> sections) {
  with_dataset(*impl_, "writing a chunk of", [&](const model::Dataset& dataset) {
    DirectChunks(dataset).write_sections(offset, sections);
  });
}

void Dataset::write_structured_chunk(Coordinates offset, std::span<const RawSection> sections) {
  const std::vector<SectionBytes> given(sections.begin(), sections.end());
  write_structured_chunk(offset, given);
}

std::vector<RawSection> Dataset::read_structured_chunk(Coordinates offset) const {
  return with_dataset(*impl_, "reading a chunk of", [&](const model::Dataset& dataset) {
    return DirectChunks(dataset).read_sections(offset);
  });
}

std::vector<SectionInfo> Dataset::structured_chunk_sections(Coordinates offset) const {
  return with_dataset(*impl_, "looking at chunks of", [&](const model::Dataset& dataset) {
    return DirectChunks(dataset).describe_sections(offset);
  });
}

std::optional<ChunkInfo> Dataset::find_chunk(Coordinates element) const {
  return with_dataset(*impl_, "looking at chunks of",
                      [&](const model::Dataset& dataset) { return DirectChunks(dataset).find(element); });
}

ChunkInfo Dataset::chunk_info(Coordinates element) const {
  auto found = find_chunk(element);
  if (found) return *std::move(found);
  return with_dataset(*impl_, "looking at chunks of", [&](const model::Dataset&) -> ChunkInfo {
    throw Error(ErrorKind::not_found,
                fmt::format("the chunk with element ({}) was never written", fmt::join(element, ", ")));
  });
}

bool Dataset::for_each_chunk(const std::function<bool(const ChunkInfo&)>& visit,
                             const Selection& selection) const {
  return with_dataset(*impl_, "looking at chunks of", [&](const model::Dataset& dataset) {
    const DirectChunks chunks(dataset);
    if (selection.is_all() && !selection.extent()) return chunks.for_each(nullptr, visit);
    const auto space = model::object_dataspace(dataset.file(), dataset.header());
    if (space::is_huge(space.dims)) return chunks.for_each(api::to_huge(selection, space.dims), visit);
    const auto wanted = api::to_space(selection, space.dims);
    return chunks.for_each(&wanted, visit);
  });
}

ChunkInfo Dataset::nth_chunk(std::uint64_t n, const Selection& selection) const {
  ChunkInfo found;
  std::uint64_t seen = 0;
  const bool missed = for_each_chunk(
      [&](const ChunkInfo& info) {
        if (seen++ < n) return true;
        found = info;
        return false;
      },
      selection);
  if (!missed) return found;
  return with_dataset(*impl_, "looking at chunks of", [&](const model::Dataset&) -> ChunkInfo {
    throw Error(ErrorKind::invalid_argument, fmt::format("there is no chunk {}: there are {}", n, seen));
  });
}

std::uint64_t Dataset::chunk_count(const Selection& selection) const {
  if (selection.is_all() && !selection.extent()) {
    return with_dataset(*impl_, "counting chunks of",
                        [&](const model::Dataset& dataset) { return DirectChunks(dataset).count(); });
  }
  std::uint64_t count = 0;
  for_each_chunk([&](const ChunkInfo&) { return ++count, true; }, selection);
  return count;
}

std::uint64_t Dataset::stored_bytes() const {
  return with_dataset(*impl_, "looking at chunks of",
                      [](const model::Dataset& dataset) { return dataset.stored_bytes(); });
}

void Dataset::set_chunk_cache(const std::optional<ChunkCacheOptions>& options) {
  with_dataset(*impl_, "giving a cache to",
               [&](const model::Dataset& dataset) { model::set_chunk_cache(dataset, options); });
}

ChunkCacheCounters Dataset::chunk_cache_counters() const {
  return with_dataset(*impl_, "looking at the cache of",
                      [](const model::Dataset& dataset) { return model::cache_counters(dataset); });
}

ChunkCacheCounters chunk_cache_counters() { return model::shared_cache_counters(); }
std::size_t chunk_cache_bytes() { return model::shared_cache_bytes(); }
void set_chunk_cache_bytes(std::size_t bytes) { model::set_shared_cache_bytes(bytes); }

}  // namespace filigree
