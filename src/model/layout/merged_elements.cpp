// SPDX-License-Identifier: Apache-2.0
#include "model/layout/merged_elements.hpp"

#include <algorithm>

#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "space/cursor.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

/// More runs are written by batches of limited size instead.
constexpr std::uint64_t most_merged_runs = 1u << 20;

space::Matched in_write_order(const Transfer& transfer) {
  return space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
}

/// Returns how many copies of the elements are in memory.
std::uint64_t copies(const MergePlan& plan) { return plan.frees_values ? plan.writes.size() + 1 : 1; }

}  // namespace

bool MergePlan::choose_elements(const DatasetMessages& messages, std::uint64_t most_bytes) {
  std::uint64_t runs = 0;
  for (const PlannedWrite& write : writes) {
    const type::Conversion::Traits& traits = write.conversion->traits();
    keeps_members = keeps_members || traits.partial;
    frees_values = frees_values || (traits.uses_files && type::has_variable_parts(messages.type));
    runs += write.transfer.file_elements.run_count();
    const std::uint64_t count = write.transfer.file_elements.elements();
    if (runs > most_merged_runs || count > most_bytes / messages.type.size) return false;
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const space::Selection& more = writes[i].transfer.file_elements;
    const space::Selection set = more.is_set() ? more : space::Selection::of_runs(more.frame(), more.runs());
    elements = i == 0 ? set : space::combine(elements, space::SetOperator::unite, set);
  }
  return elements.elements() <= most_bytes / messages.type.size / copies(*this);
}

MergedElements::MergedElements(const Dataset& dataset, Address at, MergePlan plan)
    : dataset_(dataset),
      at_(at),
      plan_(std::move(plan)),
      element_bytes_(dataset.messages().type.size),
      runs_(plan_.elements.runs()),
      bytes_(plan_.elements.elements() * element_bytes_) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < runs_.runs(); ++i) {
    run_starts_.push_back(before);
    before += runs_.run(i).length;
  }
}

std::uint64_t MergedElements::memory_bytes() const { return bytes_.size() * copies(plan_); }

void MergedElements::add_read(io::SelectionReads& batch) {
  if (!plan_.needs_old_elements()) return;
  const auto all = space::Selection::all(space::Frame({plan_.elements.elements()}));
  batch.count_staged(bytes_.size());
  batch.add({plan_.elements, all}, {to_number(at_), element_bytes_}, bytes_);
  batch.send_if_full();
}

void MergedElements::add_write(io::SelectionWrites& batch) {
  // Elements that a failed write has not reached must be readable.
  batch.then(nullptr, [&store = dataset_.file().store(),
                       end = to_number(at_) + dataset_.messages().data_bytes] { store.reach(end); });
  for (const PlannedWrite& write : plan_.writes) {
    if (plan_.frees_values) earlier_.push_back(bytes_);
    apply(write);
  }
  const auto all = space::Selection::all(space::Frame({plan_.elements.elements()}));
  batch.count_staged(bytes_.size());
  batch.add({plan_.elements, all}, {to_number(at_), element_bytes_}, bytes_);
  batch.then([this] { release_replaced(); });
  batch.send_if_full();
}

void MergedElements::apply(const PlannedWrite& write) {
  const space::Matched elements = in_write_order(write.transfer);
  HeapFileValues heap(dataset_.file());
  type::Context context;
  context.to_file = &heap;
  context.on_fault = write.transfer.on_fault;
  context.memory = write.transfer.memory;
  const std::uint64_t memory_bytes = write.transfer.memory_type.size;
  space::MatchedCursor cursor(elements.file, elements.memory);
  for (space::MatchedRun run; cursor.next(run);) {
    const std::byte* const from = write.memory + run.second * memory_bytes;
    write.conversion->apply({from, memory_bytes, find(run.first), element_bytes_, run.length}, context);
  }
}

std::byte* MergedElements::find(std::uint64_t element) {
  const std::size_t run = runs_.find(element);
  return bytes_.data() + (run_starts_[run] + element - runs_.run(run).start) * element_bytes_;
}

void MergedElements::release_replaced() const {
  for (std::size_t i = 0; i < earlier_.size(); ++i) {
    const Buffer& now = i + 1 < earlier_.size() ? earlier_[i + 1] : bytes_;
    release_replaced_values(dataset_.file(), dataset_.messages().type, earlier_[i], now);
  }
}

}  // namespace filigree::model
