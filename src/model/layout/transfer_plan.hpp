// SPDX-License-Identifier: Apache-2.0
//
// Cuts a transfer between a dataset's bytes and a program's memory into batches of bounded size, each of
// which is one vector read or write. Small runs that stand close together become one piece of staging memory,
// so that a strided selection does not cost a system call per element.
#pragma once

#include <cstdint>
#include <vector>

#include "space/cursor.hpp"

namespace filigree::model {

/// Bytes of the dataset that pass through staging memory.
struct StagedPiece {
  std::uint64_t offset = 0;  ///< in the dataset's bytes
  std::uint64_t staged = 0;  ///< in staging memory
  std::uint64_t bytes = 0;
  bool gaps = false;  ///< holds bytes that are not selected
};

/// Bytes that go between dataset and memory as they are.
struct DirectPiece {
  std::uint64_t offset = 0;
  std::uint64_t memory = 0;
  std::uint64_t bytes = 0;
};

/// `count` elements between staging and memory; positions and strides in bytes.
struct Move {
  std::uint64_t staged = 0;
  std::uint64_t staged_stride = 0;
  std::uint64_t memory = 0;
  std::uint64_t memory_stride = 0;
  std::uint64_t count = 0;
};

struct Batch {
  std::vector<StagedPiece> staged;
  std::vector<Move> moves;
  std::vector<DirectPiece> direct;
  std::uint64_t staged_bytes = 0;
  std::uint64_t direct_bytes = 0;

  bool empty() const { return moves.empty() && direct.empty(); }
};

struct PlanLimits {
  std::uint64_t staging_bytes = 256u << 10;   ///< exceeded only by a single larger element
  std::uint64_t gap_bytes = 4u << 10;         ///< unselected bytes that are cheaper to move than to skip
  std::uint64_t direct_run_bytes = 8u << 10;  ///< shorter runs are staged
  std::uint64_t direct_batch_bytes = 4u << 20;
};

class TransferPlanner {
 public:
  struct Side {
    const space::Selection& selection;
    std::uint32_t element_bytes;
  };
  /// Both sides select equally many elements, in their order; those of the data ascend, but may repeat.
  /// `direct` allows pieces that skip staging.
  TransferPlanner(const Side& data, const Side& memory, bool direct, const PlanLimits& limits = {});

  /// Fills `batch` with what comes next; false when everything has been planned.
  bool next(Batch& batch);

 private:
  bool plan_direct(Batch& batch, std::uint64_t data_run, std::uint64_t memory_run);
  bool plan_move(Batch& batch);
  /// Elements of a strided run that one piece may cover.
  std::uint64_t strided_count(std::uint64_t stride, std::uint64_t most, std::uint64_t room) const;
  /// Where the bytes stand in staging memory from now on.
  std::uint64_t stage(Batch& batch, std::uint64_t offset, std::uint64_t bytes, bool gaps);

  space::Cursor data_;
  space::Cursor memory_;
  std::uint64_t data_bytes_;
  std::uint64_t memory_bytes_;
  bool direct_;
  PlanLimits limits_;
};

}  // namespace filigree::model
