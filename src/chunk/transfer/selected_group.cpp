// SPDX-License-Identifier: Apache-2.0
#include "chunk/transfer/selected_group.hpp"

#include <algorithm>

#include "space/cursor.hpp"

namespace filigree::chunk {

bool stores_elements(const ChunkTable& table, ChunkEdge edge) {
  const ChunkFormat& format = table.format();
  return format.unfiltered(edge) != nullptr && format.defined_elements() == nullptr &&
         format.sections() == nullptr;
}

bool transfers_selections(const ChunkTable& table) {
  return stores_elements(table, ChunkEdge::full) && stores_elements(table, ChunkEdge::partial);
}

std::vector<space::ChunkRun> runs_of(const space::ChunkSelection& part) {
  std::vector<space::ChunkRun> runs;
  space::MatchedCursor cursor(part.elements.file, part.elements.memory);
  for (space::MatchedRun run; cursor.next(run);)
    runs.push_back({part.chunk, run.first, part.memory_start + run.second, run.length});
  return runs;
}

void SelectedGroup::clear() {
  parts_.clear();
  chunks_.clear();
  sorted_ = true;
}

void SelectedGroup::add(space::ChunkSelection part) {
  if (chunks_.empty() || chunks_.back() != part.chunk) {
    sorted_ = sorted_ && (chunks_.empty() || chunks_.back() < part.chunk);
    chunks_.push_back(part.chunk);
  }
  parts_.push_back(std::move(part));
}

const std::vector<std::uint64_t>& SelectedGroup::chunks() {
  if (sorted_) return chunks_;
  std::ranges::sort(chunks_);
  chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
  sorted_ = true;
  return chunks_;
}

std::size_t SelectedGroup::index_of(std::uint64_t chunk) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(chunks_, chunk) - chunks_.begin());
}

}  // namespace filigree::chunk
