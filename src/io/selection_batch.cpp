// SPDX-License-Identifier: Apache-2.0
#include "io/selection_batch.hpp"

#include <utility>

namespace filigree::io {

template <class Piece>
SelectionBatch<Piece>::~SelectionBatch() {
  fail(steps_);
}

template <class Piece>
void SelectionBatch<Piece>::add(space::Matched elements, const ArrayLocation& array, Memory memory) {
  const space::Matched& kept = selections_.emplace_back(std::move(elements));
  pieces_.push_back({kept.file, kept.memory, array.offset, array.element_bytes, memory});
}

template <class Piece>
void SelectionBatch<Piece>::add_bytes(std::uint64_t offset, Memory memory) {
  const auto all = space::Selection::all(space::Frame({memory.size()}));
  add({all, all}, {offset, 1}, memory);
}

template <class Piece>
MutableBytes SelectionBatch<Piece>::stage(std::uint64_t bytes) {
  staged_bytes_ += bytes;
  return staged_.emplace_back(static_cast<std::size_t>(bytes));
}

template <class Piece>
void SelectionBatch<Piece>::then(Step sent, Step failed) {
  steps_.push_back({std::move(sent), std::move(failed)});
}

template <class Piece>
void SelectionBatch<Piece>::fail(std::span<const Steps> steps) noexcept {
  for (const Steps& step : steps) {
    try {
      if (step.failed) step.failed();
    } catch (...) {  // The first error is already being reported.
    }
  }
}

template <class Piece>
void SelectionBatch<Piece>::clear() noexcept {
  pieces_.clear();
  selections_.clear();
  staged_.clear();
  staged_bytes_ = 0;
}

template <class Piece>
void SelectionBatch<Piece>::send() {
  const std::vector<Steps> steps = std::exchange(steps_, {});
  std::size_t begun = 0;
  try {
    if (!pieces_.empty()) send_(pieces_);
    while (begun < steps.size())
      if (const Step& sent = steps[begun++].sent) sent();
  } catch (...) {
    fail(std::span(steps).subspan(begun));
    clear();
    throw;
  }
  clear();
}

template class SelectionBatch<SelectionRead>;
template class SelectionBatch<SelectionWrite>;

}  // namespace filigree::io
