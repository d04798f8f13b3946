// SPDX-License-Identifier: Apache-2.0
//
// A box cut along a grid of chunks, without a list of its runs.
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

/// What Partition does, for the commonest transfer: a solid box of the extent, and in memory elements that
/// stand one behind the other or in a box of the same shape. Where the rows of a chunk go follows from its
/// place, so that runs are made chunk by chunk, when and where they are needed: on any thread.
class BoxPartition {
 public:
  /// Nothing when the selections are not of this kind, or a chunk would have very many runs. Throws as
  /// Partition does.
  static std::optional<BoxPartition> find(const ChunkGrid& grid, const Selection& file,
                                          const Selection& memory);

  /// The next pieces, at most `most` of them, in ascending order of their chunks and once each. The runs of
  /// those that have several are not made: see PieceRuns. They are valid until the next call; false at the
  /// end.
  bool next_batch(std::size_t most, std::vector<ChunkPiece>& pieces);

  /// The runs of a chunk that the box touches, as Partition has them or longer.
  void make_runs(std::uint64_t chunk, std::vector<ChunkRun>& runs) const;

 private:
  struct Axis {
    std::uint64_t start = 0;  ///< of the box
    std::uint64_t length = 0;
    std::uint64_t chunk = 0;              ///< coordinates in a chunk
    std::uint64_t first = 0;              ///< of the chunks that the box touches
    std::uint64_t chunks = 0;             ///< that it touches
    std::uint64_t chunk_offset_step = 0;  ///< elements from one coordinate to the next, in a chunk
    std::uint64_t memory_step = 0;        ///< and in memory
    Divider grid_step{1};                 ///< chunks from one to the next of this dimension
  };
  /// The part of a chunk that the box covers, in one dimension.
  struct Part {
    std::uint64_t chunk_offset;
    std::uint64_t memory;  ///< elements from the box's first one
    std::uint64_t length;
  };
  using Parts = std::array<Part, max_rank>;

  BoxPartition() = default;
  static Part part_of(const Axis& axis, std::uint64_t scaled);
  /// Dimensions from here on make one run of a chunk.
  std::size_t run_dimension(const Parts& parts) const;
  /// Runs that a chunk may have.
  std::uint64_t most_runs() const;
  void advance();
  ChunkPiece make_piece();

  std::vector<Axis> axes_;
  std::uint64_t memory_start_ = 0;
  std::uint64_t left_ = 0;  ///< chunks that have not been given out
  std::array<std::uint64_t, max_rank> next_{};
  Parts parts_{};                    ///< of the next one
  std::vector<ChunkRun> only_runs_;  ///< of chunks that have one
};

/// The runs of a piece: those that it has, or new ones, in memory that the thread uses again and again.
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
