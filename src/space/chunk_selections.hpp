// SPDX-License-Identifier: Apache-2.0
//
// The partition of a transfer along a chunk grid into selections, for drivers that accept them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/partition.hpp"
#include "space/point_order.hpp"
#include "space/selection.hpp"

namespace filigree::space {

/// A part of a transfer that concerns one chunk.
struct ChunkSelection {
  std::uint64_t chunk = 0;  ///< index of the chunk in the grid
  Matched elements;         ///< `file` is in the frame of the chunk
  /// Where the first element of the frame of `elements.memory` is in memory, in elements.
  std::uint64_t memory_start = 0;
};

/// Divides a transfer into parts, at least one per chunk, in ascending order of the chunks as Partition does.
///
/// A regular hyperslab becomes regular hyperslabs: one part for a chunk, or several where the edge of the
/// chunk cuts blocks. This needs contiguous elements in memory, or a hyperslab of the same shape. All other
/// transfers become sets of runs, or lists of points.
class ChunkSelections {
 public:
  /// *Requires* that grid and selections outlive this. *Throws* like Partition.
  ChunkSelections(const ChunkGrid& grid, const Selection& file, const Selection& memory);

  /// Returns the next part; false at the end.
  bool next(ChunkSelection& part);

 private:
  /// A hyperslab of the file in one dimension, and its counterpart in memory.
  struct Axis {
    SlabDimension file;
    SlabDimension memory;
    std::uint64_t chunk = 0;  ///< dimension of a chunk
  };
  /// The elements of one chunk in one dimension, or those of them that are regular.
  struct AxisPart {
    SlabDimension file;  ///< coordinates within the chunk
    SlabDimension memory;
  };
  using AxisParts = std::vector<AxisPart>;

  bool find_axes(const Selection& file, const Selection& memory);
  static AxisParts parts_of(const Axis& axis, std::uint64_t chunk_coordinate);
  /// The first chunk coordinate, from `from` on, with elements; nothing if there is none.
  static std::optional<std::uint64_t> chunk_from(const Axis& axis, std::uint64_t from);
  void enter_chunk(std::size_t first_axis);
  bool advance_part();
  bool advance_chunk();
  ChunkSelection make_part() const;
  bool next_of_runs(ChunkSelection& part);

  const ChunkGrid& grid_;
  const Selection& memory_;
  const bool sets_;

  // Regular transfers.
  std::vector<Axis> axes_;
  Frame memory_frame_;
  std::uint64_t memory_start_ = 0;
  std::vector<std::uint64_t> at_;    ///< coordinates of the current chunk
  std::vector<AxisParts> parts_;     ///< of the current chunk, by dimension
  std::vector<std::size_t> chosen_;  ///< the current part of each dimension
  bool done_ = false;

  std::optional<Partition> others_;  ///< the partition of a transfer that is not regular
};

}  // namespace filigree::space
