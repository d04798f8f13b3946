// SPDX-License-Identifier: Apache-2.0
//
// Filter 500, packed selections: encodes the selection of a sparse chunk in nearly as few bits as its
// entropy. It has no parameters. docs/format/packed-selection.md specifies the bytes.
//
// The filter transforms bytes of an encoded dataspace. The functions for runs and points skip these bytes and
// give the same result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/filter.hpp"
#include "filter/packed_selection/bitmap.hpp"
#include "filter/packed_selection/offset_blocks.hpp"

namespace filigree::filter {

/// The id of the filter in a pipeline.
inline constexpr std::uint16_t packed_selection_id = 500;

/// A set of elements of an extent, as its edges: the ascending linear offsets at which membership changes.
struct SelectionRuns {
  std::vector<std::uint64_t> dims;
  std::vector<std::uint64_t> edges;
};

/// Packs any bytes. The result is at most one byte longer than the input.
Buffer pack_selection(Bytes unfiltered);

/// Returns the bytes that were packed. *Throws* Error(corrupt) or Error(truncated), also for a result of more
/// than `max_bytes`.
Buffer unpack_selection(Bytes stored, std::size_t max_bytes);

/// Decodes to runs instead of bytes. Returns nothing if the data are not a set in ascending order, or can
/// only be decoded to bytes; the caller then uses unpack_selection(). *Throws* like unpack_selection().
std::optional<SelectionRuns> unpack_runs(Bytes stored, std::size_t max_bytes);

/// A set as single elements.
struct SelectionPoints {
  std::vector<std::uint64_t> dims;
  Points points;
};
/// Like unpack_runs(), for single elements. Returns nothing also if offsets exceed 32 bits. *Throws*
/// Error(corrupt) for more than `points` elements, unless the result is a bitmap, whose elements are not
/// counted.
std::optional<SelectionPoints> unpack_points(Bytes stored, std::size_t max_bytes, std::uint64_t points);

/// A set as blocks of offsets.
struct SelectionBlocks {
  std::vector<std::uint64_t> dims;
  OffsetBlocks offsets;
};
/// Like unpack_points(), for blocks of offsets. Returns nothing also if runs are long, so that unpack_runs()
/// takes less memory. *Throws* Error(corrupt) for more than `points` elements.
std::optional<SelectionBlocks> unpack_blocks(Bytes stored, std::size_t max_bytes, std::uint64_t points);

/// A packed set.
struct PackedRuns {
  Buffer stored;
  std::uint64_t unfiltered_bytes = 0;  ///< size of the unpacked bytes, including their checksum
};

/// Returns what pack_selection() makes of the standard encoding of a set: extent and hyperslab of version 1,
/// then the checksum. Returns nothing if another encoding is needed or smaller: for empty and full sets,
/// offsets beyond 32 bits, and sets that pack better as blocks.
std::optional<PackedRuns> pack_runs(std::span<const std::uint64_t> dims,
                                    std::span<const std::uint64_t> edges);

/// Like pack_runs(), with the same result, for single elements. *Requires* ascending offsets.
std::optional<PackedRuns> pack_points(std::span<const std::uint64_t> dims,
                                      std::span<const std::uint32_t> points);

}  // namespace filigree::filter
