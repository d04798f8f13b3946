// SPDX-License-Identifier: Apache-2.0
//
// The partition of a box along a chunk grid, without a list of its runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/divider.hpp"
#include "space/frame.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree::space {

/// A Partition for the most common transfer: a solid box of the extent, and contiguous elements or a box of
/// the same shape in memory. The offsets of a chunk's rows follow from its coordinates. Runs are therefore
/// computed chunk by chunk when they are needed.
///
/// *Thread safety*: make_runs() may be called from any thread while next_batch() is not running.
class BoxPartition {
 public:
  /// Returns nothing if the selections are of another kind, or if a chunk would have very many runs. *Throws*
  /// like Partition.
  static std::optional<BoxPartition> find(const ChunkGrid& grid, const Selection& file,
                                          const Selection& memory);

  /// Returns up to `most` pieces in ascending order of their chunks, each chunk once; false at the end. A
  /// piece with several runs has no list of them: PieceRuns computes it. *Invalidates* the pieces of the
  /// previous call.
  bool next_batch(std::size_t most, std::vector<ChunkPiece>& pieces);

  /// Computes the runs of a chunk that the box overlaps: those of Partition, or longer ones.
  void make_runs(std::uint64_t chunk, std::vector<ChunkRun>& runs) const;

 private:
  struct Axis {
    std::uint64_t start = 0;  ///< first coordinate of the box
    std::uint64_t length = 0;
    std::uint64_t chunk = 0;              ///< dimension of a chunk
    std::uint64_t first = 0;              ///< first chunk coordinate that the box overlaps
    std::uint64_t chunks = 0;             ///< number of chunks that the box overlaps
    std::uint64_t chunk_offset_step = 0;  ///< distance of adjacent coordinates in a chunk, in elements
    std::uint64_t memory_step = 0;        ///< the same distance in memory
    Divider grid_step{1};                 ///< distance of adjacent chunks of this dimension, in chunks
  };
  /// The part of a chunk that the box covers in one dimension.
  struct Part {
    std::uint64_t chunk_offset;
    std::uint64_t memory;  ///< offset in memory from the first element of the box
    std::uint64_t length;
  };
  using AxisRanges = std::array<Part, max_rank>;

  BoxPartition() = default;
  static Part part_of(const Axis& axis, std::uint64_t scaled);
  /// The dimension from which on all dimensions form one run of a chunk.
  std::size_t run_dimension(const AxisRanges& parts) const;
  /// The largest number of runs of a chunk.
  std::uint64_t most_runs() const;
  void advance();
  ChunkPiece make_piece();

  std::vector<Axis> axes_;
  std::uint64_t memory_start_ = 0;
  std::uint64_t left_ = 0;  ///< number of chunks that have not been returned
  std::array<std::uint64_t, max_rank> next_{};
  AxisRanges parts_{};               ///< parts of the next chunk
  std::vector<ChunkRun> only_runs_;  ///< the runs of chunks that have one run
};

/// The runs of a piece: its own list, or computed ones in memory that the thread reuses.
class PieceRuns {
 public:
  explicit PieceRuns(const ChunkPiece& piece);
  ~PieceRuns();
  PieceRuns(const PieceRuns&) = delete;
  PieceRuns& operator=(const PieceRuns&) = delete;

  std::span<const ChunkRun> runs() const { return runs_; }

 private:
  std::vector<ChunkRun> made_;
  std::span<const ChunkRun> runs_;
};

}  // namespace filigree::space
