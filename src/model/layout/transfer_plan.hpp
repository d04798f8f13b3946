// SPDX-License-Identifier: Apache-2.0
//
// Splits a transfer between the bytes of a dataset and memory into batches of limited size. Each batch is one
// vector read or write. Small runs that are close together share one piece of the transfer buffer, so that a
// strided selection does not need a system call per element.
#pragma once

#include <cstdint>
#include <vector>

#include "space/cursor.hpp"

namespace filigree::model {

/// Bytes of the dataset that pass through the transfer buffer.
struct StagedPiece {
  std::uint64_t offset = 0;  ///< offset in the bytes of the dataset
  std::uint64_t staged = 0;  ///< offset in the transfer buffer
  std::uint64_t bytes = 0;
  bool gaps = false;  ///< contains bytes that are not selected
};

/// Bytes that are transferred directly between dataset and memory.
struct DirectPiece {
  std::uint64_t offset = 0;
  std::uint64_t memory = 0;
  std::uint64_t bytes = 0;
};

/// `count` elements to convert between transfer buffer and memory; offsets and strides are in bytes.
struct Move {
  std::uint64_t staged = 0;
  std::uint64_t staged_stride = 0;
  std::uint64_t memory = 0;
  std::uint64_t memory_stride = 0;
  std::uint64_t count = 0;
};

/// The pieces of one vector read or write.
struct Batch {
  std::vector<StagedPiece> staged;
  std::vector<Move> moves;
  std::vector<DirectPiece> direct;
  std::uint64_t staged_bytes = 0;
  std::uint64_t direct_bytes = 0;

  bool empty() const { return moves.empty() && direct.empty(); }
};

/// Limits of a plan, in bytes.
struct PlanLimits {
  std::uint64_t staging_bytes = 256u << 10;   ///< exceeded only by a larger single element
  std::uint64_t gap_bytes = 4u << 10;         ///< gaps up to this size are transferred, not skipped
  std::uint64_t direct_run_bytes = 8u << 10;  ///< shorter runs are staged
  std::uint64_t direct_batch_bytes = 4u << 20;
};

/// Plans a transfer batch by batch.
/// Thread safety: one thread at a time may use it.
class TransferPlanner {
 public:
  struct Side {
    const space::Selection& selection;
    std::uint32_t element_bytes;
  };
  /// `direct` allows pieces that bypass the transfer buffer.
  /// Requires: both sides select the same number of elements; those of the dataset ascend, but may repeat.
  TransferPlanner(const Side& data, const Side& memory, bool direct, const PlanLimits& limits = {});

  /// Plans the next batch. Returns false if the whole transfer has been planned.
  bool next(Batch& batch);

 private:
  bool plan_direct(Batch& batch, std::uint64_t data_run, std::uint64_t memory_run);
  bool plan_move(Batch& batch);
  /// Returns how many elements of a strided run fit into one piece.
  std::uint64_t strided_count(std::uint64_t stride, std::uint64_t most, std::uint64_t free_bytes) const;
  /// Adds bytes to the transfer buffer and returns their offset in it.
  std::uint64_t stage(Batch& batch, std::uint64_t offset, std::uint64_t bytes, bool gaps);

  space::Cursor data_;
  space::Cursor memory_;
  std::uint64_t data_bytes_;
  std::uint64_t memory_bytes_;
  bool direct_;
  PlanLimits limits_;
};

}  // namespace filigree::model
