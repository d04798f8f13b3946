// SPDX-License-Identifier: Apache-2.0
//
// Direct access to the stored bytes of chunks, without filters and conversion.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <filigree/chunks.hpp>

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "chunk/raw/raw_chunks.hpp"
#include "format/messages/layout.hpp"
#include "space/huge_selection.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {
class ChunkTable;
}

namespace filigree::model {

class Dataset;

/// Coordinates of an element, or of a chunk in the grid of chunks.
using Coordinates = std::span<const std::uint64_t>;

/// The stored chunks of a dataset. Functions that read first flush the dirty chunks that their result depends
/// on.
///
/// Only file and header of the dataset are used: its messages may be outdated when the lock was released.
/// Requires: the file lock, as in Dataset; the dataset outlives this object.
/// Throws: Error(invalid_argument), from all functions, if the dataset is not chunked.
class DirectChunks {
 public:
  explicit DirectChunks(const Dataset& dataset) : dataset_(dataset) {}

  /// Writes the stored bytes of one chunk; `corner` is its first element. The exclusive lock is not held
  /// while the bytes are written, unless they replace a chunk in place.
  /// Throws: Error(invalid_argument) if `corner` is not the first element of a chunk in the extent,
  /// Error(unsupported) for structured chunks. Thread safety: threads may write different chunks
  /// concurrently, each with a Dataset of its own.
  void write(Coordinates corner, Bytes bytes, std::uint32_t filter_mask) const;
  /// Reads the stored bytes of one chunk and returns its filter mask.
  /// Throws: Error(not_found) for a chunk that is not stored.
  std::uint32_t read(Coordinates corner, Buffer& into) const;
  /// Writes a structured chunk section by section. The sections are checked before the file changes; see
  /// chunk::ConstRawChunks::assemble(). Throws: Error(unsupported) for other chunks.
  void write_sections(Coordinates corner, std::span<const SectionBytes> sections) const;
  /// Reads the sections of a structured chunk. Throws: Error(not_found) for a chunk that is not stored.
  std::vector<RawSection> read_sections(Coordinates corner) const;
  /// Returns the sizes of what read_sections() returns. Reads as little as that needs.
  std::vector<SectionInfo> describe_sections(Coordinates corner) const;
  /// Returns the chunk that contains `element`, or nothing if it is not stored.
  std::optional<ChunkInfo> find(Coordinates element) const;

  /// Calls `visit` for every stored chunk with selected elements, in row-major order, until it returns false.
  /// Returns whether all chunks were visited. A null selection selects all elements. `visit` may change the
  /// file. Requires: the frame of the selection is the extent.
  bool for_each(const space::Selection* selection, FunctionRef<bool(const ChunkInfo&)> visit) const;
  /// Does the same in an extent of 2^64 elements or more.
  bool for_each(const space::HugeSelection& selection, FunctionRef<bool(const ChunkInfo&)> visit) const;
  /// Returns the number of stored chunks.
  std::uint64_t count() const;

 private:
  using ChunkCoordinates = std::array<std::uint64_t, space::max_rank>;

  /// Returns the chunk table. It is looked up each time, because other threads may have changed it.
  std::shared_ptr<chunk::ChunkTable> open() const;
  /// Does the same for a dataset whose chunks have no sections.
  std::shared_ptr<chunk::ChunkTable> open_dense() const;
  /// Returns the chunk that contains the element. Throws: Error(invalid_argument) if it is outside of the
  /// extent.
  static ChunkCoordinates chunk_of(const chunk::ChunkTable& chunks, Coordinates element);
  static ChunkCoordinates chunk_at_corner(const chunk::ChunkTable& chunks, Coordinates corner);
  static Coordinates of_rank(const ChunkCoordinates& scaled, Coordinates like) {
    return {scaled.data(), like.size()};
  }
  /// Visits the stored chunks in the bounds for which `touched` returns true.
  bool for_each_in(const space::Bounds& bounds, FunctionRef<bool(Coordinates)> touched,
                   FunctionRef<bool(const ChunkInfo&)> visit) const;
  void flush_one(chunk::ChunkTable& chunks, Coordinates scaled) const;
  /// Fills `info`, and reuses its memory.
  void describe(const chunk::ChunkTable& chunks, Coordinates scaled, const index::ChunkLocation& location,
                ChunkInfo& info) const;
  /// Writes the chunk if it is dirty, and returns where it is. Throws: Error(not_found) for a chunk that is
  /// not stored.
  index::ChunkLocation find_stored(chunk::ChunkTable& chunks, Coordinates scaled, Coordinates corner) const;
  index::ChunkLocation read_stored(chunk::ChunkTable& chunks, Coordinates scaled, Coordinates corner,
                                   Buffer& into) const;
  /// Returns whether the index refers to this allocation.
  bool is_committed(Coordinates corner, const chunk::RawChunkAllocation& allocation) const;
  /// Frees the space of a failed write, unless the index already refers to it.
  /// Requires: the chunk is not replaced in place.
  void release(Coordinates corner, const chunk::RawChunkAllocation& allocation) const;

  const Dataset& dataset_;
};

/// Returns the sections of structured chunks in their order; none for other layouts.
std::vector<SectionKind> section_kinds(const format::LayoutMessage& layout);
/// Returns the sections of portable sparse chunks.
std::vector<SectionKind> portable_section_kinds();

}  // namespace filigree::model
