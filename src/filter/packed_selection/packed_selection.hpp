// SPDX-License-Identifier: Apache-2.0
//
// The selection of a sparse chunk near its entropy: what filter 500 makes of an encoded dataspace, and short
// cuts between its bytes and the runs of a set. docs/format/packed-selection.md specifies the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/filter.hpp"
#include "filter/packed_selection/bitmap.hpp"

namespace filigree::filter {

inline constexpr std::uint16_t packed_selection_id = 500;

/// The elements of an extent as the ascending list of positions, in row-major order, where membership
/// changes.
struct SelectionRuns {
  std::vector<std::uint64_t> dims;
  std::vector<std::uint64_t> edges;
};

/// Any bytes; never more than one byte longer than they are.
Buffer pack_selection(Bytes plain);

/// The bytes that were packed. Throws Error(corrupt) or Error(truncated), also when they are more than
/// `max_bytes`.
Buffer unpack_selection(Bytes stored, std::size_t max_bytes);

/// The same without the way over the bytes, which the engine would only take apart again. Nothing for what
/// does not stand for a set in ascending order, or would have to be looked at as bytes.
std::optional<SelectionRuns> unpack_runs(Bytes stored, std::size_t max_bytes);

/// The same as single elements.
struct SelectionPoints {
  std::vector<std::uint64_t> dims;
  Points points;
};
/// As unpack_runs(); nothing also where positions take more than 32 bits. More than `points` of them are
/// refused, or come as bits, which are not counted.
std::optional<SelectionPoints> unpack_points(Bytes stored, std::size_t max_bytes, std::uint64_t points);

struct PackedRuns {
  Buffer stored;
  std::uint64_t plain_bytes = 0;  ///< of what it unpacks to, its checksum included
};

/// What pack_selection() makes of the standard encoding of a set (extent and hyperslab of version 1, then the
/// checksum), without the way over its bytes. Nothing where that encoding does not serve: empty and full
/// sets, numbers beyond 32 bits, and sets that pack better as blocks.
std::optional<PackedRuns> pack_runs(std::span<const std::uint64_t> dims,
                                    std::span<const std::uint64_t> edges);

/// As pack_runs(), and with the same result, of ascending elements.
std::optional<PackedRuns> pack_points(std::span<const std::uint64_t> dims,
                                      std::span<const std::uint32_t> points);

}  // namespace filigree::filter
