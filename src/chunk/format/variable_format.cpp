// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/variable_format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

constexpr std::size_t elements_section = 0;
constexpr std::size_t heap_section = 1;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

class VariableImage final : public ChunkImage {
 public:
  explicit VariableImage(VariableCells held) : cells(std::move(held)), compact_bytes(cells.heap.size()) {}
  VariableImage(const VariableImage&) = default;
  std::size_t memory_bytes() const override { return cells.elements.size() + cells.heap.capacity(); }
  VariableCells cells;
  std::size_t compact_bytes;  ///< of the heap, when it was made
};

const VariableImage& variable(const ChunkImage& image) { return static_cast<const VariableImage&>(image); }
VariableImage& variable(ChunkImage& image) { return static_cast<VariableImage&>(image); }

}  // namespace

VariableFormat::VariableFormat(VariableShape shape, std::vector<SectionRule> rules)
    : shape_(std::move(shape)), sections_(std::move(rules), shape_.filter_cut_chunks) {
  if (sections_.count() != 2)
    throw Error(ErrorKind::corrupt, "chunks of elements of variable length have 2 sections");
  const std::uint64_t bytes =
      checked_multiply(shape_.elements, shape_.layout->element_bytes(), "the bytes of a chunk");
  if (bytes > most_bytes)
    throw Error(ErrorKind::limit,
                fmt::format("chunks of {} bytes; at most {} are possible", bytes, most_bytes));
  bytes_ = static_cast<std::size_t>(bytes);
}

void VariableFormat::fill(MutableBytes elements, Bytes element) const {
  for (std::size_t at = 0; at < elements.size(); at += element.size())
    std::ranges::copy(element, elements.begin() + static_cast<std::ptrdiff_t>(at));
}

/// All elements share the payloads of the fill value until they are written.
std::unique_ptr<ChunkImage> VariableFormat::blank() const {
  VariableCells cells{Buffer(bytes_), {}};
  if (!shape_.fill.empty()) {
    fill(cells.elements, shape_.fill);
    cells.heap = shape_.fill_heap;
  }
  return std::make_unique<VariableImage>(std::move(cells));
}

std::unique_ptr<ChunkImage> VariableFormat::copy(const ChunkImage& image) const {
  return std::make_unique<VariableImage>(variable(image));
}

std::unique_ptr<ChunkImage> VariableFormat::decode(Bytes stored, const StoredForm& form, bool whole) const {
  const auto unpack = [&](std::size_t section, std::uint64_t most) {
    const space::Run run = sections_.extent(section, form, stored.size());
    return sections_.unpack(section, stored.subspan(run.start, run.length), form, whole, most);
  };
  Buffer elements = unpack(elements_section, bytes_);
  if (elements.size() != bytes_) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a chunk has {} bytes of elements, not {}", elements.size(), bytes_));
  }
  const Buffer heap = unpack(heap_section, ~std::uint64_t{0});
  return std::make_unique<VariableImage>(shape_.layout->decode(std::move(elements), heap));
}

StoredChunk VariableFormat::encode(const ChunkImage& image, bool whole) const {
  const VariableCells& held = variable(image).cells;
  const VariableCells cells = shape_.layout->compact(held.elements, held.heap);
  const std::array<Bytes, 2> contents{cells.elements, cells.heap};
  return sections_.pack(contents, whole);
}

void VariableFormat::read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                          const Values& values) const {
  const VariableCells& cells = variable(image).cells;
  const std::size_t size = shape_.layout->element_bytes();
  HeapReader heap(cells.heap, shape_.layout->offset_bytes());
  type::Context context = values.context;
  context.from_file = &heap;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply(
        {cells.elements.data() + run.chunk_offset * size, size,
         values.memory + run.memory * values.element_bytes, values.element_bytes, run.length},
        context);
  }
}

void VariableFormat::write(ChunkImage& image, std::span<const space::ChunkRun> runs,
                           const Values& values) const {
  VariableImage& into = variable(image);
  const std::size_t size = shape_.layout->element_bytes();
  HeapWriter heap(into.cells.heap, shape_.layout->offset_bytes());
  type::Context context = values.context;
  context.to_file = &heap;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             into.cells.elements.data() + run.chunk_offset * size, size, run.length},
                            context);
  }
  if (!heap_has_grown(into.cells.heap.size(), into.compact_bytes)) return;
  into.cells = shape_.layout->compact(std::move(into.cells.elements), into.cells.heap);
  into.compact_bytes = into.cells.heap.size();
}

void VariableFormat::for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const {
  see(variable(image).cells.elements);
}

void VariableFormat::for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const {
  change(variable(image).cells.elements);
}

void VariableFormat::erase(ChunkImage& image, const space::RunSet& elements) const {
  VariableCells& cells = variable(image).cells;
  const std::size_t size = shape_.layout->element_bytes();
  Buffer element = shape_.fill.empty() ? Buffer(size) : shape_.fill;
  shape_.layout->move_payloads(element, shape_.fill_heap, cells.heap);
  for (std::size_t i = 0; i < elements.runs(); ++i)
    fill(MutableBytes(cells.elements).subspan(elements.run(i).start * size, elements.run(i).length * size),
         element);
}

}  // namespace filigree::chunk
