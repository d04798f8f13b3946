// SPDX-License-Identifier: Apache-2.0
//
// The partition of a transfer along a chunk grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "space/cursor.hpp"
#include "space/divider.hpp"
#include "space/frame.hpp"
#include "space/selection.hpp"

namespace filigree::space {

/// Equal chunks that tile an extent from the origin on. The last chunk of a dimension may be a partial edge
/// chunk, which extends beyond the extent.
class ChunkGrid {
 public:
  /// *Throws* Error(invalid_argument) for a different or zero rank, or a chunk dimension of zero.
  ChunkGrid(const Frame& extent, std::vector<std::uint64_t> chunk_dims);

  const Frame& extent() const { return extent_; }
  /// The frame of one chunk: offsets in it are chunk offsets.
  const Frame& chunk() const { return chunk_; }
  /// The frame of the chunks: the index of a chunk is its linear offset in it.
  const Frame& chunks() const { return chunks_; }

 private:
  Frame extent_;
  Frame chunk_;
  Frame chunks_;
};

/// Elements that are contiguous in one chunk and in memory.
struct ChunkRun {
  std::uint64_t chunk = 0;         ///< index of the chunk in the grid
  std::uint64_t chunk_offset = 0;  ///< offset within the chunk
  std::uint64_t memory = 0;        ///< offset in the frame of the memory selection
  std::uint64_t length = 0;
  friend bool operator==(const ChunkRun&, const ChunkRun&) = default;
};

class BoxPartition;

/// The part of a transfer that concerns one chunk, in the order of the selection.
struct ChunkPiece {
  std::uint64_t chunk = 0;
  std::uint64_t elements = 0;      ///< number of elements; duplicate points count each time
  std::span<const ChunkRun> runs;  ///< empty if `box` computes them on demand: see PieceRuns
  std::uint64_t run_count = 0;
  const BoxPartition* box = nullptr;
};

/// *Throws* Error(invalid_argument) if the selections differ in their number of elements, or if the frame of
/// `file` is not the extent of the grid.
void require_matching(const ChunkGrid& grid, const Selection& file, const Selection& memory);

/// The size of the batches of a partition.
struct PartitionLimits {
  std::size_t enough_runs = std::size_t{1} << 15;  ///< from here on, a batch ends at the next row of chunks
  std::size_t most_runs = std::size_t{1} << 20;    ///< a batch ends immediately
};

/// Divides a transfer (a selection of the file and one of memory) into pieces, one per chunk, in one pass.
/// The time is proportional to the runs and chunks involved, and only one batch of runs is held at a time.
///
/// Chunks come in ascending order, each once, with one exception. If a row of chunks (equal first coordinate)
/// or a list of points has more than `most_runs` runs, a chunk may come in several pieces, in the order of
/// the selection.
class Partition {
 public:
  /// *Requires* that the selections outlive the partition. *Throws* like require_matching().
  Partition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
            const PartitionLimits& limits = {});

  /// Returns the next piece; false at the end. *Invalidates* the runs of the previous piece.
  bool next(ChunkPiece& piece);
  /// Returns all pieces of the next batch; false at the end. *Requires* that next() is not used.
  /// *Invalidates* the pieces of the previous call.
  bool next_batch(std::vector<ChunkPiece>& pieces);

 private:
  /// One dimension of the grid, for the conversion of row offsets to coordinates.
  struct Axis {
    Divider step;   ///< number of rows in one step of this dimension
    Divider chunk;  ///< dimension of a chunk
    std::uint64_t chunk_step;
    std::uint64_t chunk_offset_step;
  };

  /// The first chunk of a row, and the chunk offset at which the row starts in its chunks.
  struct RowStart {
    std::uint64_t chunk = 0;
    std::uint64_t chunk_offset = 0;
  };

  bool fill();
  void fill_by_runs();
  void add_matched_runs();
  void add_set_runs();
  /// Handles points whose elements are contiguous in memory. Only the sorted list is built, on all threads.
  void fill_by_points();
  template <class Visit>
  void locate_points(std::uint64_t from, std::uint64_t to, Visit visit) const;
  ChunkPiece take();
  ChunkRun first_piece(Run run);
  RowStart row_start(std::uint64_t row) const;
  void enter_row(std::uint64_t offset);

  Cursor file_;
  Cursor memory_;
  RunSet set_;                    ///< the set of the file, if its elements are one run in memory
  std::size_t set_run_ = 0;       ///< index of its next run
  Run set_rest_;                  ///< rest of the previous run
  std::uint64_t set_memory_ = 0;  ///< offset of its elements in memory
  bool ordered_;                  ///< whether the elements of the file ascend
  std::uint64_t runs_at_least_;   ///< lower bound for all batches together
  PartitionLimits limits_;

  std::vector<Axis> outer_;     ///< dimensions outside of the row
  std::uint64_t row_elements_;  ///< a row is the innermost dimension that chunks divide, and all below it
  Divider row_;
  Divider cut_;                       ///< number of elements of a row in one chunk
  std::uint64_t chunk_row_elements_;  ///< number of elements of a row of chunks

  std::uint64_t row_start_ = 0;  ///< offset of the current row
  RowStart row_chunks_;
  std::vector<ChunkRun> batch_;
  std::span<const std::uint64_t> points_;  ///< empty unless fill_by_points() handles them
  std::uint64_t next_point_ = 0;
  std::uint64_t memory_start_ = 0;           ///< offset of the points in memory
  std::size_t chunks_ = 0;                   ///< number of chunks of the grid
  std::unique_ptr<std::byte[]> point_runs_;  ///< memory for a batch of points
  std::span<const ChunkRun> sorted_;         ///< the batch, sorted by chunk
  std::size_t given_ = 0;                    ///< number of runs of the batch that have been returned
};

/// The size of the spans of a parallel partition.
struct SpanLimits {
  std::size_t runs = 8192;  ///< approximate number of runs of a span, which fit into the cache of a core
  std::size_t spans = 32;   ///< number of spans that are divided at a time
  std::size_t pieces = std::size_t{1} << 20;  ///< a span of more pieces is divided in batches
};

/// A partition that computes its batches on several threads if the elements of the file are a set of many
/// runs that are one run in memory. Other transfers use one Partition.
class ParallelPartition {
 public:
  /// *Requires* and *throws* like Partition.
  ParallelPartition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
                    const SpanLimits& limits = {});
  /// Like Partition::next_batch().
  bool next_batch(std::vector<ChunkPiece>& pieces);

 private:
  /// Several complete rows of chunks and the part of the set in them.
  struct PartitionSpan {
    std::uint64_t from = 0, until = 0;       ///< offsets in the extent
    std::size_t first_run = 0, end_run = 0;  ///< runs of the set; the first and the last may be divided
    std::uint64_t memory_start = 0, elements = 0;
    Selection file{}, memory{};
    std::optional<Partition> partition{};
    std::vector<ChunkPiece> pieces{};
  };
  PartitionSpan next_span();
  void cut_out(PartitionSpan& span) const;
  bool is_long(const PartitionSpan& span) const;

  const ChunkGrid& grid_;
  SpanLimits limits_;
  RunSet set_;
  std::size_t run_ = 0;       ///< index of the next run
  std::uint64_t offset_ = 0;  ///< all elements before this offset are done
  std::uint64_t memory_ = 0;  ///< offset of the next element in memory
  std::vector<PartitionSpan> spans_;
  std::optional<PartitionSpan> held_;  ///< a span for the next batch
  std::optional<Partition> single_;    ///< the partition, if one thread does all
};

}  // namespace filigree::space
