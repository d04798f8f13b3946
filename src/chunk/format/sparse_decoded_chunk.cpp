// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sparse_decoded_chunk.hpp"

#include <cstring>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

using space::RunSet;
using space::SetOperator;

}  // namespace

SparseDecodedChunk::SparseDecodedChunk(std::size_t element_bytes, RunSet defined, Buffer values)
    : element_bytes_(element_bytes), defined_(std::move(defined)), values_(std::move(values)) {}

std::size_t SparseDecodedChunk::memory_bytes() const {
  return sizeof(*this) + defined_.memory_bytes() + values_.capacity() + heap_.capacity();
}

void SparseDecodedChunk::set_elements(RunSet defined, Buffer values) {
  defined_ = OrdinalSet(std::move(defined));
  values_ = std::move(values);
}

bool SparseDecodedChunk::covers(std::span<const space::ChunkRun> runs) const {
  OrdinalSet::Cursor cursor(defined_);
  for (const space::ChunkRun& run : runs) {
    if (!cursor.seek(run.chunk_offset)) return false;
    if (cursor.run().start > run.chunk_offset || cursor.run().end() < run.chunk_offset + run.length)
      return false;
  }
  return true;
}

void SparseDecodedChunk::define(const RunSet& fresh) {
  RunSet united = combine(defined(), SetOperator::unite, fresh);
  const auto moves = ordinal_spans(defined(), united);
  OrdinalSet ordinals(std::move(united));
  values_.resize(static_cast<std::size_t>(
      checked_multiply(ordinals.set().elements(), element_bytes_, "the bytes of a chunk's values")));
  // From the end, so that no value is overwritten before it was moved.
  for (auto move = moves.rbegin(); move != moves.rend(); ++move)
    if (move->part_ordinal != move->whole_ordinal)
      std::memmove(value(move->whole_ordinal), value(move->part_ordinal), move->length * element_bytes_);
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
