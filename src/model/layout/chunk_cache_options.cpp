// SPDX-License-Identifier: Apache-2.0
#include "model/layout/chunk_cache_options.hpp"

#include <filigree/error.hpp>

#include "chunk/cache/chunk_cache.hpp"
#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"

namespace filigree::model {
namespace {

ChunkCacheCounters to_public(const chunk::ChunkCacheCounters& c) {
  return {c.hits, c.misses, c.evictions, c.bypasses, c.bytes, c.dirty_bytes};
}

chunk::ChunkCacheLimits limits_of(const ChunkCacheOptions& options) {
  chunk::ChunkCacheLimits limits;
  limits.bytes = options.bytes.value_or(chunk::ChunkCache::shared().budget_bytes());
  limits.chunks = options.chunks.value_or(limits.chunks);
  limits.preemption = options.preemption.value_or(limits.preemption);
  if (!(limits.preemption >= 0 && limits.preemption <= 1))
    throw Error(ErrorKind::invalid_argument, "the preemption of a cache is from 0 to 1");
  // As in HDF5, a limit of zero chunks or bytes turns the cache off.
  if (limits.chunks == 0) limits.bytes = 0;
  return limits;
}

}  // namespace

void set_chunk_cache(const Dataset& dataset, const std::optional<ChunkCacheOptions>& options) {
  std::optional<chunk::ChunkCacheLimits> limits;
  if (options) limits = limits_of(*options);
  File& file = dataset.file();
  const FileLock::Exclusive exclusive(file.lock());
  file.store();  // throws if the file has been closed
  if (const auto chunks = file.chunks().find(dataset.header())) flush_chunks(file, *chunks);
  file.chunks().set_cache(dataset.header(), limits);
}

ChunkCacheCounters cache_counters(const Dataset& dataset) {
  return to_public(dataset.layout().open_chunks(dataset)->cache().counters());
}

ChunkCacheCounters shared_cache_counters() { return to_public(chunk::ChunkCache::shared().counters()); }
std::size_t shared_cache_bytes() { return chunk::ChunkCache::shared().budget_bytes(); }
void set_shared_cache_bytes(std::size_t bytes) { chunk::ChunkCache::shared().set_budget(bytes); }

}  // namespace filigree::model
