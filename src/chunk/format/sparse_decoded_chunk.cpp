// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sparse_decoded_chunk.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using space::SetOperator;

/// So many elements are collected at least before they are merged.
constexpr std::size_t fewest_to_merge = 1024;

/// An element of a list of runs.
struct Appended {
  std::uint64_t offset = 0;
  std::size_t index = 0;  ///< of its value
};

/// Returns the elements by ascending offset. Of those with the same offset only the last one remains.
std::vector<Appended> sorted_elements(const std::vector<Run>& runs) {
  std::vector<Appended> elements;
  for (const Run& run : runs)
    for (std::uint64_t i = 0; i < run.length; ++i) elements.push_back({run.start + i, elements.size()});
  std::ranges::stable_sort(elements, {}, &Appended::offset);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool is_last = i + 1 == elements.size() || elements[i + 1].offset != elements[i].offset;
    if (is_last) elements[kept++] = elements[i];
  }
  elements.resize(kept);
  return elements;
}

RunSet offsets_of(const std::vector<Appended>& elements) {
  space::RunSetWriter writer(elements.size());
  for (const Appended& element : elements) writer.add({element.offset, 1});
  return writer.finish();
}

}  // namespace

SparseDecodedChunk::SparseDecodedChunk(std::size_t element_bytes, RunSet defined, Buffer values)
    : element_bytes_(element_bytes), defined_(std::move(defined)), values_(std::move(values)) {}

SparseDecodedChunk::SparseDecodedChunk(std::size_t element_bytes, CompactElements elements)
    : element_bytes_(element_bytes), compact_(std::make_shared<const CompactElements>(std::move(elements))) {}

SparseDecodedChunk::SparseDecodedChunk(const SparseDecodedChunk& other)
    : element_bytes_(other.element_bytes_),
      compact_(other.compact_),
      defined_(other.ordinals()),
      values_(other.values_),
      heap_(other.heap_),
      compact_heap_bytes_(other.compact_heap_bytes_) {}

std::size_t SparseDecodedChunk::memory_bytes() const {
  return sizeof(*this) + (compact_ ? compact_->offsets.memory_bytes() + compact_->values.memory_bytes() : 0) +
         defined_.memory_bytes() + values_.capacity() + heap_.capacity() +
         (collected_
              ? sizeof(Collected) + collected_->runs.capacity() * sizeof(Run) + collected_->values.capacity()
              : 0);
}

void SparseDecodedChunk::expand() {
  if (!compact_) return;
  const std::size_t elements = compact_->offsets.elements();
  const auto edges = compact_->offsets.edges();
  Buffer values(elements * element_bytes_);
  compact_->values.copy(0, elements, values.data());
  space::RunSetWriter writer(edges.size() / 2);
  writer.add_edges(edges);
  defined_ = OrdinalSet(writer.finish());
  values_ = std::move(values);
  compact_ = nullptr;
}

void SparseDecodedChunk::set_elements(RunSet defined, Buffer values) {
  collected_.reset();
  has_appended_ = false;
  defined_ = OrdinalSet(std::move(defined));
  values_ = std::move(values);
}

void SparseDecodedChunk::append(Run run, FunctionRef<void(std::byte*)> store) {
  if (!collected_) collected_ = std::make_unique<Collected>();
  auto& [merging, runs, values] = *collected_;
  const std::size_t before = values.size();
  const auto bytes =
      static_cast<std::size_t>(checked_multiply(run.length, element_bytes_, "the bytes of appended values"));
  runs.push_back(run);
  try {
    values.resize(before + bytes);
    store(values.data() + before);
  } catch (...) {
    runs.pop_back();
    values.resize(before);
    throw;
  }
  has_appended_ = true;
  // As many as are merged already: every element is then merged a few times only.
  if (values.size() > std::max(values_.size(), fewest_to_merge * element_bytes_)) merge_appended();
}

void SparseDecodedChunk::merge_appended() const {
  auto& [merging, runs, values] = *collected_;
  const MutexLock lock(merging);
  if (!has_appended_.load()) return;
  const std::vector<Appended> elements = sorted_elements(runs);
  insert(combine(offsets_of(elements), SetOperator::subtract, defined_.set()));
  OrdinalSet::Cursor cursor(defined_);
  for (const Appended& element : elements) {
    cursor.seek(element.offset);
    std::memcpy(values_.data() + cursor.ordinal(element.offset) * element_bytes_,
                values.data() + element.index * element_bytes_, element_bytes_);
  }
  runs.clear();
  values.clear();
  has_appended_.store(false, std::memory_order_release);
}

bool SparseDecodedChunk::covers(std::span<const space::ChunkRun> runs) const {
  OrdinalSet::Cursor cursor(ordinals());
  for (const space::ChunkRun& run : runs) {
    if (!cursor.seek(run.chunk_offset)) return false;
    if (cursor.run().start > run.chunk_offset || cursor.run().end() < run.chunk_offset + run.length)
      return false;
  }
  return true;
}

void SparseDecodedChunk::define(const RunSet& fresh) { merged().insert(fresh); }

void SparseDecodedChunk::insert(const RunSet& fresh) const {
  RunSet united = combine(defined_.set(), SetOperator::unite, fresh);
  const auto moves = ordinal_spans(defined_.set(), united);
  OrdinalSet ordinals(std::move(united));
  values_.resize(static_cast<std::size_t>(
      checked_multiply(ordinals.set().elements(), element_bytes_, "the bytes of a chunk's values")));
  // From the end, so that no value is overwritten before it was moved.
  for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    if (move->part_ordinal != move->whole_ordinal)
      std::memmove(values_.data() + move->whole_ordinal * element_bytes_,
                   values_.data() + move->part_ordinal * element_bytes_, move->length * element_bytes_);
  defined_ = std::move(ordinals);
}

void SparseDecodedChunk::erase(const RunSet& elements) {
  RunSet kept = combine(defined(), SetOperator::subtract, elements);
  if (kept.elements() == defined().elements()) return;
  const auto moves = ordinal_spans(kept, defined());
  OrdinalSet ordinals(std::move(kept));
  for (const OrdinalSpan& move : moves)
    if (move.part_ordinal != move.whole_ordinal)
      std::memmove(value(move.part_ordinal), value(move.whole_ordinal), move.length * element_bytes_);
  defined_ = std::move(ordinals);
  values_.resize(static_cast<std::size_t>(defined().elements() * element_bytes_));
  if (values_.size() < values_.capacity() / 2) values_.shrink_to_fit();
}

void SparseDecodedChunk::set_cells(VariableCells cells) {
  values_ = std::move(cells.elements);
  heap_ = std::move(cells.heap);
  compact_heap_bytes_ = heap_.size();
}

}  // namespace filigree::chunk
