// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/dataset_writes.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/dataset/dataset.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/merged_elements.hpp"
#include "model/layout/selected_values.hpp"
#include "model/virtual/join.hpp"

namespace filigree::model {
namespace {

/// Selections of more runs are written one after the other instead of being cut.
constexpr std::uint64_t most_cut_runs = 1u << 20;

bool meet(const space::Bounds& a, const space::Bounds& b) {
  for (std::size_t d = 0; d < a.low.size(); ++d)
    if (a.high[d] < b.low[d] || b.high[d] < a.low[d]) return false;
  return true;
}

/// Returns the elements of a write without those in `later`.
space::Matched without(const Transfer& transfer, const space::RunSet& later) {
  const space::Matched all =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
  const space::RunSet rest = combine(all.file.runs(), space::SetOperator::subtract, later);
  const space::Selection kept = space::Selection::of_runs(all.file.frame(), rest);
  JoinedPart part = VirtualJoin(all.file, all.memory).part(kept, kept);
  return {std::move(part.source), std::move(part.memory)};
}

}  // namespace

void DatasetWrites::add(const Transfer& transfer, const std::byte* memory) {
  (void)Dataset(file_, header_).prepare_write(transfer);
  if (transfer.file_elements.elements() > 0) writes_.push_back({transfer, memory});
}

bool DatasetWrites::merges() const {
  const Dataset dataset(file_, header_);
  return std::ranges::any_of(writes_, [&](const Write& write) {
    return !writes_complete_elements(dataset, *dataset.prepare_write(write.transfer));
  });
}

void DatasetWrites::plan_reads(io::SelectionReads& batch, std::uint64_t& bytes_left) {
  const Dataset dataset(file_, header_);
  if (merges()) {
    std::vector<PlannedWrite> all;
    for (const Write& write : writes_) {
      Transfer merging = write.transfer;
      merging.merges = true;
      all.push_back({merging, dataset.prepare_write(merging), write.memory});
      planned_.push_back({merging, write.memory});
    }
    merged_ = dataset.layout().merge_writes(dataset, std::move(all), bytes_left);
    if (merged_) {
      bytes_left -= merged_->memory_bytes();
      return merged_->add_read(batch);
    }
  } else if (!cut_replaced()) {
    return;
  }
  for (const Write& write : planned_) dataset.plan_read_before_write(write.transfer, batch);
}

bool DatasetWrites::have_common_elements() const {
  std::vector<space::Bounds> boxes;
  for (const Write& write : writes_) {
    const std::optional<space::Bounds> box = write.transfer.file_elements.bounds();
    if (!box) continue;
    if (std::ranges::any_of(boxes, [&](const space::Bounds& other) { return meet(other, *box); }))
      return true;
    boxes.push_back(*box);
  }
  return false;
}

bool DatasetWrites::cut_replaced() {
  if (!have_common_elements()) {
    for (const Write& write : writes_) planned_.push_back(write);
    return true;
  }
  std::uint64_t runs = 0;
  for (const Write& write : writes_) runs += write.transfer.file_elements.run_count();
  if (runs > most_cut_runs) return false;
  space::RunSet later;
  for (std::size_t i = writes_.size(); i-- > 0;) {
    const Transfer& transfer = writes_[i].transfer;
    const space::RunSet elements = transfer.file_elements.runs();
    if (combine(elements, space::SetOperator::intersect, later).empty()) {
      planned_.push_front(writes_[i]);
    } else {
      const space::Matched& kept = cut_.emplace_back(without(transfer, later));
      planned_.push_front({transfer.with(kept.file, kept.memory), writes_[i].memory});
    }
    later = combine(later, space::SetOperator::unite, elements);
  }
  return true;
}

bool DatasetWrites::plan_writes(io::SelectionWrites& batch) {
  if (writes_.empty()) return true;
  if (merged_) {
    merged_->add_write(batch);
    return true;
  }
  if (planned_.empty()) return false;
  // A layout plans all writes of a dataset or none.
  bool all = true;
  for (const Write& write : planned_) {
    // An earlier plan may have changed the messages.
    all = Dataset(file_, header_).plan_write(write.transfer, write.memory, batch) && all;
  }
  return all;
}

void DatasetWrites::write() const {
  for (const Write& write : writes_) Dataset(file_, header_).write(write.transfer, write.memory);
}

}  // namespace filigree::model
