// SPDX-License-Identifier: Apache-2.0
#include "model/layout/selected_values.hpp"

#include <algorithm>
#include <vector>

#include "base/checked.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "space/chunk_selections.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

/// Boxes of at most so many elements that tile an extent, and that are contiguous in row-major order.
space::ChunkGrid contiguous_boxes(const space::Frame& extent, std::uint64_t most_elements) {
  std::vector<std::uint64_t> box(extent.rank(), 1);
  for (std::size_t d = extent.rank(); d-- > 0;) {
    box[d] = std::clamp<std::uint64_t>(most_elements / extent.step(d), 1,
                                       std::max<std::uint64_t>(1, extent.dims()[d]));
    if (box[d] < extent.dims()[d]) break;
  }
  return space::ChunkGrid(extent, std::move(box));
}

/// The part of a grid's extent that a box covers, and where it begins.
struct Box {
  space::Frame frame;
  std::uint64_t first_element = 0;
};

Box box_at(const space::ChunkGrid& grid, std::uint64_t index) {
  std::vector<std::uint64_t> at(grid.extent().rank()), dims(grid.extent().rank());
  grid.chunks().coordinates(index, at.data());
  for (std::size_t d = 0; d < at.size(); ++d) {
    at[d] *= grid.chunk().dims()[d];
    dims[d] = std::min(grid.chunk().dims()[d], grid.extent().dims()[d] - at[d]);
  }
  const std::uint64_t first = grid.extent().offset(at);
  return {space::Frame(std::move(dims)), first};
}

template <class Batch, class Add>
void add_flat(Batch& batch, const FlatArray& array, const space::Matched& elements, bool copies, Add add) {
  // No offset within the array wraps.
  const std::uint64_t bytes =
      checked_multiply(elements.file.frame().elements(), array.element_bytes, "the size of the dataset");
  checked_add(to_number(array.at), bytes, "the end of the dataset");
  const std::uint64_t most = std::max<std::uint64_t>(1, Batch::most_staged_bytes / array.element_bytes);
  if (copies || elements.file.elements() <= most || elements.file.frame().rank() == 0) {
    add(chunk::SelectedPiece{elements, 0, to_number(array.at), array.element_bytes});
    return batch.send_if_full();
  }
  const space::ChunkGrid grid = contiguous_boxes(elements.file.frame(), most);
  space::ChunkSelections parts(grid, elements.file, elements.memory);
  for (space::ChunkSelection part; parts.next(part);) {
    const Box box = box_at(grid, part.chunk);
    part.elements.file = part.elements.file.reframed(box.frame);
    add(chunk::SelectedPiece{std::move(part.elements), part.memory_start,
                             to_number(array.at) + box.first_element * array.element_bytes,
                             array.element_bytes});
    batch.send();
  }
}

}  // namespace

bool writes_complete_elements(const Dataset& dataset, const type::Conversion& conversion) {
  const type::Conversion::Traits& traits = conversion.traits();
  return !traits.uses_files && !traits.partial && !type::has_variable_parts(dataset.messages().type);
}

SelectedValues::SelectedValues(File& file, const Transfer& transfer, type::ConversionPointer conversion,
                               std::byte* memory)
    : conversion_(std::move(conversion)),
      heap_(file, transfer.file_elements.elements()),
      values_{*conversion_, context_, memory, transfer.memory_type.size} {
  context_.on_fault = transfer.on_fault;
  context_.memory = transfer.memory;
  context_.from_file = &heap_;
}

chunk::ValuesPointer SelectedValues::make(File& file, const Transfer& transfer,
                                          type::ConversionPointer conversion, std::byte* memory) {
  const auto made = std::make_shared<SelectedValues>(file, transfer, std::move(conversion), memory);
  return {made, &made->values_};
}

void add_flat_read(io::SelectionReads& batch, const FlatArray& array, const space::Matched& elements,
                   const chunk::ValuesPointer& values) {
  add_flat(batch, array, elements, values->conversion.traits().copies,
           [&](chunk::SelectedPiece piece) { chunk::add_read(batch, std::move(piece), values); });
}

void add_flat_write(io::SelectionWrites& batch, const FlatArray& array, const space::Matched& elements,
                    const chunk::ValuesPointer& values) {
  add_flat(batch, array, elements, values->conversion.traits().copies,
           [&](chunk::SelectedPiece piece) { chunk::add_write(batch, std::move(piece), *values); });
}

io::SelectionReads make_reads(const File& file) {
  return io::SelectionReads(
      [&store = file.store()](std::span<const io::SelectionRead> pieces) { store.read_selections(pieces); });
}

io::SelectionWrites make_writes(File& file) {
  return io::SelectionWrites([&store = file.store()](std::span<const io::SelectionWrite> pieces) {
    store.write_selections(pieces);
  });
}

}  // namespace filigree::model
