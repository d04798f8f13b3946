// SPDX-License-Identifier: Apache-2.0
//
// Chunks: stored chunks and their sections, the chunk cache, and chunk shapes.
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

/// The content of a section of a structured chunk.
enum class SectionKind : std::uint8_t {
  selection,  ///< the defined elements, as a selection in the encoding of H5Sencode
  elements,   ///< the elements in row-major order; in a sparse chunk only the defined ones
  heap,       ///< the data of variable-length elements
};

/// A section of a chunk in the file.
///
/// The checksum that the file stores after some sections is not counted. In ChunkInfo it is, if it was
/// filtered with the section: see Dataset::structured_chunk_sections().
struct SectionInfo {
  SectionKind kind = SectionKind::elements;
  std::uint32_t filter_mask = 0;     ///< bit i is set if filter i of the section was skipped
  std::uint64_t stored_bytes = 0;    ///< 0 for an empty section
  std::uint64_t original_bytes = 0;  ///< the size before filters, without the checksum
  friend bool operator==(const SectionInfo&, const SectionInfo&) = default;
};

/// A section to be stored; see Dataset::write_structured_chunk().
struct SectionBytes {
  std::span<const std::byte> bytes;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;  ///< the size before filters; 0: unknown
};

/// A section with its filters, without a checksum.
struct RawSection {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;
  operator SectionBytes() const { return {bytes, filter_mask, original_bytes}; }
};

/// A chunk that has been allocated in the file.
struct ChunkInfo {
  std::vector<std::uint64_t> offset;  ///< the coordinates of its first element
  std::uint32_t filter_mask = 0;      ///< bit i is set if filter i was skipped; 0 for structured chunks
  std::uint64_t address = 0;          ///< from the start of the file, including a user block
  std::uint64_t stored_bytes = 0;
  std::vector<SectionInfo> sections;  ///< only of structured chunks, in the order of the file
  friend bool operator==(const ChunkInfo&, const ChunkInfo&) = default;
};

/// A chunk as it is stored: after all filters except those in the filter mask.
struct RawChunk {
  std::vector<std::byte> bytes;
  std::uint32_t filter_mask = 0;
};

/// Statistics and current contents of a chunk cache.
struct ChunkCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t bypasses = 0;     ///< chunks that were transferred without entering the cache
  std::uint64_t bytes = 0;        ///< the size of all cached chunks
  std::uint64_t dirty_bytes = 0;  ///< the size of cached chunks that are not written yet
};

/// Options of a chunk cache for a single dataset. An unset member is as in the shared cache.
struct ChunkCacheOptions {
  std::optional<std::size_t> chunks;  ///< largest number of chunks; 0 disables the cache
  std::optional<std::size_t> bytes;   ///< largest size; 0 disables the cache
  /// The preemption policy `w0` of H5Pset_chunk_cache, from 0 to 1: how strongly fully read chunks are
  /// preferred for eviction.
  std::optional<double> preemption;
};

/// Returns the counters of the shared chunk cache, which serves all datasets without a cache of their own.
/// Thread safety: this and the following functions may be called from any thread.
FILIGREE_EXPORT ChunkCacheCounters chunk_cache_counters();
/// Returns the capacity of the shared chunk cache.
///
/// The default is a sixteenth of the machine's memory, but at least 64 MiB, and at least four chunks of every
/// open dataset (up to half of the memory). The environment variable FILIGREE_CHUNK_CACHE_BYTES and
/// set_chunk_cache_bytes() override the default.
FILIGREE_EXPORT std::size_t chunk_cache_bytes();
/// Sets the capacity of the shared chunk cache.
FILIGREE_EXPORT void set_chunk_cache_bytes(std::size_t bytes);

/// The expected access pattern of a dataset.
enum class ChunkAccess : std::uint8_t {
  anything,  ///< no preferred direction
  rows,      ///< along the last dimension
  columns,   ///< along the first dimension
  frames,    ///< all elements of one step along the extensible dimension (or the first one if none is)
};

/// Suggests the chunk dimensions of a dataset; empty for a dataspace without dimensions.
///
/// A chunk gets at most a target size: a 64th of the data, but at least 64 KiB (256 KiB if a dimension is
/// extensible) and at most 1 MiB, or one element if that is larger.
///  - rows: complete rows, as many as the target allows; long rows are split into equal parts.
///  - columns: complete columns, but never less than 64 bytes of a row.
///  - frames: one frame, or several small ones; large frames are split along their longest sides.
///  - anything: the longest side is halved until the chunk fits, so that chunks have similar lengths in every
///    dimension. An extensible dimension counts with its current size or 1024, whichever is larger.
/// Fixed dimensions are split evenly: 1000 into 500 and 500, not into 512 and 488. No chunk dimension exceeds
/// the maximum dimension of the dataspace.
FILIGREE_EXPORT std::vector<std::uint64_t> suggest_chunks(const Dataspace& space, const Datatype& type,
                                                          ChunkAccess access = ChunkAccess::anything);

/// How many elements of a sparse dataset are expected to be defined. An estimate within a factor of 4 is good
/// enough.
class FILIGREE_EXPORT ExpectedDensity {
 public:
  /// 1 % of the elements.
  ExpectedDensity() = default;
  /// A share of all elements.
  /// Throws: Error(invalid_argument) unless it is greater than 0 and at most 1.
  static ExpectedDensity of(double share);
  /// So many elements of every slice. A slice is one step along the extensible dimension, or along the first
  /// one if none is: a frame of a stream, a row of a matrix.
  /// Throws: Error(invalid_argument) unless it is greater than 0.
  static ExpectedDensity per_slice(double elements);

  /// Returns the share of the elements of a dataspace.
  double share(const Dataspace& space) const;

 private:
  double share_ = 0.01;
  double per_slice_ = 0;  ///< 0: the share is given
};

/// Suggests the chunk dimensions of a sparse dataset; empty for a dataspace without dimensions.
///
/// What a sparse chunk costs depends on its defined elements. With fewer than about 1,000, the costs of the
/// chunk itself dominate. With many more than 10,000, reading a few of them takes longer than it has to.
///  - rows, columns: complete rows or columns with about 8,192 defined elements together. Longer ones are
///    split.
///  - frames: one frame, or several with about 4,096 defined elements together. A frame of more than 65,536
///    is split along its longest sides.
///  - anything: similar lengths in every dimension, and about 8,192 defined elements.
/// A chunk has at most 2^26 elements, and at most 2^31 if it is one frame. Fixed dimensions are split evenly.
FILIGREE_EXPORT std::vector<std::uint64_t> suggest_sparse_chunks(const Dataspace& space,
                                                                 const ExpectedDensity& density = {},
                                                                 ChunkAccess access = ChunkAccess::anything);

}  // namespace filigree
