// SPDX-License-Identifier: Apache-2.0
//
// The chunk caches of datasets, and the one that all others share.
#pragma once

#include <cstddef>
#include <optional>

#include <filigree/chunks.hpp>

namespace filigree::model {

class Dataset;

/// Sets the chunk cache of a dataset; see DatasetChunks::set_cache(). Absent options have the values of the
/// shared cache. Has no effect on datasets that are not chunked.
/// Throws: Error(invalid_argument) for a preemption that is not from 0 to 1.
void set_chunk_cache(const Dataset& dataset, const std::optional<ChunkCacheOptions>& options);
/// Returns the counters of the cache that the dataset uses.
/// Throws: Error(invalid_argument) if the dataset is not chunked.
ChunkCacheCounters cache_counters(const Dataset& dataset);

/// The cache that is shared by all datasets of the process without a cache of their own.
ChunkCacheCounters shared_cache_counters();
std::size_t shared_cache_bytes();
void set_shared_cache_bytes(std::size_t bytes);

}  // namespace filigree::model
