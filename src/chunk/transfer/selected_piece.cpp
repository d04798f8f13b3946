// SPDX-License-Identifier: Apache-2.0
#include "chunk/transfer/selected_piece.hpp"

#include "space/cursor.hpp"

namespace filigree::chunk {
namespace {

/// Elements of memory at equal distances, in bytes.
struct MemoryRow {
  std::byte* first;
  std::size_t stride;
  std::size_t count;
};

/// Calls `use` for the elements of a selection of memory, row by row.
template <class Use>
void for_each_row(const space::Selection& memory, std::uint64_t memory_start, const Values& values, Use use) {
  for (space::Cursor cursor(memory); !cursor.done();) {
    const space::RunPattern pattern = cursor.pattern();
    const bool strided = pattern.length == 1 && pattern.count > 1;
    const std::uint64_t count = strided ? pattern.count : pattern.length;
    use(MemoryRow{values.memory + (memory_start + pattern.start) * values.element_bytes,
                  (strided ? pattern.stride : 1) * values.element_bytes, count});
    cursor.advance(count);
  }
}

std::byte* frame_in_memory(const SelectedPiece& piece, const Values& values) {
  return values.memory + piece.memory_start * values.element_bytes;
}

std::uint64_t frame_bytes(const SelectedPiece& piece, const Values& values) {
  return piece.elements.memory.frame().elements() * values.element_bytes;
}

/// The same elements of the file, contiguous in memory.
space::Matched packed(const SelectedPiece& piece) {
  return {piece.elements.file, space::Selection::all(space::Frame({piece.elements.file.elements()}))};
}

}  // namespace

void add_read(io::SelectionReads& batch, SelectedPiece piece, const ValuesPointer& values) {
  const io::SelectionReads::ArrayLocation array{piece.offset, piece.element_bytes};
  if (values->conversion.traits().copies) {
    const MutableBytes memory(frame_in_memory(piece, *values), frame_bytes(piece, *values));
    return batch.add(std::move(piece.elements), array, memory);
  }
  const MutableBytes staged = batch.stage(piece.elements.file.elements() * piece.element_bytes);
  batch.add(packed(piece), array, staged);
  batch.then([values, staged, element_bytes = piece.element_bytes, memory_start = piece.memory_start,
              memory = std::move(piece.elements.memory)] {
    const std::byte* from = staged.data();
    for_each_row(memory, memory_start, *values, [&](const MemoryRow& row) {
      values->conversion.apply({from, element_bytes, row.first, row.stride, row.count}, values->context);
      from += row.count * element_bytes;
    });
  });
}

void add_write(io::SelectionWrites& batch, SelectedPiece piece, const Values& values) {
  const io::SelectionWrites::ArrayLocation array{piece.offset, piece.element_bytes};
  if (values.conversion.traits().copies) {
    const Bytes memory(frame_in_memory(piece, values), frame_bytes(piece, values));
    return batch.add(std::move(piece.elements), array, memory);
  }
  const MutableBytes staged = batch.stage(piece.elements.file.elements() * piece.element_bytes);
  std::byte* to = staged.data();
  for_each_row(piece.elements.memory, piece.memory_start, values, [&](const MemoryRow& row) {
    values.conversion.apply({row.first, row.stride, to, piece.element_bytes, row.count}, values.context);
    to += row.count * piece.element_bytes;
  });
  batch.add(packed(piece), array, staged);
}

}  // namespace filigree::chunk
