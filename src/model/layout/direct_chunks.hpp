// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a dataset as they are stored: written, read, found and listed past filters and conversion.
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

/// Coordinates of an element.
using Coordinates = std::span<const std::uint64_t>;

/// A dataset that is not chunked is refused by all of these with Error(invalid_argument). Those that read
/// first write what the cache holds unwritten of what they tell about.

/// Brackets the change itself. Many threads may call it, for different chunks. Throws
/// Error(invalid_argument) when `corner` is not that of a chunk of the extent.
void write_chunk(File& file, Address dataset, Coordinates corner, Bytes bytes, std::uint32_t filter_mask);
/// Returns the filter mask. Throws Error(not_found) for a chunk that has no place in the file.
std::uint32_t read_chunk(File& file, Address dataset, Coordinates corner, Buffer& into);
/// The same for structured chunks, section by section; Error(unsupported) for others. The sections are looked
/// at before anything changes (see chunk::ConstRawChunks::assemble).
void write_structured_chunk(File& file, Address dataset, Coordinates corner,
                            std::span<const SectionBytes> sections);
std::vector<RawSection> read_structured_chunk(File& file, Address dataset, Coordinates corner);
/// What the sections of a dataset's chunks hold; nothing for others.
std::vector<SectionKind> section_kinds(const format::LayoutMessage& layout);
/// The chunk that `element` is in; nothing when it has no place in the file.
std::optional<ChunkInfo> find_chunk(File& file, Address dataset, Coordinates element);

/// Shows the chunks that have a place in the file and of which elements are selected, in row-major order,
/// until `see` returns false; whether it never did. The selection, none for everything, has the extent as its
/// frame.
bool for_each_chunk(File& file, Address dataset, const space::Selection* selection,
                    FunctionRef<bool(const ChunkInfo&)> see);
std::uint64_t count_chunks(File& file, Address dataset);
/// What the elements take in this file or external ones, whatever the layout.
std::uint64_t stored_bytes(File& file, Address dataset);

/// See DatasetChunks::set_cache; absent values are those of the shared cache.
void set_chunk_cache(File& file, Address dataset, const std::optional<ChunkCacheOptions>& options);
/// Of the cache that the dataset uses.
ChunkCacheCounters dataset_cache_counters(File& file, Address dataset);
ChunkCacheCounters shared_cache_counters();
std::size_t shared_cache_bytes();
void set_shared_cache_bytes(std::size_t bytes);

}  // namespace filigree::model
