// SPDX-License-Identifier: Apache-2.0
//
// Chunks: what is known of stored ones, what their cache may hold, and which shape to give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <filigree/dataspace.hpp>
#include <filigree/datatype.hpp>
#include <filigree/export.hpp>

namespace filigree {

/// What a section of a structured chunk holds.
enum class SectionKind : std::uint8_t {
  selection,  ///< which elements are defined: an encoded dataspace, as H5Sencode gives it
  elements,   ///< the elements, of a sparse chunk those that are defined, in row-major order
  heap,       ///< what values of variable length stand for
};

/// A section of a chunk in the file. Sizes are those of the section as it is read and written by itself:
/// where no filter ran, the checksum that the file has behind some sections is not counted.
struct SectionInfo {
  SectionKind kind = SectionKind::elements;
  std::uint32_t filter_mask = 0;     ///< bit i set: filter i of the section was skipped
  std::uint64_t stored_bytes = 0;    ///< 0: the section is empty
  std::uint64_t original_bytes = 0;  ///< before its filters
  friend bool operator==(const SectionInfo&, const SectionInfo&) = default;
};

/// A section to be stored; see Dataset::write_structured_chunk().
struct SectionBytes {
  std::span<const std::byte> bytes;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;  ///< before its filters; may be 0 where none ran
};

/// A section as it is stored.
struct RawSection {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;
  operator SectionBytes() const { return {bytes, filter_mask, original_bytes}; }
};

/// A chunk that has a place in the file.
struct ChunkInfo {
  std::vector<std::uint64_t> offset;  ///< coordinates of its first element
  std::uint32_t filter_mask = 0;      ///< bit i set: filter i was skipped; 0 where there are sections
  std::uint64_t position = 0;         ///< of its bytes in the file, any user block included
  std::uint64_t stored_bytes = 0;
  std::vector<SectionInfo> sections;  ///< of structured chunks only, in the order of the file
  friend bool operator==(const ChunkInfo&, const ChunkInfo&) = default;
};

/// A chunk as it is stored: all filters but those of the mask applied.
struct RawChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;
};

/// What happened in a cache of chunks so far, and what it holds now.
struct ChunkCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t bypasses = 0;  ///< chunks that were transferred past it
  std::uint64_t bytes = 0;     ///< of chunks that are held
  std::uint64_t dirty_bytes = 0;
};

/// A cache for the chunks of one dataset alone. What is not given is as in the shared cache.
struct ChunkCacheOptions {
  std::optional<std::size_t> chunks;  ///< how many it may hold; 0: none
  std::optional<std::size_t> bytes;   ///< 0: none
  /// From 0 to 1, as `w0` of H5Pset_chunk_cache: how far chunks that were read whole are preferred when room
  /// is made.
  std::optional<double> preemption;
};

/// Of the cache that all datasets share which were not given their own. Thread-safe, as are the following.
FILIGREE_EXPORT ChunkCacheCounters chunk_cache_counters();
/// What the shared cache may hold: a sixteenth of the machine's memory, but no less than 64 MiB, nor than
/// four chunks of any dataset that was opened (up to half of the memory), unless the environment variable
/// FILIGREE_CHUNK_CACHE_BYTES or the program says otherwise.
FILIGREE_EXPORT std::size_t chunk_cache_bytes();
/// From now on.
FILIGREE_EXPORT void set_chunk_cache_bytes(std::size_t bytes);

/// How elements are going to be read, mostly.
enum class ChunkAccess : std::uint8_t {
  anything,
  rows,     ///< along the last dimension
  columns,  ///< along the first dimension
  frames,   ///< all of one step of the growing dimension (the first one, when none grows)
};

/// Dimensions for the chunks of a dataset; empty for a dataspace that has none.
///
/// Chunks get no more than a target of bytes: a 64th of the data, but no less than 64 KiB (256 KiB where a
/// dimension may grow) and no more than 1 MiB, or one element where that is larger.
///  - rows: whole rows, as many as the target allows; long rows are cut into equal parts.
///  - columns: the same the other way round, but never less than 64 bytes of a row.
///  - frames: one frame, or several small ones; large frames are cut along their longest sides.
///  - anything: the longest side of the box is halved until it fits, so that chunks are about as long in
///    every dimension. A dimension that may grow counts with its current size or 1024, whichever is larger.
/// Dimensions that do not grow are cut evenly: 1000 into twice 500, not into 512 and 488. No chunk exceeds a
/// maximum of the dataspace.
FILIGREE_EXPORT std::vector<std::uint64_t> suggest_chunks(const Dataspace& space, const Datatype& type,
                                                          ChunkAccess access = ChunkAccess::anything);

}  // namespace filigree
