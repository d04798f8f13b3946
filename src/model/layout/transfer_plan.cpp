// SPDX-License-Identifier: Apache-2.0
#include "model/layout/transfer_plan.hpp"

#include <algorithm>

namespace filigree::model {

TransferPlanner::TransferPlanner(const Side& data, const Side& memory, bool direct, const PlanLimits& limits)
    : data_(data.selection),
      memory_(memory.selection),
      data_bytes_(data.element_bytes),
      memory_bytes_(memory.element_bytes),
      direct_(direct),
      limits_(limits) {}

bool TransferPlanner::next(Batch& batch) {
  batch = {};
  while (!data_.done()) {
    const std::uint64_t data_run = data_.pattern().length;
    const std::uint64_t memory_run = memory_.pattern().length;
    const bool direct = direct_ && std::min(data_run, memory_run) * data_bytes_ >= limits_.direct_run_bytes;
    if (!(direct ? plan_direct(batch, data_run, memory_run) : plan_move(batch))) break;
  }
  return !batch.empty();
}

bool TransferPlanner::plan_direct(Batch& batch, std::uint64_t data_run, std::uint64_t memory_run) {
  const std::uint64_t free_bytes =
      limits_.direct_batch_bytes - std::min(limits_.direct_batch_bytes, batch.direct_bytes);
  std::uint64_t count = std::min({data_run, memory_run, free_bytes / data_bytes_});
  if (count == 0) {
    if (!batch.empty()) return false;
    count = 1;
  }
  const std::uint64_t bytes = count * data_bytes_;
  batch.direct.push_back(
      {data_.pattern().start * data_bytes_, memory_.pattern().start * memory_bytes_, bytes});
  batch.direct_bytes += bytes;
  data_.advance(count);
  memory_.advance(count);
  return true;
}

std::uint64_t TransferPlanner::strided_count(std::uint64_t stride, std::uint64_t most,
                                             std::uint64_t free_bytes) const {
  const std::uint64_t stride_bytes = stride * data_bytes_;
  if (stride_bytes - data_bytes_ > limits_.gap_bytes) return 1;
  if (free_bytes < data_bytes_) return 1;
  return std::min(most, (free_bytes - data_bytes_) / stride_bytes + 1);
}

bool TransferPlanner::plan_move(Batch& batch) {
  const space::RunPattern d = data_.pattern();
  const space::RunPattern m = memory_.pattern();
  const std::uint64_t offset = d.start * data_bytes_;
  // A gap before the new bytes also needs space.
  std::uint64_t gap = 0;
  if (!batch.staged.empty()) {
    gap = offset - (batch.staged.back().offset + batch.staged.back().bytes);
    if (gap > limits_.gap_bytes) gap = 0;
  }
  const std::uint64_t used = batch.staged_bytes + gap;
  const std::uint64_t free_bytes = limits_.staging_bytes - std::min(limits_.staging_bytes, used);
  if (free_bytes < data_bytes_ && !batch.empty()) return false;

  const bool data_strided = d.length == 1 && d.count > 1;
  const bool memory_strided = m.length == 1 && m.count > 1;
  std::uint64_t count = std::min(data_strided ? d.count : d.length, memory_strided ? m.count : m.length);
  count = data_strided ? strided_count(d.stride, count, free_bytes)
                       : std::min(count, std::max<std::uint64_t>(1, free_bytes / data_bytes_));
  const std::uint64_t data_stride = data_strided ? d.stride * data_bytes_ : data_bytes_;
  const std::uint64_t bytes = (count - 1) * data_stride + data_bytes_;
  const std::uint64_t staged = stage(batch, offset, bytes, count > 1 && data_stride != data_bytes_);
  batch.moves.push_back({staged, data_stride, m.start * memory_bytes_,
                         memory_strided ? m.stride * memory_bytes_ : memory_bytes_, count});
  data_.advance(count);
  memory_.advance(count);
  return true;
}

std::uint64_t TransferPlanner::stage(Batch& batch, std::uint64_t offset, std::uint64_t bytes, bool gaps) {
  if (!batch.staged.empty()) {
    StagedPiece& last = batch.staged.back();
    if (offset >= last.offset && offset + bytes <= last.offset + last.bytes)
      return last.staged + (offset - last.offset);  // a repeated element
    const std::uint64_t gap = offset - (last.offset + last.bytes);
    if (gap <= limits_.gap_bytes) {
      last.bytes += gap + bytes;
      last.gaps = last.gaps || gaps || gap > 0;
      batch.staged_bytes += gap + bytes;
      return batch.staged_bytes - bytes;
    }
  }
  batch.staged.push_back({offset, batch.staged_bytes, bytes, gaps});
  batch.staged_bytes += bytes;
  return batch.staged_bytes - bytes;
}

}  // namespace filigree::model
