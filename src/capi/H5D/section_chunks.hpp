// SPDX-License-Identifier: Apache-2.0
//
// Chunks by their sections, for the functions on structured chunks and for the H5Dnative functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "capi/H5D/dataset_ids.hpp"

namespace filigree::capi {

/// A chunked dataset, the sections of its chunks and its rank.
struct SectionChunks {
  enum class Accept : std::uint8_t { structured, any_chunks, any_layout };

  /// *Throws* bad_type() for other ids, and NestedFailure for datasets of another layout.
  SectionChunks(hid_t id, Accept accept);
  /// Returns the coordinates at `offset`. *Throws* bad_value() for null.
  std::span<const std::uint64_t> coordinates(const hsize_t* offset) const;
  /// Returns the chunk, or nothing when it is not allocated or lies outside of the extent.
  std::optional<ChunkInfo> find(const hsize_t* offset) const;
  /// Returns the sections of a chunk as read_structured_chunk() returns them.
  std::vector<SectionInfo> sections_of(const ChunkInfo& found) const;
  /// Calls `visit` for all chunks until it returns a value other than zero, which `result` gets.
  /// *Throws* CallbackFailure for negative values.
  void iterate(herr_t& result, const std::function<herr_t(const ChunkInfo&)>& visit) const;

  Dataset dataset;
  bool structured = false;
  bool filters_checksums = false;  ///< filters are set for sections with a checksum
  std::vector<SectionKind> sections;
  std::size_t rank = 0;
  unsigned type = 0;  ///< H5D_SPARSE_CHUNK, H5D_VL_CHUNK
};

/// Filter masks of sections have 16 bits in the C API.
std::uint16_t narrow_mask(std::uint32_t mask);
/// Stores address and size of a chunk; unset pointers are skipped.
void store_location(const std::optional<ChunkInfo>& found, haddr_t* addr, hsize_t* size);
/// Copies sections to the buffers of the program. `capacity` returns the size of a buffer.
/// *Throws* bad_value() when a buffer is missing or too small; nothing is copied then.
void copy_sections(const std::vector<RawSection>& sections,
                   const std::function<std::size_t(std::size_t)>& capacity, void* const* buffers);

}  // namespace filigree::capi
