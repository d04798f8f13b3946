// SPDX-License-Identifier: Apache-2.0
//
// Direct access to the stored bytes of chunks, without filters and conversion.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <filigree/chunks.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/messages/layout.hpp"
#include "space/selection.hpp"

namespace filigree::model {

class File;

/// Coordinates of an element, or of a chunk in the grid of chunks.
using Coordinates = std::span<const std::uint64_t>;

/// All functions with a dataset throw Error(invalid_argument) if it is not chunked, except set_chunk_cache().
/// Functions that read first flush the dirty chunks that their result depends on.

/// Writes the stored bytes of one chunk; `corner` is its first element. The function takes the file lock
/// itself. The exclusive lock is not held while the bytes are written, unless they replace a chunk in place.
/// Throws: Error(invalid_argument) if `corner` is not the first element of a chunk in the extent,
/// Error(unsupported) for structured chunks. Thread safety: threads may write different chunks concurrently.
void write_chunk(File& file, Address dataset, Coordinates corner, Bytes bytes, std::uint32_t filter_mask);
/// Reads the stored bytes of one chunk and returns its filter mask.
/// Throws: Error(not_found) for a chunk that is not stored.
std::uint32_t read_chunk(File& file, Address dataset, Coordinates corner, Buffer& into);
/// Writes a structured chunk section by section. The sections are checked before the file changes; see
/// chunk::ConstRawChunks::assemble(). Throws: Error(unsupported) for other chunks.
void write_structured_chunk(File& file, Address dataset, Coordinates corner,
                            std::span<const SectionBytes> sections);
/// Reads the sections of a structured chunk. Throws: Error(not_found) for a chunk that is not stored.
std::vector<RawSection> read_structured_chunk(File& file, Address dataset, Coordinates corner);
/// Returns the sections of structured chunks in their order; none for other layouts.
std::vector<SectionKind> section_kinds(const format::LayoutMessage& layout);
/// Returns the chunk that contains `element`, or nothing if it is not stored.
std::optional<ChunkInfo> find_chunk(File& file, Address dataset, Coordinates element);

/// Calls `visit` for every stored chunk with selected elements, in row-major order, until it returns false.
/// Returns whether all chunks were visited. A null selection selects all elements. `visit` may change the
/// file. Requires: the frame of the selection is the extent.
bool for_each_chunk(File& file, Address dataset, const space::Selection* selection,
                    FunctionRef<bool(const ChunkInfo&)> visit);
/// Returns the number of stored chunks.
std::uint64_t count_chunks(File& file, Address dataset);

/// Sets the chunk cache of a dataset; see DatasetChunks::set_cache(). Absent options have the values of the
/// shared cache. Throws: Error(invalid_argument) for a preemption that is not from 0 to 1.
void set_chunk_cache(File& file, Address dataset, const std::optional<ChunkCacheOptions>& options);
/// Returns the counters of the cache that the dataset uses.
ChunkCacheCounters dataset_cache_counters(File& file, Address dataset);
/// The cache that is shared by all datasets of the process without a cache of their own.
ChunkCacheCounters shared_cache_counters();
std::size_t shared_cache_bytes();
void set_shared_cache_bytes(std::size_t bytes);

}  // namespace filigree::model
