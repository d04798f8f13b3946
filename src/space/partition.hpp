// SPDX-License-Identifier: Apache-2.0
//
// A transfer cut along a grid of chunks.
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

/// Equal boxes that tile an extent from the origin on; the last in a dimension may reach beyond it.
class ChunkGrid {
 public:
  /// Throws Error(invalid_argument) for a rank that differs or is zero, or a chunk dimension of zero.
  ChunkGrid(const Frame& extent, std::vector<std::uint64_t> chunk_dims);

  const Frame& extent() const { return extent_; }
  /// The elements of one chunk.
  const Frame& chunk() const { return chunk_; }
  /// The chunks; a chunk's number is its position here.
  const Frame& chunks() const { return chunks_; }

 private:
  Frame extent_;
  Frame chunk_;
  Frame chunks_;
};

/// Elements of one chunk that are neighbours there and in memory.
struct ChunkRun {
  std::uint64_t chunk = 0;         ///< number in the grid
  std::uint64_t chunk_offset = 0;  ///< position in the chunk
  std::uint64_t memory = 0;        ///< position in the memory selection's frame
  std::uint64_t length = 0;
  friend bool operator==(const ChunkRun&, const ChunkRun&) = default;
};

class BoxPartition;

/// What a transfer wants of one chunk: in the order of the selection.
struct ChunkPiece {
  std::uint64_t chunk = 0;
  std::uint64_t elements = 0;      ///< points count as often as they are listed
  std::span<const ChunkRun> runs;  ///< none where `box` makes them when they are needed: see PieceRuns
  std::uint64_t run_count = 0;
  const BoxPartition* box = nullptr;
};

/// Throws Error(invalid_argument) when their numbers of elements differ, or when the file's frame is not the
/// grid's extent.
void require_matching(const ChunkGrid& grid, const Selection& file, const Selection& memory);

struct PartitionLimits {
  std::size_t enough_runs = std::size_t{1} << 15;  ///< a batch ends at the next row of chunks
  std::size_t most_runs = std::size_t{1} << 20;    ///< a batch ends at once
};

/// Cuts a pair of selections (elements of the file, and where they are in memory) into pieces, chunk by
/// chunk, in one pass. Time goes with runs and chunks touched, and no more than a batch of runs is held at a
/// time.
///
/// Chunks come in ascending order and once each, except where a row of chunks (equal first coordinate) or a
/// list of points needs more than `most_runs`: then one chunk may come in several pieces, in the order of the
/// selection.
class Partition {
 public:
  /// The selections outlive the partition. Throws as require_matching() does.
  Partition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
            const PartitionLimits& limits = {});

  /// The next piece, whose runs are valid until the next call; false at the end.
  bool next(ChunkPiece& piece);
  /// All pieces of the next batch, valid until the next call; false at the end. Not to be mixed with next().
  bool next_batch(std::vector<ChunkPiece>& pieces);

 private:
  /// One dimension of the grid, as positions of rows are taken apart.
  struct Axis {
    Divider step;   ///< rows in one step of this dimension
    Divider chunk;  ///< coordinates in a chunk
    std::uint64_t chunk_step;
    std::uint64_t chunk_offset_step;
  };

  /// Of a row: its first chunk, and where it starts in its chunks.
  struct RowStart {
    std::uint64_t chunk = 0;
    std::uint64_t chunk_offset = 0;
  };

  bool fill();
  void fill_by_runs();
  void add_matched_runs();
  void add_set_runs();
  /// Points whose elements stand one behind the other in memory: no list but the sorted one is made, and all
  /// cores take part.
  void fill_by_points();
  template <class Visit>
  void locate_points(std::uint64_t from, std::uint64_t to, Visit visit) const;
  ChunkPiece take();
  ChunkRun first_piece(Run run);
  RowStart row_start(std::uint64_t row) const;
  void enter_row(std::uint64_t offset);

  Cursor file_;
  Cursor memory_;
  RunSet set_;                    ///< of the file, where it is one that memory has in one run
  std::size_t set_run_ = 0;       ///< the next of its runs
  Run set_rest_;                  ///< of the run before it
  std::uint64_t set_memory_ = 0;  ///< where its elements are
  bool ordered_;                  ///< the file's elements ascend
  std::uint64_t runs_at_least_;   ///< in all batches together
  PartitionLimits limits_;

  std::vector<Axis> outer_;     ///< dimensions above the row
  std::uint64_t row_elements_;  ///< a row: the innermost dimension that is cut, and all below it
  Divider row_;
  Divider cut_;                  ///< elements of a row in one chunk
  std::uint64_t band_elements_;  ///< of a row of chunks

  std::uint64_t row_start_ = 0;  ///< of the current row
  RowStart row_chunks_;
  std::vector<ChunkRun> batch_;
  std::span<const std::uint64_t> points_;  ///< empty unless they are taken by fill_by_points()
  std::uint64_t next_point_ = 0;
  std::uint64_t memory_start_ = 0;           ///< of the points
  std::size_t chunks_ = 0;                   ///< of the grid
  std::unique_ptr<std::byte[]> point_runs_;  ///< memory for a batch of them
  std::span<const ChunkRun> sorted_;         ///< the batch, chunk by chunk
  std::size_t given_ = 0;                    ///< runs of the batch that have been handed out
};

struct SpanLimits {
  std::size_t runs = 8192;                    ///< of a stretch, about: they fit into a core's own cache
  std::size_t spans = 32;                     ///< that are cut at a time
  std::size_t pieces = std::size_t{1} << 20;  ///< of more than so many a stretch is not cut at once
};

/// A partition whose batches are made on all cores where the file's elements are a set of many runs, and
/// memory has them in one.
class ParallelPartition {
 public:
  /// As Partition.
  ParallelPartition(const ChunkGrid& grid, const Selection& file, const Selection& memory,
                    const SpanLimits& limits = {});
  /// As Partition::next_batch().
  bool next_batch(std::vector<ChunkPiece>& pieces);

 private:
  /// Whole rows of chunks, and all of the set that is there.
  struct PartitionSpan {
    std::uint64_t from = 0, until = 0;       ///< places
    std::size_t first_run = 0, end_run = 0;  ///< of the set; the first and the last may be cut
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
  std::size_t run_ = 0;       ///< the next one
  std::uint64_t offset_ = 0;  ///< everything before is done
  std::uint64_t memory_ = 0;  ///< where the next element is
  std::vector<PartitionSpan> spans_;
  std::optional<PartitionSpan> held_;  ///< for the next batch
  std::optional<Partition> alone_;     ///< what one core cuts
};

}  // namespace filigree::space
